// Freezing the whole organization: nothing executes after the audit sequence in the answer, whatever was under way.
import test from 'ava'
import { stateAfter } from '../../../src/domain/audit/entry.js'
import type { Json } from '../../../src/domain/values/canonical.js'
import type { Answer } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { startApprovals, type ApprovalStage } from '../../support/approvals.js'
import type { AuditEntry, FrozenOrganization } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: ApprovalStage
test.before('the service runs', async () => {
  stage = await startApprovals(scope)
})

const codeOf = ({ status, body }: Answer<unknown>) => [status, (body as { code?: string }).code]
const freeze = () => stage.must<FrozenOrganization>('POST', '/api/organization/freeze', { reason: 'Stolen keys' })
const unfreeze = () => stage.must<FrozenOrganization>('POST', '/api/organization/unfreeze')

async function log(): Promise<AuditEntry[]> {
  const response = await fetch(`${stage.url}/api/audit-logs/export`, {
    headers: { Authorization: `Bearer ${ORGANIZATION_KEY}` },
  })
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as AuditEntry).filter(({ sequence }) => sequence !== undefined)
}

const executions = (entries: AuditEntry[]): AuditEntry[] =>
  entries.filter(({ action, data }) => action.startsWith('payment.') && stateAfter(data as Json) === 'executed')

test.serial('a freeze stops approved and pending payments, which can execute after the unfreeze', async (t) => {
  const agent = await stage.supervised()
  const approved = await stage.ask(agent, 10)
  const waiting = await stage.waiting(agent, { autoExecute: true })
  const { organization, auditSequence } = await freeze()
  t.is(organization.status, 'FROZEN')
  t.true(auditSequence > 0)
  t.deepEqual(codeOf(await stage.execute(agent, approved.requestId)), [400, 'INVALID_STATUS'])
  const decided = await stage.decide(ORGANIZATION_KEY, waiting.approvalRequestId)
  t.like(decided.body.payment, { status: 'APPROVED', autoExecuteError: { error: 'The organization is frozen' } })
  t.like(await stage.ask(agent, 10), { status: 'DENIED', violations: [{ type: 'AGENT_NOT_ACTIVE' }] })
  t.is(executions(await log()).filter(({ sequence }) => sequence > auditSequence).length, 0)
  t.is((await unfreeze()).organization.status, 'ACTIVE')
  t.is((await stage.execute(agent, approved.requestId)).status, 200)
  t.is((await stage.execute(agent, waiting.requestId)).status, 200)
})

test.serial('only a frozen organization is unfrozen, and a second freeze names no earlier sequence', async (t) => {
  t.deepEqual(codeOf(await stage.admin('POST', '/api/organization/unfreeze')), [400, 'INVALID_STATUS'])
  const first = await freeze()
  const second = await freeze()
  t.true(second.auditSequence > first.auditSequence)
  await unfreeze()
  const { status } = await stage.must<{ status: string }>('GET', '/api/organization')
  t.is(status, 'ACTIVE')
})

test.serial('a freeze survives a restart', async (t) => {
  const agent = await stage.supervised()
  const { requestId } = await stage.ask(agent, 10)
  await freeze()
  await stage.restart()
  t.deepEqual(codeOf(await stage.execute(agent, requestId)), [400, 'INVALID_STATUS'])
  await unfreeze()
})

test.serial('under load nothing executes after the audit sequence in the answer of the freeze', async (t) => {
  const agents = await Promise.all(Array.from({ length: 8 }, () => stage.supervised()))
  for (let round = 0; round < 5; round += 1) {
    const open = await Promise.all(agents.flatMap((agent) => [1, 2, 3].map(() => stage.ask(agent, 1))))
    const asked = await Promise.all(agents.map((agent) => stage.waiting(agent, { autoExecute: true })))
    const load = [
      ...open.map(({ requestId }, at) => stage.execute(agents[Math.floor(at / 3)]!, requestId)),
      ...asked.map(({ approvalRequestId }) => stage.decide(ORGANIZATION_KEY, approvalRequestId)),
      ...agents.flatMap((agent) => [1, 2, 3].map(() => stage.pay(agent, 1))),
    ]
    const first = Promise.all([load[0], load[open.length], load[open.length + asked.length]])
    const rest = Promise.all(load)
    const begun = await first
    t.deepEqual(
      begun.map((answer) => (answer as { status: unknown }).status),
      [200, 200, 'EXECUTED'],
    )
    const { auditSequence } = await freeze()
    const late = await Promise.all(agents.map((agent) => stage.pay(agent, 1)))
    await rest
    t.true(late.every(({ status }) => status === 'DENIED'))
    const all = executions(await log())
    for (const action of ['payment.request', 'payment.execute', 'payment.approve']) {
      t.true(
        all.some((entry) => entry.action === action),
        `nothing was executed by ${action} before the freeze`,
      )
    }
    t.is(all.filter(({ sequence }) => sequence > auditSequence).length, 0)
    await unfreeze()
  }
  t.deepEqual(stage.logged, [])
})
