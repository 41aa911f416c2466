// Answers of live executions under an idempotency key: what was answered first is answered again, also where the outcome
// was unknown then, and nothing is sent twice for it.
import test, { type ExecutionContext } from 'ava'
import type { LocalChain } from '../../../src/cli/demo/localChain.js'
import type { Client } from '../../support/client.js'
import { newFolder } from '../../support/process.js'
import { ask, execute, status } from '../../support/payments.js'
import { Proxy, type Call, type Deed } from './proxy.js'
import {
  approved,
  MICROS,
  newPayer,
  newRecipient,
  nonceOf,
  settled,
  startChain,
  startLive,
  type Live,
  type LivePayment,
  type Payer,
} from '../../support/chain.js'

const LOST: Deed = { answer: { status: 502 } }

/** A node that takes a transaction, answers 502, and 502 to all that is asked after it. */
function losing(): (call: Call) => Deed | undefined {
  let isSent = false
  return ({ method }) => {
    isSent ||= method === 'eth_sendRawTransaction'
    return isSent ? LOST : undefined
  }
}

interface World extends Live {
  payer: Payer
  node: Proxy
  recipient: string
  /** Kills the service. */
  kill(): Promise<unknown>
  /** Starts it again on the same folder. */
  restarted(): Promise<Client>
}

async function newWorld(t: ExecutionContext, chain: LocalChain): Promise<World> {
  const node = await Proxy.open(t, chain.url)
  const folder = newFolder(t)
  const env = { BURSAR_RPC_31337: node.url }
  const live = await startLive(t, chain, env, folder)
  const payer = await newPayer(live.client, chain, { balance: 100 })
  const restarted = async (): Promise<Client> => {
    await live.service.stop()
    return (await startLive(t, chain, env, folder)).client
  }
  return { ...live, payer, node, recipient: newRecipient(), kill: () => live.service.kill(), restarted }
}

type Asked = LivePayment & { code?: string; execution?: object }
/** Ways to have a payment executed, each under one idempotency key. */
const WAYS: [title: string, begin: (world: World) => Promise<(client: Client) => ReturnType<typeof repeatable>>][] = [
  [
    'an execution',
    async ({ client, payer, recipient }) => {
      const requestId = await approved(client, payer.key, 40, recipient)
      return (by) => repeatable(by, `/api/sdk/payments/${requestId}/execute`, payer)
    },
  ],
  [
    'a request that is executed at once',
    async ({ payer, recipient }) =>
      (by) =>
        repeatable(by, '/api/sdk/payments/request', payer, {
          amount: 40,
          recipientAddress: recipient,
          autoExecute: true,
        }),
  ],
]

function repeatable(client: Client, path: string, { key }: Payer, body?: object) {
  return client.post<Asked>(path, key, body, { 'Idempotency-Key': 'once' })
}

for (const [title, begin] of WAYS) {
  test(`The answer to ${title} whose outcome was unknown stays the answer, and one transfer is made`, async (t) => {
    t.timeout(120_000)
    const chain = await startChain(t)
    if (!chain) return
    const world = await newWorld(t, chain)
    const { client, payer, node, recipient } = world
    const send = await begin(world)
    node.deed = losing()
    const first = await send(client)
    t.like(first, { status: 200, body: { status: 'EXECUTING' } })
    t.is(first.headers['idempotency-replayed'], undefined)
    const { requestId } = first.body
    const repeated = async (by: Client): Promise<void> => {
      const again = await send(by)
      t.deepEqual([again.status, again.body], [first.status, first.body])
      t.is(again.headers['idempotency-replayed'], 'true')
    }
    await repeated(client)
    const later = await world.restarted()
    await repeated(later)
    t.is((await status(later, payer.key, requestId)).body.status, 'EXECUTING')
    node.deed = () => undefined
    const done = await settled({ chain, client: later }, payer.key, requestId)
    t.is(done.status, 'EXECUTED')
    await repeated(later)
    t.like(await execute(later, payer.key, requestId), { status: 409, body: { code: 'ALREADY_EXECUTED' } })
    t.is(await chain.balanceOf(recipient), 40 * MICROS)
    t.is(await nonceOf(chain, payer.address), 1)
    t.is((await ask(later, payer.key, 60, { recipientAddress: recipient })).body.status, 'APPROVED')
  })
}

test('An execution that a kill interrupts has no recorded answer, and its transfer is made once', async (t) => {
  t.timeout(120_000)
  const chain = await startChain(t)
  if (!chain) return
  const world = await newWorld(t, chain)
  const { client, payer, node, recipient } = world
  const requestId = await approved(client, payer.key, 40, recipient)
  const send = (by: Client) => repeatable(by, `/api/sdk/payments/${requestId}/execute`, payer)
  node.deed = ({ method }) => (method === 'eth_sendRawTransaction' ? { before: world.kill } : undefined)
  await t.throwsAsync(send(client))
  node.deed = () => undefined
  const later = await world.restarted()
  const again = await send(later)
  t.like(again, { status: 409, body: { code: 'ALREADY_EXECUTED' } })
  t.is(again.headers['idempotency-replayed'], undefined)
  await settled({ chain, client: later }, payer.key, requestId)
  t.is(await chain.balanceOf(recipient), 40 * MICROS)
  t.is(await nonceOf(chain, payer.address), 1)
})
