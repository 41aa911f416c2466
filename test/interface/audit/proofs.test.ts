// To whom an address belongs: the organization that proved first that it controls it. And which organization the slots of
// custody providers make wallets for.
import test from 'ava'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Answer, Failure } from '../../support/client.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { ask, fundedAgent } from '../../support/payments.js'
import { randomAddress, randomSolanaAddress } from '../../support/commands.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'
import type { AuditEntryList, Readiness, Wallet, WalletList } from '../../../sdk/api.js'

interface Proof {
  challenge?: string
  expiresAt?: string
  proved?: true
}

const failureOf = ({ status, body }: Answer<unknown>) => ({ status, code: (body as Failure).code })
const newOwner = () => privateKeyToAccount(generatePrivateKey())

async function newOrganization({ client }: Started, name = 'Other'): Promise<{ id: string; key: string }> {
  const { body } = await client.post<{ id: string; apiKey: string }>('/api/organizations', OPERATOR_KEY, { name })
  return { id: body.id, key: body.apiKey }
}

/** Calls of one organization. */
function callsOf(service: Started, key: string) {
  const post = <Body>(path: string, body?: object) => service.client.post<Body & Failure>(path, key, body)
  return {
    create: (more: object) => post<Wallet>('/api/wallets', { name: 'Wallet', custodyType: 'EXTERNAL', ...more }),
    prove: (id: string, signature?: string) =>
      post<Proof>(`/api/wallets/${id}/proof`, signature === undefined ? undefined : { signature }),
  }
}

test('an address belongs to the organization that proves it first, on every chain and over restarts', async (t) => {
  const service = await start(t)
  const other = await newOrganization(service)
  const [own, foreign] = [callsOf(service, ORGANIZATION_KEY), callsOf(service, other.key)]
  const owner = newOwner()
  const { address } = owner
  const [wallet, theirs] = [(await own.create({ address })).body, (await foreign.create({ address })).body]
  const { body: asked } = await own.prove(wallet.id)
  t.deepEqual(Object.keys(asked).sort(), ['challenge', 'expiresAt'])
  for (const part of [address, wallet.id, asked.expiresAt!]) t.true(asked.challenge!.includes(part))
  const theirChallenge = (await foreign.prove(theirs.id)).body.challenge!
  const wrong = [
    '0x',
    'nonsense',
    `0x${'00'.repeat(65)}`,
    await newOwner().signMessage({ message: asked.challenge! }),
    await owner.signMessage({ message: theirChallenge }),
    await owner.signMessage({ message: `${asked.challenge!} ` }),
  ]
  for (const signature of wrong) {
    t.deepEqual(failureOf(await own.prove(wallet.id, signature)), { status: 400, code: 'VALIDATION_ERROR' }, signature)
  }
  const signature = await owner.signMessage({ message: asked.challenge! })
  const proof = () =>
    service.client.post<Proof>(
      `/api/wallets/${wallet.id}/proof`,
      ORGANIZATION_KEY,
      { signature },
      { 'Idempotency-Key': 'p' },
    )
  t.deepEqual((await proof()).body, { proved: true })
  t.is((await proof()).headers['idempotency-replayed'], 'true')
  t.deepEqual((await own.prove(wallet.id, signature)).body, { proved: true }, 'again')
  const theirSignature = await owner.signMessage({ message: theirChallenge })
  const late = async () => failureOf(await foreign.prove(theirs.id, theirSignature))
  t.deepEqual(await late(), { status: 409, code: 'ALREADY_EXISTS' })
  await service.restart()
  t.deepEqual(await late(), { status: 409, code: 'ALREADY_EXISTS' })
  for (const custodyType of ['EXTERNAL', 'PROVIDER_A', 'MANAGED']) {
    const given = { custodyType, address: address.toLowerCase(), chainId: '8453' }
    t.deepEqual(failureOf(await foreign.create(given)), { status: 400, code: 'WALLET_CONFIG_ERROR' }, custodyType)
    t.true([200, 201].includes((await own.create(given)).status))
  }
  const { entries } = (
    await service.client.get<AuditEntryList>('/api/audit-logs?action=wallet.prove', ORGANIZATION_KEY)
  ).body
  t.is(entries.length, 1)
})

test('a wallet shows whether the organization has proved its address, also the answer that creates it', async (t) => {
  const service = await start(t)
  const other = await newOrganization(service)
  const [own, foreign] = [callsOf(service, ORGANIZATION_KEY), callsOf(service, other.key)]
  const shown = async (id: string, key = ORGANIZATION_KEY) => {
    const { body } = await service.client.get<Wallet>(`/api/wallets/${id}`, key)
    const { wallets } = (await service.client.get<WalletList>('/api/wallets', key)).body
    t.is(wallets.find((wallet) => wallet.id === id)!.addressProved, body.addressProved)
    return body.addressProved
  }
  const made = (await own.create({ custodyType: 'MANAGED' })).body
  t.deepEqual([made.addressProved, await shown(made.id)], [true, true])
  const owner = newOwner()
  const [named, theirs] = [
    (await own.create({ address: owner.address })).body,
    (await foreign.create({ address: owner.address })).body,
  ]
  t.deepEqual([named.addressProved, await shown(named.id)], [false, false])
  const message = (await own.prove(named.id)).body.challenge!
  t.is((await own.prove(named.id, await owner.signMessage({ message }))).status, 200)
  t.true(await shown(named.id))
  t.false(await shown(theirs.id, other.key))
  t.true((await own.create({ address: owner.address, chainId: '8453' })).body.addressProved)
})

test('two organizations that prove an address at once do not both have it', async (t) => {
  const service = await start(t)
  const owner = newOwner()
  const organizations = [ORGANIZATION_KEY, (await newOrganization(service)).key]
  const proofs = await Promise.all(
    organizations.map(async (key) => {
      const calls = callsOf(service, key)
      const { id } = (await calls.create({ address: owner.address })).body
      const message = (await calls.prove(id)).body.challenge!
      const signature = await owner.signMessage({ message })
      return () => calls.prove(id, signature)
    }),
  )
  const answers = await Promise.all([...proofs, ...proofs].map((prove) => prove()))
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 409, 409])
})

test('a challenge is over after twenty minutes, and one is live for at least ten', async (t) => {
  const service = await start(t)
  const { create, prove } = callsOf(service, ORGANIZATION_KEY)
  const owner = newOwner()
  const { id } = (await create({ address: owner.address })).body
  const { challenge, expiresAt } = (await prove(id)).body
  const signature = await owner.signMessage({ message: challenge! })
  const end = Date.parse(expiresAt!)
  t.true(end - service.now() > 9 * 60_000)
  t.true(end - service.now() <= 20 * 60_000)
  service.setClock(end + 1)
  t.deepEqual(failureOf(await prove(id, signature)), { status: 400, code: 'VALIDATION_ERROR' })
  service.setClock(end - 1000)
  t.deepEqual((await prove(id, signature)).body, { proved: true })
})

test('only wallets of the organization at EVM addresses can be proved', async (t) => {
  const service = await start(t)
  const { create, prove } = callsOf(service, ORGANIZATION_KEY)
  const foreign = callsOf(service, (await newOrganization(service)).key)
  const { id } = (await create({ address: randomAddress() })).body
  t.deepEqual(failureOf(await foreign.prove(id)), { status: 404, code: 'NOT_FOUND' })
  t.deepEqual(failureOf(await foreign.prove(id, '0x00')), { status: 404, code: 'NOT_FOUND' })
  const solana = (await create({ chainType: 'SOLANA', address: randomSolanaAddress() })).body
  t.deepEqual(failureOf(await prove(solana.id)), { status: 400, code: 'INVALID_STATUS' })
})

test('a wallet at an address that another organization has proved gets no permit any more', async (t) => {
  const service = await start(t)
  const owner = newOwner()
  const other = callsOf(service, (await newOrganization(service)).key)
  const wallet = { custodyType: 'EXTERNAL', address: owner.address }
  const agent = await fundedAgent(service.client, { wallet })
  const asked = (await ask(service.client, agent.key, 5)).body
  const { id } = (await other.create(wallet)).body
  const message = (await other.prove(id)).body.challenge!
  t.is((await other.prove(id, await owner.signMessage({ message }))).status, 200)
  const approve = (path: string, body?: object) => service.client.post(`/api/sdk/payments/${path}`, agent.key, body)
  const refused = { status: 400, code: 'WALLET_CONFIG_ERROR' }
  t.deepEqual(failureOf(await approve(`${asked.requestId}/approve`)), refused)
  const direct = {
    amount: 5,
    recipientAddress: randomAddress(),
    senderAddress: owner.address,
    chainId: '84532',
  }
  t.deepEqual(failureOf(await approve('approve', direct)), refused)
})

const SLOT = { BURSAR_PROVIDER_A: 'http-signer', BURSAR_PROVIDER_A_URL: 'http://127.0.0.1:9' }

test('a slot without an owner makes wallets for one organization, and for none as soon as there are two', async (t) => {
  const service = await start(t, { env: SLOT })
  const own = callsOf(service, ORGANIZATION_KEY)
  const given = { custodyType: 'PROVIDER_A', address: randomAddress() }
  t.is((await own.create(given)).status, 201)
  const ready = await service.client.get<{ status: string; warnings?: string[] }>('/readyz', '')
  t.deepEqual([ready.body.status, ready.body.warnings], ['ready', undefined])
  const other = callsOf(service, (await newOrganization(service)).key)
  for (const { create } of [own, other]) {
    for (const more of [{ address: randomAddress() }, { address: undefined }]) {
      const refused = await create({ ...given, ...more })
      t.deepEqual(failureOf(refused), { status: 400, code: 'WALLET_CONFIG_ERROR' })
      t.regex(refused.body.error, /PROVIDER_A has no owner.*BURSAR_PROVIDER_A_ORGANIZATION/)
    }
  }
  t.is((await own.create(given)).status, 200, 'it exists already')
  t.is((await own.create({ custodyType: 'EXTERNAL', address: randomAddress() })).status, 201)
  const { body } = await service.client.get<Readiness>('/readyz', '')
  t.is(body.status, 'ready')
  t.regex(body.warnings!.join(), /^PROVIDER_A has no owner.*BURSAR_PROVIDER_A_ORGANIZATION$/)
  const metrics = await fetch(`${service.url}/metrics`)
  t.regex(await metrics.text(), /^bursar_warnings 1$/m)
  await service.restart()
  t.true(service.logged.some((line) => line.startsWith('something needs attention')))
})

test('a slot with an owner makes wallets, and pays, for that organization alone', async (t) => {
  const first = await start(t)
  const { id } = (await first.client.get<{ id: string }>('/api/organization', ORGANIZATION_KEY)).body
  const stranger = await newOrganization(first)
  // Made while the slot was not configured, which pays nothing.
  const contested = { custodyType: 'PROVIDER_A', address: randomAddress() }
  t.is((await callsOf(first, stranger.key).create(contested)).status, 201)
  await first.stop()
  const env = { ...SLOT, BURSAR_PROVIDER_A_ORGANIZATION: id }
  const service = await start(t, { folder: first.folder, env })
  const [own, other] = [callsOf(service, ORGANIZATION_KEY), callsOf(service, stranger.key)]
  t.is((await own.create(contested)).status, 201)
  const refused = await other.create({ ...contested, address: randomAddress() })
  t.deepEqual(failureOf(refused), { status: 400, code: 'WALLET_CONFIG_ERROR' })
  t.regex(refused.body.error, /PROVIDER_A serves another organization/)
  const agent = await fundedAgent(service.client, { wallet: { ...contested, address: randomAddress() } })
  t.is((await ask(service.client, agent.key, 5, { autoExecute: true })).body.status, 'EXECUTED')
  await service.stop()
  const renamed = await start(t, {
    folder: first.folder,
    env: { ...SLOT, BURSAR_PROVIDER_A_ORGANIZATION: stranger.id },
  })
  const asked = (await ask(renamed.client, agent.key, 5, { autoExecute: true })).body
  t.is(asked.status, 'APPROVED')
  t.is(asked.autoExecuteError?.code, 'WALLET_CONFIG_ERROR')
})

test('a slot without an owner pays, where there are several organizations, only from what was proved', async (t) => {
  const service = await start(t, { env: SLOT })
  const owner = newOwner()
  const { create, prove } = callsOf(service, ORGANIZATION_KEY)
  const agent = await fundedAgent(service.client, { wallet: { custodyType: 'PROVIDER_A', address: owner.address } })
  const pay = async () => (await ask(service.client, agent.key, 5, { autoExecute: true })).body
  t.is((await pay()).status, 'EXECUTED')
  await newOrganization(service)
  t.is((await pay()).autoExecuteError?.code, 'WALLET_CONFIG_ERROR')
  const { id } = (await create({ address: owner.address })).body
  const message = (await prove(id)).body.challenge!
  t.is((await prove(id, await owner.signMessage({ message }))).status, 200)
  t.is((await pay()).status, 'EXECUTED')
})
