// Kills the service in every window between a payment's reservation and the end of its transfer, repeatedly with one
// folder and one chain: the transfer is in the chain once, and the nonces have no gap.
import test, { type ExecutionContext } from 'ava'
import type { LocalChain } from '../../../src/cli/demo/localChain.js'
import { keccak256, type Hex } from 'viem'
import { newClient, type Client } from '../../support/client.js'
import { runs } from '../../support/depth.js'
import { newFolder, startService, wholeFile, type Service } from '../../support/process.js'
import { ask, EVERY_DAY, execute, made, status } from '../../support/payments.js'
import { Proxy, type Call, type Deed } from './proxy.js'
import {
  MICROS,
  newPayer,
  newRecipient,
  nonceOf,
  settled,
  startChain,
  submitted,
  until,
  wallet,
  type Payer,
} from '../../support/chain.js'
import type { PaymentList } from '../../../sdk/api.js'

/** `npm run stress` sets 25. */
const ROUNDS = runs(2)
/** The second of anvil's own accounts, for which it signs on request. */
const ANVILS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** The confirmed depth of the local chain. */
const CONFIRMATIONS = 2
/** Tokens for all rounds of all windows. */
const PLENTY = 100_000
const FOR_EVER = new Promise<never>(() => {})

interface Stage {
  chain: LocalChain
  node: Proxy
  folder: string
  env: { [name: string]: string }
  service: Service
  payer: Payer
  /** Its key is held by an external signer. */
  remotePayer: Payer
}

/** What identifies the calls of one payment. */
interface Subject {
  payer: Payer
  recipient: string
  /** The hash of its transfer, once that is sent. */
  hash?: Hex
}

interface Window {
  title: string
  /** The call at which the service is killed; without one, it is killed when the transaction has its status. */
  at?: (call: Call, of: Subject) => boolean
  /** The node receives the call before the kill. */
  heard?: boolean
  /** The statuses of the payment and its transaction at the kill, as far as they exist. */
  shows: [status?: string, transaction?: string]
  /** Whether the transfer is in a block at the kill. */
  mined?: boolean
  /** What happens to the chain while the service is down. */
  meanwhile?: (chain: LocalChain) => Promise<unknown>
  /** The payer is the one with the external signer. */
  remote?: boolean
}

const bare = (address: string): string => address.slice(2).toLowerCase()

/** A read of the wallet's balance, which a request causes before it reserves anything. */
function readsBalanceOf({ method, params }: Call, { address }: Payer): boolean {
  const [{ data = '' } = {}, block] = params as [{ data?: string }?, string?]
  return method === 'eth_call' && data.includes(bare(address)) && block !== 'latest'
}

const counts = ({ method, params }: Call, { payer }: Subject): boolean =>
  method === 'eth_getTransactionCount' && bare(String(params[0])) === bare(payer.address)

/** Signed bytes contain the calldata verbatim. */
const sends = ({ method, params }: Call, { recipient }: Subject): boolean =>
  method === 'eth_sendRawTransaction' && String(params[0]).includes(bare(recipient))

const signs = ({ method, params }: Call, { recipient }: Subject): boolean =>
  method === 'eth_signTransaction' && (params[0] as { data: string }).data.includes(bare(recipient))

const findsReceipt = ({ method, params }: Call, { hash }: Subject): boolean =>
  method === 'eth_getTransactionReceipt' && params[0] === hash

const WINDOWS: Window[] = [
  { title: 'before the reservation', at: (call, { payer }) => readsBalanceOf(call, payer), shows: [] },
  { title: 'between reservation and signing', at: counts, shows: ['EXECUTING'] },
  { title: 'between signing and storing', at: signs, heard: true, remote: true, shows: ['EXECUTING'] },
  { title: 'between storing and sending', at: sends, shows: ['EXECUTING', 'PENDING'] },
  { title: 'between sending and the answer', at: sends, heard: true, shows: ['EXECUTING', 'PENDING'], mined: true },
  {
    title: 'between its block and the record of it',
    at: findsReceipt,
    heard: true,
    shows: ['EXECUTED', 'SUBMITTED'],
    mined: true,
  },
  { title: 'after it is recorded as sent', shows: ['EXECUTED', 'SUBMITTED'], mined: true },
  {
    title: 'after its confirmation, with its block reorganized away',
    shows: ['EXECUTED', 'CONFIRMED'],
    mined: true,
    meanwhile: leaveBlocks,
  },
]

/** Reorganizes deeper than the confirmed depth and drops the transactions of the blocks. */
function leaveBlocks(chain: LocalChain): Promise<unknown> {
  return chain.rpc('anvil_reorg', [6, []])
}

const file = wholeFile(test)
let stage: Stage | undefined

for (const window of WINDOWS) {
  test.serial(`A transfer is made once when the service is killed ${window.title}, ${ROUNDS} times`, async (t) => {
    t.timeout(60_000 + ROUNDS * 20_000)
    stage ??= await setUp(t)
    if (!stage) return
    for (let round = 0; round < ROUNDS; round += 1) await play(t, stage, window, round)
  })
}

test.serial('A key used before a kill, whose answer was not stored, is refused with another body', async (t) => {
  stage ??= await setUp(t)
  if (!stage) return
  const { payer, node, chain } = stage
  const recipientAddress = newRecipient()
  const body = { recipientAddress, idempotencyKey: 'of-one-body', autoExecute: true }
  let isDead = false
  const kill = async (): Promise<never> => {
    await stage!.service.kill()
    isDead = true
    return FOR_EVER
  }
  node.deed = (call) => (sends(call, { payer, recipient: recipientAddress }) ? { before: kill } : undefined)
  void ask(newClient(t, stage.service.url), payer.key, 7, body).catch(() => {})
  await until(async () => isDead || undefined, 'nobody was killed')
  node.deed = () => undefined
  stage.service = await startService(file, stage.folder, { env: stage.env })
  const client = newClient(t, stage.service.url)
  const { walletId } = stage.remotePayer
  await made(client, `/api/agents/${payer.agentId}/wallets`, { walletId, allowedDays: EVERY_DAY })
  const others = [{ purpose: 'Another' }, { recipientAddress: newRecipient() }, { walletId }]
  for (const other of others.map((part) => ({ ...body, ...part }))) {
    t.like(await ask(client, payer.key, 7, other), { status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } })
  }
  t.like(await ask(client, payer.key, 8, body), { status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } })
  const again = await ask(client, payer.key, 7, body)
  t.is(again.status, 200)
  await settled({ chain, client }, payer.key, again.body.requestId)
  t.is(await chain.balanceOf(recipientAddress), 7 * MICROS)
})

async function setUp(t: ExecutionContext): Promise<Stage | undefined> {
  const chain = await startChain(t, [], file)
  if (!chain) return undefined
  const node = await Proxy.open(file, chain.url)
  const signer = { BURSAR_PROVIDER_A: 'http-signer', BURSAR_PROVIDER_A_URL: node.url }
  const env = { ...chain.settings, BURSAR_RPC_31337: node.url, ...signer }
  const folder = newFolder(file)
  const service = await startService(file, folder, { env })
  const client = newClient(file, service.url)
  const payer = await newPayer(client, chain, { name: 'Here', balance: PLENTY })
  const theirs = { custodyType: 'PROVIDER_A', address: ANVILS }
  const remotePayer = await newPayer(client, chain, { name: 'There', balance: PLENTY, wallet: theirs })
  // So that no later reorganization drops the funding of the wallets.
  await chain.mine(12)
  return { chain, node, folder, env, service, payer, remotePayer }
}

async function play(t: ExecutionContext, stage: Stage, window: Window, round: number): Promise<void> {
  const { chain } = stage
  const payer = payerOf(stage, window)
  const nonce = await nonceOf(chain, payer.address)
  const recipient = newRecipient()
  const amount = round + 1
  const body = { recipientAddress: recipient, idempotencyKey: `payment-${WINDOWS.indexOf(window)}-${round}` }
  await untilKilled(t, stage, window, amount, body)
  t.is((await chain.balanceOf(recipient)) > 0, window.mined === true, 'it is in a block at the kill')
  await window.meanwhile?.(chain)
  stage.service = await startService(file, stage.folder, { env: stage.env })
  const client = newClient(t, stage.service.url)
  const { requestId, status: found } = (await ask(client, payer.key, amount, body)).body
  t.true(['APPROVED', 'EXECUTING', 'EXECUTED'].includes(found), found)
  const again = await execute(client, payer.key, requestId)
  t.true(again.status === 200 || again.status === 409, JSON.stringify(again.body))
  const done = await settled({ chain, client }, payer.key, requestId)
  await until(async () => {
    if ((await chain.balanceOf(recipient)) > 0) return true
    await chain.mine(1)
    return undefined
  }, 'the transfer is not in the chain')
  t.is(done.status, 'EXECUTED')
  t.is(await chain.balanceOf(recipient), amount * MICROS)
  t.is(await nonceOf(chain, payer.address), nonce + 1)
}

function payerOf({ payer, remotePayer }: Stage, { remote = false }: Window): Payer {
  return remote ? remotePayer : payer
}

interface Wanted {
  recipientAddress: string
  idempotencyKey: string
}

/** Requests and executes a payment; when it returns, the service is dead. */
async function untilKilled(
  t: ExecutionContext,
  stage: Stage,
  window: Window,
  amount: number,
  body: Wanted,
): Promise<void> {
  const { node, chain } = stage
  const payer = payerOf(stage, window)
  const client = newClient(t, stage.service.url)
  await forgetBalance(stage, client)
  let isDead = false
  const kill = async (): Promise<never> => {
    const shown = await shownOf(client, payer, body)
    t.deepEqual(shown, window.shows, `what is shown at the kill ${window.title}`)
    await stage.service.kill()
    isDead = true
    return FOR_EVER
  }
  const of: Subject = { payer, recipient: body.recipientAddress }
  let isMet = false
  node.deed = (call): Deed | undefined => {
    if (sends(call, of)) of.hash = keccak256(call.params[0] as Hex)
    if (isMet || window.at?.(call, of) !== true) return undefined
    isMet = true
    return window.heard === true ? { after: kill } : { before: kill }
  }
  const asked = ask(client, payer.key, amount, body).then(({ body: { requestId } }) => requestId)
  void asked.then((requestId) => execute(client, payer.key, requestId)).catch(() => {})
  if (window.at === undefined) {
    if (window.shows[1] === 'SUBMITTED') await submitted(client, payer.key, await asked)
    else await settled({ chain, client }, payer.key, await asked)
    void kill()
  }
  await until(async () => isDead || undefined, `nobody was killed ${window.title}`)
  node.deed = () => undefined
}

/** Makes the next request read the balance: there is a new block, and the service knows it. */
async function forgetBalance({ chain, node, remotePayer: other }: Stage, client: Client): Promise<void> {
  await chain.mine(1)
  const head = Number(await chain.rpc<string>('eth_blockNumber'))
  const isKnown = (call: Call): boolean => readsBalanceOf(call, other) && Number(call.params[1]) > head - CONFIRMATIONS
  await until(async () => {
    await wallet(client, other.walletId)
    return node.calls.some(isKnown) || undefined
  }, 'the new block is not known')
}

/** The statuses of the payment and its transaction, as far as they exist. */
async function shownOf(client: Client, { key }: Payer, { idempotencyKey }: Wanted): Promise<string[]> {
  const { body } = await client.get<PaymentList>(`/api/sdk/payments?idempotencyKey=${idempotencyKey}`, key)
  const [found] = body.payments
  if (!found) return []
  const { status: shown, transaction } = (await status(client, key, found.id)).body
  return transaction ? [shown, transaction.status] : [shown]
}
