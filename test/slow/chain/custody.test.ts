// Custody: every kind fulfils the contract, keys are sealed for their organization alone, slots report what is wrong
// with them, and signed bytes that are not the transfer are refused whoever signed them.
import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { numberToHex, parseTransaction, serializeTransaction, type Hex, type TransactionSerializable } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { contractProblems, type SampleTransfer } from '../../../src/chain/contract.js'
import type { Custody, Signer } from '../../../src/chain/custody.js'
import { createCustody as createHttpSigner } from '../../../src/chain/httpSigner.js'
import { Keystore } from '../../../src/chain/keystore.js'
import { ChainNode } from '../../../src/chain/node.js'
import { Provider } from '../../../src/chain/providers.js'
import { prepare, sign } from '../../../src/chain/transfer.js'
import { newClient } from '../../support/client.js'
import { newFolder, NotStarted, startService, type StartOptions } from '../../support/process.js'
import { execute, made } from '../../support/payments.js'
import { createCustody as createProvider } from './anvilProvider.js'
import { approved, MICROS, newPayer, newRecipient, settled, startChain, startLive } from '../../support/chain.js'

const ANVILS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const STRANGER = '0x00000000000000000000000000000000000a11ce'
/** Of the curve secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const SEALED = Buffer.alloc(32, 7)
const PROVIDER = fileURLToPath(new URL('anvilProvider.js', import.meta.url))

test('Every shipped custody and a provider that sends transfers itself fulfil the contract', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  await chain.fund(ANVILS, 10 * MICROS)
  const keystore = new Keystore(newFolder(t), SEALED)
  const own = await keystore.newAddress('o1')
  const all: [string, Custody, string, foreign?: string][] = [
    ['MANAGED', keystore, own, 'o2'],
    ['http-signer', createHttpSigner({ URL: chain.url }), ANVILS],
    ['http-signer of one organization', createHttpSigner({ URL: chain.url, ORGANIZATION: 'o1' }), ANVILS, 'o2'],
    ['submitter', createProvider({ URL: chain.url, ORGANIZATION: 'o1' }), ANVILS, 'o2'],
  ]
  for (const [name, custody, from, foreign] of all) {
    const order = { chainId: '31337', from, to: newRecipient(), amount: MICROS, asset: chain.token }
    const sample: SampleTransfer = {
      order,
      organization: 'o1',
      stranger: STRANGER,
      ...(foreign !== undefined && { foreign }),
    }
    t.deepEqual(await contractProblems(custody, sample), [], name)
    if (custody.kind === 'submitter') t.is(await chain.balanceOf(order.to), MICROS)
  }
})

test('The contract check finds the violations of an adapter', async (t) => {
  const foreign = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  const order = { chainId: '31337', from: ANVILS, to: newRecipient(), amount: 1, asset: STRANGER }
  const sample: SampleTransfer = { order, organization: 'o1', foreign: 'o2', stranger: STRANGER }
  const careless: Custody = { kind: 'signer', account: async () => foreign }
  t.is((await contractProblems(careless, sample)).length, 4)
  let count = 0
  const doubling: Custody = {
    kind: 'submitter',
    id: 'doubling',
    submit: async () => ({ is: 'accepted', txHash: `0x${(count += 1)}` }),
    status: async () => ({ is: 'absent' }),
  }
  t.is((await contractProblems(doubling, sample)).length, 3)
})

/** A signer of valid signatures that no node takes: those with the other s of the same point. */
function withHighS(account: PrivateKeyAccount): Signer {
  const signTransaction = async (wanted: TransactionSerializable): Promise<Hex> => {
    const { r, s, yParity, ...signed } = parseTransaction(await account.signTransaction(wanted))
    const other = numberToHex(ORDER - BigInt(s!), { size: 32 })
    return serializeTransaction(signed as TransactionSerializable, { r: r!, s: other, yParity: 1 - yParity! })
  }
  const made = { address: account.address, signTransaction: signTransaction as typeof account.signTransaction }
  return { kind: 'signer', account: async () => made }
}

test('The contract check finds a signature that no node takes', async (t) => {
  const account = privateKeyToAccount(`0x${'22'.repeat(32)}`)
  const order = { chainId: '31337', from: account.address, to: newRecipient(), amount: 1, asset: STRANGER }
  const problems = await contractProblems(withHighS(account), { order, organization: 'o1', stranger: account.address })
  t.true(problems.includes('it signs with an s that no node takes (EIP-2)'))
})

test('A managed key opens only for its own organization and with the key that sealed it', async (t) => {
  const folder = newFolder(t)
  const keystore = new Keystore(folder, SEALED)
  const address = await keystore.newAddress('o1')
  t.is((await keystore.account(address, 'o1')).address, address as never)
  const refused = { name: 'CustodyError', code: 'WALLET_CONFIG_ERROR' }
  await t.throwsAsync(keystore.account(address, 'o2'), refused)
  await t.throwsAsync(keystore.account(STRANGER, 'o1'), refused)
  await t.throwsAsync(keystore.account('../keystore', 'o1'), refused)
  await t.throwsAsync(new Keystore(folder, Buffer.alloc(32, 8)).account(address, 'o1'), refused)
  const [file] = readdirSync(folder)
  const path = join(folder, file!)
  t.is(statSync(path).mode & 0o777, 0o600)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace('"o1"', '"o2"'))
  await t.throwsAsync(keystore.account(address, 'o2'), refused)
  writeFileSync(path, text)
  const other = await keystore.newAddress('o1')
  renameSync(path, join(folder, `${other}.json`))
  await t.throwsAsync(keystore.account(other, 'o1'), refused)
})

test('A damaged key file is a WALLET_CONFIG_ERROR, and a sealing key that opens no file does not fit', async (t) => {
  const folder = newFolder(t)
  const keystore = new Keystore(folder, SEALED)
  t.true(await keystore.fits())
  const address = await keystore.newAddress('o1')
  t.true(await keystore.fits())
  t.false(await new Keystore(folder, Buffer.alloc(32, 8)).fits())
  const path = join(folder, `${address}.json`)
  const whole = readFileSync(path, 'utf8')
  for (const damaged of [whole.slice(0, 20), '{"organization":"o1"}', whole.replace(/"tag":"[^"]+"/, '"tag":""')]) {
    writeFileSync(path, damaged)
    await t.throwsAsync(keystore.account(address, 'o1'), { name: 'CustodyError', code: 'WALLET_CONFIG_ERROR' }, damaged)
    t.true(await keystore.fits(), 'a damaged file says nothing about the key')
    await t.throwsAsync(keystore.madeFor(address), { message: /is damaged: restore it from a backup/ }, damaged)
  }
  const other = await keystore.newAddress('o1')
  t.true(await keystore.fits(), 'one that is damaged keeps nobody from starting')
  t.false(await new Keystore(folder, Buffer.alloc(32, 8)).fits(), 'the whole one does not open')
  t.is((await keystore.account(other, 'o1')).address, other as never)
  const unreadable = newFolder(t)
  mkdirSync(join(unreadable, `${address}.json`), { recursive: true })
  await t.throwsAsync(new Keystore(unreadable, SEALED).fits(), { code: 'UNAVAILABLE' }, 'it may be of another key')
})

test('The service does not start with another sealing key or a secret that others can read', async (t) => {
  const folder = newFolder(t)
  const service = await startService(t, folder)
  await made(newClient(t, service.url), '/api/wallets', { name: 'Managed', custodyType: 'MANAGED' })
  await service.stop()
  const other = { env: { BURSAR_KEYSTORE_KEY: '11'.repeat(32) } }
  const refused = (options: StartOptions) =>
    t.throwsAsync<NotStarted>(startService(t, folder, options), { instanceOf: NotStarted })
  t.regex(
    (await refused(other))!.exit.stderr,
    /^No key in .* opens: BURSAR_KEYSTORE_KEY is not what they were sealed with$/m,
  )
  const secret = join(folder, 'keystore.secret')
  renameSync(secret, `${secret}.kept`)
  t.regex((await refused({}))!.exit.stderr, /opens: keystore\.secret is not what they were sealed with$/m)
  renameSync(`${secret}.kept`, secret)
  chmodSync(secret, 0o640)
  t.regex((await refused({}))!.exit.stderr, /keystore\.secret is open to others than its owner/)
  chmodSync(secret, 0o600)
  await (await startService(t, folder)).stop()
})

test('Signed bytes that are not the wanted transfer are refused, whoever signed them', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const account = privateKeyToAccount(`0x${'22'.repeat(32)}`)
  await chain.fund(account.address, MICROS)
  const config = {
    chainId: '31337',
    url: chain.url,
    asset: chain.token,
    decimals: 6,
    confirmations: 1,
    mostFeeGwei: 10_000,
    freshMs: 0,
  }
  const node = new ChainNode(config)
  const order = { chainId: '31337', from: account.address, to: newRecipient(), amount: MICROS, asset: chain.token }
  const prepared = await prepare(node, order, 0)
  t.is((await sign(account, order, prepared, 0, 1)).nonce, 0)
  // Chains without tips suggest 0, and the bytes omit it.
  t.is((await sign(account, order, { ...prepared, maxPriorityFeePerGas: 0n }, 0, 1)).maxPriorityFeePerGas, '0')
  const authorization = await account.signAuthorization({ contractAddress: STRANGER, chainId: 31337, nonce: 1 })
  const changes: object[] = [
    { nonce: 1 },
    { to: STRANGER },
    { gas: 1n },
    { data: '0x' },
    { chainId: 1 },
    { value: 1n },
    { accessList: [{ address: STRANGER, storageKeys: [] }] },
    { type: 'eip7702', authorizationList: [authorization] },
  ]
  for (const change of changes) {
    const signTransaction = (wanted: object) => account.signTransaction({ ...wanted, ...change } as never)
    const cheat = { address: account.address, signTransaction: signTransaction as typeof account.signTransaction }
    await t.throwsAsync(
      sign(cheat, order, prepared, 0, 1),
      { code: 'WALLET_CONFIG_ERROR' } as never,
      JSON.stringify(Object.keys(change)),
    )
  }
  const untaken = await withHighS(account).account(account.address, 'o1')
  await t.throwsAsync(sign(untaken, order, prepared, 0, 1), { code: 'WALLET_CONFIG_ERROR' } as never)
  const foreign = privateKeyToAccount(`0x${'33'.repeat(32)}`)
  await t.throwsAsync(sign(foreign, order, prepared, 0, 1), { name: 'CustodyError' })
})

const SLOTS: [what: string, adapter: string, settings: { [name: string]: string }, wrong: RegExp | null][] = [
  ['a shipped adapter', 'http-signer', { URL: 'http://127.0.0.1:1' }, null],
  ['a file', PROVIDER, { URL: 'http://127.0.0.1:1' }, null],
  ['missing settings', 'http-signer', {}, /PROVIDER_A cannot use its adapter http-signer: URL must be/],
  [
    'an empty organization',
    'http-signer',
    { URL: 'http://127.0.0.1:1', ORGANIZATION: '' },
    /ORGANIZATION must be the id of an organization/,
  ],
  ['a missing file', '/no/such/adapter.mjs', {}, /PROVIDER_A cannot use/],
  ['a missing package', 'no-such-custody-adapter', {}, /PROVIDER_A cannot use/],
  ['a module that is no adapter', fileURLToPath(new URL('proxy.js', import.meta.url)), {}, /exports no createCustody/],
]

for (const [what, adapter, settings, wrong] of SLOTS) {
  test(`A slot with ${what} ${wrong ? 'reports what is wrong' : 'is ready'}`, async (t) => {
    const slot = await Provider.load('PROVIDER_A', { adapter, settings, owner: undefined })
    if (wrong === null) return t.truthy(slot.get())
    t.regex(slot.wrong!, wrong)
    return void t.throws(() => slot.get(), { name: 'CustodyError' })
  })
}

test('A provider that sends transfers itself is asked once, and its transfer is followed on the chain', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const env = { BURSAR_PROVIDER_A: PROVIDER, BURSAR_PROVIDER_A_URL: chain.url }
  const live = await startLive(t, chain, env)
  const { client } = live
  const payer = await newPayer(client, chain, { wallet: { custodyType: 'PROVIDER_A', address: ANVILS } })
  const recipient = newRecipient()
  const requestId = await approved(client, payer.key, 3, recipient)
  const answers = await Promise.all([1, 2, 3].map(() => execute(client, payer.key, requestId)))
  t.deepEqual(answers.map((answer) => answer.status).sort(), [200, 409, 409])
  await settled(live, payer.key, requestId)
  t.is(await chain.balanceOf(recipient), 3 * MICROS)
})
