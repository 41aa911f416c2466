// What a refused execution records of its causes: on the payment, and in the log once for each cause.
import test, { type ExecutionContext } from 'ava'
import { deliver } from '../../../src/actor/host.js'
import { updateAgent } from '../../../src/commands/agents/agents.js'
import { executePayment } from '../../../src/commands/payments/payments.js'
import type { Services } from '../../../src/commands/ports.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import { SETTLEMENT } from '../../../src/domain/audit/entry.js'
import { readableEntry } from '../../../src/domain/audit/forms.js'
import type { Ref } from '../../../src/domain/limits/gate.js'
import { WEEKDAYS } from '../../../src/domain/time/timezone.js'
import { addressOf, done, newOrganization, openBare, randomAddress } from '../../support/commands.js'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { delegationOf, type FundedAgent } from '../../support/payments.js'
import type { AuditEntry, AuditEntryList } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})

type Sent = [method: string, path: string, body?: unknown]

/** What stops an execution, and what the payment then says. */
interface Stop {
  what: string
  stop: (agent: FundedAgent) => Sent
  undo: (agent: FundedAgent) => Sent
  /** The kind of the gate. */
  by: string
  type: string
  code: string
  /** The status of the payment after it. */
  status: 'APPROVED' | 'DENIED'
}

const agentAt = ({ agentId }: FundedAgent): string => `/api/agents/${agentId}`
const walletAt = ({ walletId }: FundedAgent): string => `/api/wallets/${walletId}`
const termsAt = ({ agentId, walletId }: FundedAgent): string => `/api/agents/${agentId}/wallets/${walletId}`

const PAUSED: Stop = {
  what: 'a paused agent',
  stop: (agent) => ['PATCH', agentAt(agent), { status: 'PAUSED' }],
  undo: (agent) => ['PATCH', agentAt(agent), { status: 'ACTIVE' }],
  by: 'agent',
  type: 'AGENT_NOT_ACTIVE',
  code: 'INVALID_STATUS',
  status: 'APPROVED',
}
const FROZEN_WALLET: Stop = {
  what: 'a frozen wallet',
  stop: (agent) => ['PATCH', walletAt(agent), { status: 'FROZEN' }],
  undo: (agent) => ['PATCH', walletAt(agent), { status: 'ACTIVE' }],
  by: 'wallet',
  type: 'WALLET_NOT_ACTIVE',
  code: 'INVALID_STATUS',
  status: 'APPROVED',
}
const FROZEN_ORGANIZATION: Stop = {
  what: 'a frozen organization',
  stop: () => ['POST', '/api/organization/freeze', { reason: 'Look' }],
  undo: () => ['POST', '/api/organization/unfreeze'],
  by: 'organization',
  type: 'AGENT_NOT_ACTIVE',
  code: 'INVALID_STATUS',
  status: 'APPROVED',
}
const LOWERED: Stop = {
  what: 'a lowered limit',
  stop: (agent) => ['PATCH', termsAt(agent), { spendLimitPerTx: 10 }],
  undo: (agent) => ['PATCH', termsAt(agent), { spendLimitPerTx: 1_000 }],
  by: 'delegation',
  type: 'PER_TX_LIMIT',
  code: 'LIMIT_EXCEEDED',
  status: 'DENIED',
}
const STOPS = [PAUSED, FROZEN_WALLET, FROZEN_ORGANIZATION, LOWERED]

/** The entries of a payment after its first, oldest first. */
async function entriesOf(requestId: string): Promise<AuditEntry[]> {
  const { entries } = await stage.must<AuditEntryList>('GET', `/api/audit-logs?limit=100&resourceId=${requestId}`)
  return entries.toReversed().slice(1)
}

const typesIn = (causes: unknown): string[] => (causes as { type: string }[]).map(({ type }) => type)

/** The causes and the gate that an entry says the payment has from now on. */
const changesIn = ({ data }: AuditEntry) => data as { [field: string]: { to: unknown } | undefined }

function stoppedIn(entry: AuditEntry) {
  const { action } = entry
  const { causes, refusedBy } = changesIn(entry)
  return { action, types: causes && typesIn(causes.to), by: refusedBy?.to }
}

for (const { what, stop, undo, by, type, code, status } of STOPS) {
  test.serial(`an execution that ${what} stops is recorded once with its cause and its gate`, async (t) => {
    const agent = await stage.agent({ terms: { spendLimitPerTx: 1_000 } })
    const { requestId } = await stage.ask(agent, 50)
    await stage.must(...stop(agent))
    const answers = [await stage.execute(agent, requestId), await stage.execute(agent, requestId)]
    t.deepEqual(
      answers.map(({ body }) => (body as unknown as { code: string }).code),
      [code, status === 'DENIED' ? 'INVALID_STATUS' : code],
    )
    t.like(await stage.shown(agent, requestId), { status, autoExecuteError: undefined as never })
    t.deepEqual((await entriesOf(requestId)).map(stoppedIn), [{ action: 'payment.attempt', types: [type], by }])
    t.is((await delegationOf(stage.client, agent)).reserved, status === 'APPROVED' ? 50 : 0)
    await stage.must(...undo(agent))
    if (status === 'DENIED') return
    t.is((await stage.execute(agent, requestId)).status, 200)
    const [, executed] = await entriesOf(requestId)
    t.deepEqual(stoppedIn(executed!), { action: 'payment.execute', types: [], by: undefined })
  })
}

test.serial('another cause is recorded in place of the one before, and the first again after it', async (t) => {
  const agent = await stage.agent()
  const { requestId } = await stage.ask(agent, 50)
  for (const [first, second] of [
    [PAUSED, FROZEN_WALLET],
    [FROZEN_WALLET, PAUSED],
  ] as const) {
    await stage.must(...first.stop(agent))
    await stage.execute(agent, requestId)
    await stage.must(...first.undo(agent))
    await stage.must(...second.stop(agent))
    await stage.execute(agent, requestId)
    await stage.must(...second.undo(agent))
  }
  t.deepEqual((await entriesOf(requestId)).map(stoppedIn), [
    { action: 'payment.attempt', types: ['AGENT_NOT_ACTIVE'], by: 'agent' },
    { action: 'payment.attempt', types: ['WALLET_NOT_ACTIVE'], by: 'wallet' },
    { action: 'payment.attempt', types: ['AGENT_NOT_ACTIVE'], by: 'agent' },
  ])
})

/** A payment that would be executed with its approval, and was not. */
async function approvedUnder(t: ExecutionContext, { stop, undo }: Stop, terms: object) {
  const agent = await stage.supervised({ terms })
  const { requestId, approvalRequestId } = await stage.waiting(agent, { autoExecute: true })
  await stage.must(...stop(agent))
  const { status, body } = await stage.decide(ORGANIZATION_KEY, approvalRequestId)
  t.is(status, 200, JSON.stringify(body))
  await stage.must(...undo(agent))
  return { shown: await stage.shown(agent, requestId), entries: await entriesOf(requestId), agent }
}

for (const stop of STOPS) {
  const { what, by, type, code, status } = stop
  test.serial(`an execution with an approval that ${what} stops leaves the approval and the cause`, async (t) => {
    const { shown, entries, agent } = await approvedUnder(t, stop, { spendLimitPerTx: 1_000 })
    t.like(shown, { status, approval: { status: 'APPROVED' }, autoExecuteError: { code } })
    t.deepEqual(entries.map(stoppedIn), [{ action: 'payment.approve', types: [type], by }])
    t.deepEqual(changesIn(entries[0]!)['autoExecuteError'], { to: code })
    t.is((await delegationOf(stage.client, agent)).reserved, status === 'APPROVED' ? 150 : 0)
  })
}

const AWAY = 'The signer is away'

/** A payment in live settlement that could not be signed: it is approved again, with the reason. */
async function unsigned(t: ExecutionContext) {
  const bare = openBare(t)
  const { admin, agent, wallet, delegate } = await newOrganization(bare)
  const { id: agentId, caller } = await agent()
  await delegate(agentId, await wallet(100), { delegationType: 'FULL', allowedDays: [...WEEKDAYS] })
  const services: Services = { ...bare.services, settlementMode: 'live' }
  const wanted = { amount: 5, recipientAddress: addressOf(randomAddress()), urgency: 'NORMAL', autoExecute: false }
  const { payment } = done(await requestPayment(services, caller, wanted as Parameters<typeof requestPayment>[2]))
  const { ref } = payment
  const id = ref.slice('payment/'.length)
  t.is(done(await executePayment(services, caller, id)).state, 'transferring.signing')
  const said = { type: 'UNMADE', now: bare.now(), organization: admin.principal.organization }
  await deliver(services.host, SETTLEMENT, ref, { ...said, code: 'UNAVAILABLE', message: AWAY })
  t.like(services.host.peek(ref), { state: 'approved', context: { stopReason: AWAY, causes: [] } })
  const becomes = async (status: 'PAUSED' | 'ACTIVE') =>
    void done(await updateAgent(services, admin, agentId, { status }))
  return { services, admin, ref, becomes, execute: () => executePayment(services, caller, id) }
}

async function logOf({ services, admin }: Awaited<ReturnType<typeof unsigned>>, ref: Ref): Promise<AuditEntry[]> {
  const entries = await services.auditLog.all(admin.principal.organization, {
    resourceId: ref.slice('payment/'.length),
  })
  return entries.map(readableEntry) as unknown as AuditEntry[]
}

test('the reason of a transfer that was not made goes with the next cause, and stays gone when that is repeated', async (t) => {
  const world = await unsigned(t)
  const { services, ref, becomes, execute } = world
  await becomes('PAUSED')
  const before = (await logOf(world, ref)).length
  t.like(await execute(), { ok: false, refusal: { code: 'INVALID_STATUS', message: 'The agent is PAUSED' } })
  const stopped = services.host.peek(ref)!
  t.like(stopped.context, { stopReason: null, refusedBy: 'agent', autoExecuteError: null, permit: null })
  t.deepEqual(typesIn(stopped.context['causes']), ['AGENT_NOT_ACTIVE'])
  await execute()
  const [entry, ...more] = (await logOf(world, ref)).slice(before)
  t.deepEqual(more, [])
  t.is(entry!.action, 'payment.attempt')
  t.like(entry!.data, { stopReason: { from: AWAY }, refusedBy: { to: 'agent' } })
  await becomes('ACTIVE')
  t.like(done(await execute()), { state: 'transferring.signing', context: { causes: [], refusedBy: null } })
})
