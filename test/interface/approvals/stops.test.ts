// A burst of approvals and executions races a freeze, block or revocation: nothing is executed after that change's
// audit entry, and the status of each payment agrees with the audit log.
import test, { type ExecutionContext } from 'ava'
import { stateAfter } from '../../../src/domain/audit/entry.js'
import type { Json } from '../../../src/domain/values/canonical.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { delegationOf, type FundedAgent } from '../../support/payments.js'
import { randomAddress } from '../../support/commands.js'
import { HOUR_MS, NOON } from '../../support/policies.js'
import { NEEDS_PERSON, startApprovals, type ApprovalStage } from '../../support/approvals.js'
import type { AuditEntry, AuditEntryList } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})

type Sent = [method: string, path: string, body?: unknown]

interface Stop {
  what: string
  stop: (agent: FundedAgent, counterpartyId: string) => Sent
  /** Undefined where it affects no other test. */
  undo?: (agent: FundedAgent, counterpartyId: string) => Sent
  /** The action of its audit entry. */
  action: string
}

const STOPS: Stop[] = [
  {
    what: 'the agent is frozen',
    stop: ({ agentId }) => ['POST', `/api/agents/${agentId}/freeze`, { reason: 'Stolen key' }],
    action: 'agent.freeze',
  },
  {
    what: 'the agent is revoked',
    stop: ({ agentId }) => ['PATCH', `/api/agents/${agentId}`, { status: 'REVOKED' }],
    action: 'agent.revoke',
  },
  {
    what: 'the wallet is frozen',
    stop: ({ walletId }) => ['PATCH', `/api/wallets/${walletId}`, { status: 'FROZEN' }],
    action: 'wallet.freeze',
  },
  {
    what: 'the recipient is blocked',
    stop: (_, id) => ['POST', `/api/counterparties/${id}/block`, { reason: 'Fraud' }],
    action: 'counterparty.block',
  },
  {
    what: 'the delegation is revoked',
    stop: ({ agentId, walletId }) => ['DELETE', `/api/agents/${agentId}/wallets?walletId=${walletId}`],
    action: 'delegation.revoke',
  },
  {
    what: 'the organization is frozen',
    stop: () => ['POST', '/api/organization/freeze', { reason: 'Stolen keys' }],
    undo: () => ['POST', '/api/organization/unfreeze'],
    action: 'organization.freeze',
  },
]

async function entriesOf(query: string): Promise<AuditEntry[]> {
  return (await stage.must<AuditEntryList>('GET', `/api/audit-logs?limit=100&${query}`)).entries
}

for (const { what, stop, undo, action } of STOPS) {
  test.serial(`no payment in a burst of approvals and executions is executed after ${what}`, async (t) => {
    const agent = await stage.supervised()
    const recipientAddress = randomAddress()
    const { id } = await stage.must<{ id: string }>('POST', '/api/counterparties', {
      name: 'Paper',
      address: recipientAddress,
    })
    const many = [...Array(12).keys()]
    const waiting = await Promise.all(many.map(() => stage.waiting(agent, { recipientAddress, autoExecute: true })))
    const approved = await Promise.all(many.map(() => stage.ask(agent, 10, { recipientAddress })))
    const decideAndExecute = (some: number[]): Promise<unknown> =>
      Promise.all(
        some.flatMap((at) => [
          stage.decide(ORGANIZATION_KEY, waiting[at]!.approvalRequestId),
          stage.execute(agent, approved[at]!.requestId),
        ]),
      )
    await decideAndExecute(many.slice(0, 1))
    const before = decideAndExecute(many.slice(1, 6))
    const stopped = stage.must(...stop(agent, id))
    const after = decideAndExecute(many.slice(6, 11))
    await stopped
    await Promise.all([before, after, decideAndExecute(many.slice(11))])
    const [mark] = await entriesOf(`action=${action}`)
    const ids = [...waiting, ...approved].map(({ requestId }) => requestId)
    const executed = (await Promise.all(ids.map((one) => entriesOf(`resourceId=${one}`))))
      .flat()
      .filter(({ data }) => stateAfter(data as Json) === 'executed')
    t.true(executed.length >= 2 && executed.length < ids.length, `${executed.length} were executed`)
    t.deepEqual(
      executed.filter(({ sequence }) => sequence > mark!.sequence),
      [],
    )
    const records = await Promise.all(ids.map((one) => stage.must<{ status: string }>('GET', `/api/payments/${one}`)))
    t.is(records.filter(({ status }) => status === 'EXECUTED').length, executed.length)
    if (undo) await stage.must(...undo(agent, id))
  })
}

test.serial('a payment whose recipient is blocked while it waits is denied and its reservation released', async (t) => {
  const agent = await stage.supervised()
  const recipientAddress = randomAddress()
  const { id } = await stage.must<{ id: string }>('POST', '/api/counterparties', {
    name: 'Ink',
    address: recipientAddress,
  })
  const { approvalRequestId, requestId } = await stage.waiting(agent, { recipientAddress, autoExecute: true })
  await stage.must('POST', `/api/counterparties/${id}/block`, { reason: 'Fraud' })
  await stage.decide(ORGANIZATION_KEY, approvalRequestId)
  t.like(await stage.shown(agent, requestId), { status: 'DENIED' })
  t.like(await delegationOf(stage.client, agent), { spent: { day: 0 }, reserved: 0 })
  t.deepEqual(stage.logged, [])
})

const refusalOf = (code: string, error: string) => ({ error, code })
const PAUSED = 'The agent is PAUSED'

/** A payment whose execution was stopped by a pause that is over. */
async function stoppedOnce(t: ExecutionContext) {
  const agent = await stage.agent()
  const { requestId } = await stage.ask(agent, 150)
  await stage.must('PATCH', `/api/agents/${agent.agentId}`, { status: 'PAUSED' })
  t.like((await stage.execute(agent, requestId)).body, { code: 'INVALID_STATUS', error: PAUSED })
  t.like(await stage.shown(agent, requestId), { status: 'APPROVED', reasons: [PAUSED] })
  await stage.must('PATCH', `/api/agents/${agent.agentId}`, { status: 'ACTIVE' })
  return { agent, requestId, cancel: () => stage.client.post(`/api/sdk/payments/${requestId}/cancel`, agent.key) }
}

test.serial('what once stopped an execution is no reason for the expiry of its payment', async (t) => {
  const { agent, requestId, cancel } = await stoppedOnce(t)
  stage.setClock(NOON + HOUR_MS)
  const late = await stage.execute(agent, requestId)
  stage.setClock(NOON)
  t.deepEqual([late.status, late.body], [400, refusalOf('EXPIRED', 'Make a new request, this one has expired')])
  t.deepEqual((await cancel()).body, refusalOf('INVALID_STATUS', 'The payment is EXPIRED'))
  t.like(await stage.shown(agent, requestId), { status: 'EXPIRED', reasons: [] })
})

test.serial('what once stopped an execution is no reason for the cancellation of its payment', async (t) => {
  const { agent, requestId, cancel } = await stoppedOnce(t)
  t.like((await cancel()).body, { status: 'CANCELLED', reasons: [] })
  const late = await stage.execute(agent, requestId)
  t.deepEqual(late.body, refusalOf('INVALID_STATUS', 'The payment is CANCELLED'))
})

test.serial("what once stopped an execution is no reason to ask a person, nor for the person's denial", async (t) => {
  const { agent, requestId } = await stoppedOnce(t)
  await stage.assign((await stage.policy([NEEDS_PERSON])).id, agent)
  t.like((await stage.execute(agent, requestId)).body, { error: 'The payment is REQUIRES_APPROVAL' })
  const waiting = await stage.shown(agent, requestId)
  t.deepEqual(waiting.reasons, ['The amount 150 is above 100'])
  await stage.decide(ORGANIZATION_KEY, waiting.approvalRequestId!, 'DENIED')
  t.like(await stage.shown(agent, requestId), { status: 'DENIED', deniedBy: 'PERSON', violations: [] })
  t.is((await stage.traced(requestId)).trace.refusal, undefined)
})
