// The setup of the Inspect tests: a service with a payment of each kind of course.
import type { Client } from '../../support/client.js'
import { ORGANIZATION_KEY, type Scope } from '../../support/process.js'
import { ask, fundedAgent, made, RECIPIENT, type FundedAgent, type Key } from '../../support/payments.js'
import { start, type Started } from '../../support/service.js'
import type { CounterpartyLookup } from '../../../sdk/api.js'

export interface Stage {
  service: Started
  buyer: FundedAgent
  /** Reads JSON with the organization's key; throws on any other status. */
  read<Body>(path: string, status?: number): Promise<Body>
  /** The ids of the payments by their course. */
  payments: { [course: string]: string }
}

const NOON = Date.parse('2031-07-09T12:00:00Z')

export async function openStage(scope: Scope): Promise<Stage> {
  const env = { BURSAR_RATE_LIMITS: 'off' }
  const service = await start(scope, { at: NOON, env })
  const buyer = await fundedAgent(service.client, { name: 'Buyer', terms: { delegationType: 'FULL' } })
  const read = async <Body>(path: string, status = 200): Promise<Body> => {
    const answer = await service.client.get<Body>(path, ORGANIZATION_KEY)
    if (answer.status !== status) throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return { service, buyer, read, payments: await paymentsOf(service.client, buyer) }
}

/** Requests a payment with autoExecute, by a key that may not execute. */
async function byAKeyThatMayNot(client: Client, { agentId }: FundedAgent): Promise<string> {
  const body = { name: 'Asks only', scopes: ['payments:request'] }
  const { key } = await made<Key>(client, `/api/agents/${agentId}/sdk-keys`, body)
  return (await ask(client, key, 7, { autoExecute: true })).body.requestId
}

async function paymentsOf(client: Client, buyer: FundedAgent): Promise<Stage['payments']> {
  await made(client, '/api/policies', {
    name: 'Person above 100',
    policyType: 'APPROVAL_THRESHOLD',
    rules: [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 100 }],
    agentIds: [buyer.agentId],
  })
  const asked = async (amount: number, more = {}) => (await ask(client, buyer.key, amount, more)).body
  const sent = (id: string, what: string) => client.post(`/api/sdk/payments/${id}/${what}`, buyer.key)
  const decide = async (decision: string, more = {}) => {
    const { requestId, approvalRequestId } = (await asked(150, more)) as {
      requestId: string
      approvalRequestId?: string
    }
    await made(client, `/api/approval-requests/${approvalRequestId}/decision`, { decision })
    return requestId
  }
  const [atOnce, inTwo, cancelled, open] = [
    (await asked(1, { autoExecute: true })).requestId,
    (await asked(2)).requestId,
    (await asked(3)).requestId,
    (await asked(4)).requestId,
  ]
  await sent(inTwo, 'execute')
  await sent(cancelled, 'cancel')
  const stopped = (await asked(5)).requestId
  await made(client, `/api/agents/${buyer.agentId}/freeze`, { reason: 'Test' })
  await sent(stopped, 'execute')
  await made(client, `/api/agents/${buyer.agentId}/unfreeze`, {})
  const blocked = (await asked(6)).requestId
  const { counterparty } = (
    await client.get<CounterpartyLookup>(`/api/counterparties/lookup?address=${RECIPIENT}`, ORGANIZATION_KEY)
  ).body
  await made(client, `/api/counterparties/${counterparty!.id}/block`, { reason: 'Test' })
  await sent(blocked, 'execute')
  await made(client, `/api/counterparties/${counterparty!.id}/unblock`, undefined)
  return {
    atOnce,
    inTwo,
    cancelled,
    open,
    stopped,
    blocked,
    refused: (await asked(100_000_000)).requestId,
    approved: await decide('APPROVED', { autoExecute: true }),
    denied: await decide('DENIED'),
    mayNot: await byAKeyThatMayNot(client, buyer),
  }
}
