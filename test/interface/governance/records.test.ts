// The records of a change: the replayed answer, the audit log, and recovery from a crash between its approval and its
// application.
import { charts } from '../../../machines/index.js'
import { actorChange } from '../../../src/host/embedded.js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { resumeChanges } from '../../../src/commands/approvals/changes.js'
import { deciderOf } from '../../../src/commands/approvals/approvals.js'
import { send } from '../../../src/commands/send.js'
import type { Principal } from '../../../src/domain/access/principal.js'
import { Store } from '../../../src/store/store.js'
import { openBare } from '../../support/commands.js'
import { RULE } from '../../support/routes.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { startGovernance, type GovernedStage, type Pending } from '../../support/governance.js'
import type { AuditEntryList, PolicyList } from '../../../sdk/api.js'

const POLICY = { name: 'Policy', policyType: 'COMPOSITE', rules: [RULE] }

test('a repeated request makes one change and replays the first answer', async (t) => {
  const stage = await startGovernance(t, { timeoutHours: 1 })
  const send = (body: object) =>
    stage.client.post<Pending>('/api/policies', ORGANIZATION_KEY, body, { 'Idempotency-Key': 'one' })
  const first = await send(POLICY)
  const again = await send(POLICY)
  t.is(first.status, 202)
  t.is(again.headers['idempotency-replayed'], 'true')
  t.deepEqual(again.body, first.body)
  await stage.decide(stage.admin2.cookie, first.body.governanceApprovalRequestId)
  t.deepEqual((await send(POLICY)).body, first.body)
  t.is((await send({ ...POLICY, name: 'Other' })).status, 409)
  t.is((await policies(stage)).length, 1)
})

async function policies(stage: GovernedStage) {
  return (await stage.must<PolicyList>('GET', '/api/policies')).policies
}

test('the audit log names the requester, the approver and who applied the change', async (t) => {
  const stage = await startGovernance(t, { timeoutHours: 1 })
  const id = await stage.pend('POST', '/api/policies', POLICY)
  await stage.decide(stage.admin2.cookie, id, 'APPROVED', 'Fine')
  const { entries } = await stage.must<AuditEntryList>('GET', `/api/audit-logs?resourceId=${id}`)
  const keyId = (await stage.change(id)).requestedBy.id
  t.deepEqual(
    entries.toReversed().map(({ action, actor }) => ({ action, by: actor.id })),
    [
      { action: 'change.create', by: keyId },
      { action: 'change.approve', by: stage.admin2.id },
      { action: 'change.settle', by: stage.admin2.id },
    ],
  )
  t.false(JSON.stringify(entries).includes('MAX_AMOUNT'), 'the log is no copy of the request')
  const { resourceId } = await stage.change(id)
  const made = await stage.must<AuditEntryList>('GET', `/api/audit-logs?resourceId=${resourceId}`)
  t.deepEqual(
    made.entries.map(({ action, actor }) => ({ action, by: actor.id })),
    [{ action: 'policy.create', by: keyId }],
  )
})

/** Approves a change in a folder that no service has open, without applying it. */
async function approveAlone(t: Parameters<typeof openBare>[0], stage: GovernedStage, id: string): Promise<void> {
  const bare = openBare(t, stage.folder)
  const actor = bare.services.host.peek(`change/${id}`)
  const { organization } = actor!.context
  const principal: Principal = {
    type: 'PERSON',
    id: stage.admin2.id,
    name: '',
    keyPrefix: '',
    organization,
    scopes: [],
  }
  await bare.moveClock(stage.now())
  const said = { by: deciderOf(principal), comment: null }
  const reply = await send(bare.services, { principal, requestId: undefined }, `change/${id}`, 'APPROVE', said)
  if (!reply.ok) throw new Error(reply.code)
  await bare.close()
}

test('a change that was approved before a crash is applied once after it', async (t) => {
  const stage = await startGovernance(t, { timeoutHours: 1 })
  const id = await stage.pend('POST', '/api/policies', POLICY)
  await stage.stop()
  await approveAlone(t, stage, id)
  await stage.restart()
  t.like(await stage.change(id), { status: 'APPROVED', application: { status: 'APPLIED' } })
  t.is((await policies(stage)).length, 1)
  await stage.restart()
  t.is((await policies(stage)).length, 1)
})

test('a crash between the application of a change and its record does not repeat it', async (t) => {
  const stage = await startGovernance(t, { timeoutHours: 1 })
  const id = await stage.pend('POST', '/api/policies', POLICY)
  await stage.decide(stage.admin2.cookie, id)
  await stage.stop()
  await forgetApplication(t, stage, id)
  await stage.restart()
  t.like(await stage.change(id), { application: { status: 'APPLIED' } })
  t.is((await policies(stage)).length, 1)
})

/** Resets the change to approved, as a crash before the next commit leaves it. */
async function forgetApplication(t: Parameters<typeof openBare>[0], stage: GovernedStage, id: string): Promise<void> {
  const bare = openBare(t, stage.folder)
  const after = bare.services.host.peek(`change/${id}`)
  const before = { ...after!, state: 'approved', context: { ...after!.context, application: null } }
  const { organization } = before.context
  const row = { ...actorChange(charts, after!, before), wakeBefore: undefined, wakeAfter: undefined }
  const by = { type: 'SYSTEM', id: 'test' }
  const nothing = { keys: [], audited: [], deliveries: [], record: undefined }
  await bare.store.commit({ organization, by, at: stage.now(), actors: [row], ...nothing })
  await bare.close()
}

test('changes that show a secret or an audit sequence are known as applied after a crash, too', async (t) => {
  const stage = await startGovernance(t)
  const { id: agentId } = await stage.must<{ id: string }>('POST', '/api/agents', { name: 'Bot', agentType: 'CUSTOM' })
  const frozen = await stage.must<{ id: string }>('POST', '/api/agents', { name: 'Other', agentType: 'CUSTOM' })
  for (const id of [agentId, frozen.id]) await stage.must('POST', `/api/agents/${id}/freeze`, { reason: 'Drill' })
  await stage.enable()
  const url = 'https://events.example.com/in'
  const changes = [
    await stage.pend('PUT', '/api/webhooks', { url }),
    await stage.pend('POST', `/api/agents/${agentId}/unfreeze`),
    await stage.pend('PATCH', `/api/agents/${frozen.id}`, { status: 'ACTIVE' }),
  ]
  const { record } = Store.prototype
  t.teardown(() => void (Store.prototype.record = record))
  // Drops what is written after the commit.
  Store.prototype.record = async () => {}
  for (const id of changes) await stage.decide(stage.admin2.cookie, id)
  await stage.stop()
  for (const id of changes) await forgetApplication(t, stage, id)
  await stage.restart()
  for (const id of changes) t.like(await stage.change(id), { status: 'APPROVED', application: { status: 'APPLIED' } })
  await stage.stop()
  t.false(readFileSync(join(stage.folder, 'data.mdb')).includes('whsec_'), 'a secret is in no record')
})

test('without pending changes nothing is resumed', async (t) => {
  t.deepEqual(await resumeChanges(openBare(t).services), [])
})
