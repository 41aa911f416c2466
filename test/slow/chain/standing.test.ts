// A freeze or block that is complete before a transfer is signed stops the transfer, however far the payment got: it is
// APPROVED again, and nothing leaves the wallet.
import test, { type ExecutionContext } from 'ava'
import type { LocalChain } from '../../../src/cli/demo/localChain.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { execute, status } from '../../support/payments.js'
import type { Client } from '../../support/client.js'
import { Proxy } from './proxy.js'
import {
  approved,
  MICROS,
  newPayer,
  newRecipient,
  nonceOf,
  startChain,
  startLive,
  type Live,
  type Payer,
} from '../../support/chain.js'
import type { CounterpartyList } from '../../../sdk/api.js'

type Sent = [method: string, path: string, body?: object]

interface Stop {
  what: string
  says: RegExp
  stop: (payer: Payer, recipientId: string) => Sent
  undo: (payer: Payer, recipientId: string) => Sent
}

const STOPS: Stop[] = [
  {
    what: 'a freeze of the organization',
    says: /organization is frozen/,
    stop: () => ['POST', '/api/organization/freeze', { reason: 'Stolen keys' }],
    undo: () => ['POST', '/api/organization/unfreeze'],
  },
  {
    what: 'a freeze of the agent',
    says: /agent is not ACTIVE/,
    stop: ({ agentId }) => ['POST', `/api/agents/${agentId}/freeze`, { reason: 'Odd' }],
    undo: ({ agentId }) => ['POST', `/api/agents/${agentId}/unfreeze`],
  },
  {
    what: 'a frozen wallet',
    says: /wallet is not ACTIVE/,
    stop: ({ walletId }) => ['PATCH', `/api/wallets/${walletId}`, { status: 'FROZEN' }],
    undo: ({ walletId }) => ['PATCH', `/api/wallets/${walletId}`, { status: 'ACTIVE' }],
  },
  {
    what: 'a block of the recipient',
    says: /recipient is blocked/,
    stop: (_, recipientId) => ['POST', `/api/counterparties/${recipientId}/block`, { reason: 'Fraud' }],
    undo: (_, recipientId) => ['POST', `/api/counterparties/${recipientId}/unblock`],
  },
]

async function must(t: ExecutionContext, client: Client, [method, path, body]: Sent): Promise<void> {
  const answer = await client.send(method, path, ORGANIZATION_KEY, body)
  t.is(answer.status, 200, `${path} ${JSON.stringify(answer.body)}`)
}

async function recipientIdOf(client: Client, address: string): Promise<string> {
  const { body } = await client.get<CounterpartyList>('/api/counterparties', ORGANIZATION_KEY)
  return body.counterparties.find((one) => one.address.toLowerCase() === address)!.id
}

/** Holds the first of several parallel executions between its captures and its signature while `meanwhile` happens. */
async function executeWhile(live: Live, node: Proxy, payer: Payer, ids: string[], meanwhile: () => Promise<void>) {
  let happened: Promise<void> | undefined
  node.deed = ({ method }) => (method === 'eth_estimateGas' ? { before: () => (happened ??= meanwhile()) } : undefined)
  const answers = await Promise.all(ids.map((id) => execute(live.client, payer.key, id)))
  node.deed = () => undefined
  return answers
}

async function startBehind(t: ExecutionContext, chain: LocalChain): Promise<{ live: Live; node: Proxy }> {
  const node = await Proxy.open(t, chain.url)
  return { live: await startLive(t, chain, { BURSAR_RPC_31337: node.url }), node }
}

test('Nothing is signed after a freeze or block, and the stopped payments can be executed later', async (t) => {
  t.timeout(120_000)
  const chain = await startChain(t)
  if (!chain) return
  const { live, node } = await startBehind(t, chain)
  const { client } = live
  const payers: Payer[] = []
  for (const { what } of STOPS) payers.push(await newPayer(client, chain, { name: what }))
  for (const [index, { what, says, stop, undo }] of STOPS.entries()) {
    const payer = payers[index]!
    const recipient = newRecipient()
    const ids = [await approved(client, payer.key, 1, recipient), await approved(client, payer.key, 2, recipient)]
    const recipientId = await recipientIdOf(client, recipient)
    const answers = await executeWhile(live, node, payer, ids, () => must(t, client, stop(payer, recipientId)))
    for (const answer of answers) t.like(answer, { status: 400, body: { code: 'INVALID_STATUS' } }, what)
    t.true(
      answers.some(({ body }) => says.test((body as unknown as { error: string }).error)),
      JSON.stringify(answers[0]!.body),
    )
    await chain.mine(1)
    t.deepEqual([await nonceOf(chain, payer.address), await chain.balanceOf(recipient)], [0, 0], what)
    await must(t, client, undo(payer, recipientId))
    for (const id of ids) t.is((await status(client, payer.key, id)).body.status, 'APPROVED', what)
    t.is((await execute(client, payer.key, ids[1]!)).status, 200, what)
    await chain.mine(1)
    t.deepEqual([await nonceOf(chain, payer.address), await chain.balanceOf(recipient)], [1, 2 * MICROS], what)
  }
})
