// Kills the service in every window between a payment's reservation and the end of its transfer, again and again over one
// folder and one chain: the transfer is in the chain once, and the nonces have no gap.
import test, { type ExecutionContext } from 'ava'
import type { LocalChain } from '../../src/cli/demo/localChain.js'
import { newClient } from '../service/client.js'
import { newFolder, startService, wholeFile, type Service } from '../service/service.js'
import { ask, execute, status } from '../service/setup.js'
import { Proxy, type Call, type Deed } from './proxy.js'
import { MICROS, newPayer, newRecipient, nonceOf, settled, startChain, until, type Live, type Payer } from './stage.js'

/** `npm run stress` asks for 25. */
const ROUNDS = Number(process.env['LIVE_KILLS'] ?? 2)
/** The first of anvil's own accounts but one; it signs for it when it is asked to. */
const ANVILS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const FOR_EVER = new Promise<never>(() => {})

interface Stage {
  chain: LocalChain
  node: Proxy
  folder: string
  env: { [name: string]: string }
  service: Service
  payer: Payer
  /** Its key is held by somebody else. */
  remotePayer: Payer
}

interface Window {
  title: string
  /** The call at which the service is killed, and what becomes of the call. */
  at?: (call: Call) => boolean
  /** The node hears of the call before the kill. */
  heard?: boolean
  /** Killed after the payment's transaction shows this. */
  after?: string
  /** What happens to the chain while the service is away. */
  meanwhile?: (chain: LocalChain) => Promise<unknown>
  /** Keys are held by somebody else. */
  remote?: boolean
}

const isCall = (method: string) => (call: Call): boolean => call.method === method

const WINDOWS: Window[] = [
  { title: 'before it is reserved', at: isCall('eth_blockNumber') },
  { title: 'when it is reserved and not signed', at: isCall('eth_getTransactionCount') },
  { title: 'when it is signed and not stored', at: isCall('eth_signTransaction'), heard: true, remote: true },
  { title: 'when it is stored and not sent', at: isCall('eth_sendRawTransaction') },
  { title: 'when it is sent and not answered', at: isCall('eth_sendRawTransaction'), heard: true },
  { title: 'when it is in a block and that is not recorded', at: isCall('eth_getTransactionReceipt'), heard: true },
  { title: 'when it is recorded as sent and nobody was told', after: 'SUBMITTED' },
  { title: 'when it is confirmed, and the chain leaves that block', after: 'CONFIRMED', meanwhile: leaveBlocks },
]

/** Deeper than transfers have to be to count; what was in the blocks is forgotten. */
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

async function setUp(t: ExecutionContext): Promise<Stage | undefined> {
  const chain = await startChain(t, [], file)
  if (!chain) return undefined
  const node = await Proxy.open(file, chain.url)
  const signer = { BURSAR_PROVIDER_A: 'http-signer', BURSAR_PROVIDER_A_URL: node.url }
  const env = { ...chain.settings, BURSAR_RPC_31337: node.url, ...signer }
  const folder = newFolder(file)
  const service = await startService(file, folder, { env })
  const client = newClient(file, service.url)
  const payer = await newPayer(client, chain, { name: 'Here' })
  const remotePayer = await newPayer(client, chain, { name: 'There', wallet: { custodyType: 'PROVIDER_A', address: ANVILS } })
  // So that no block that is left later holds what funds the wallet.
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

/** Asks and executes; when it returns, the service is dead. */
async function untilKilled(t: ExecutionContext, stage: Stage, window: Window, amount: number, body: object): Promise<void> {
  const { node, chain } = stage
  const payer = payerOf(stage, window)
  const client = newClient(t, stage.service.url)
  let isDead = false
  const kill = (): Promise<never> => {
    void stage.service.kill().then(() => (isDead = true))
    return FOR_EVER
  }
  let isMet = false
  node.deed = (call): Deed | undefined => {
    if (isMet || window.at?.(call) !== true) return undefined
    isMet = true
    return window.heard === true ? { after: kill } : { before: kill }
  }
  const asked = ask(client, payer.key, amount, body).then(({ body: { requestId } }) => requestId)
  void asked.then((requestId) => execute(client, payer.key, requestId)).catch(() => {})
  if (window.after !== undefined) {
    await reached({ chain, client, payer }, await asked, window.after)
    void kill()
  }
  await until(async () => isDead || undefined, `nobody was killed ${window.title}`)
  node.deed = () => undefined
}

async function reached({ chain, client, payer }: Pick<Live, 'chain' | 'client'> & { payer: Payer }, requestId: string, wanted: string) {
  if (wanted === 'CONFIRMED') return settled({ chain, client }, payer.key, requestId)
  return until(async () => (await status(client, payer.key, requestId)).body.transaction, wanted)
}
