// What people do about approvals: workflows, and decisions on payments and changes, by whoever happens to be there.
import { one, recent, request, somebody, type Action, type Stage } from '../stage.js'
import type { Workflow } from '../organization.js'
import type { Told } from '../world.js'

const SUBJECT = 'workflows'

async function decidePayment(stage: Stage): Promise<void> {
  const { organization, random } = stage
  const waiting = organization.payments.filter(({ status }) => status === 'REQUIRES_APPROVAL')
  const asked = organization.payments.filter(({ approvalId }) => approvalId !== undefined)
  const payment = recent(stage, random.chance(0.85) ? waiting : asked)
  if (payment?.approvalId) await decide(stage, `/api/approval-requests/${payment.approvalId}/decision`)
}

async function decideChange(stage: Stage): Promise<void> {
  const held = recent(stage, stage.organization.held)
  if (held) await decide(stage, `/api/governance/approvals/${held.id}/decision`)
}

async function decide(stage: Stage, path: string): Promise<void> {
  const body = { decision: stage.random.pick(['APPROVED', 'APPROVED', 'APPROVED', 'APPROVED', 'DENIED']) }
  const needs = 'approvals:write'
  const told = await request(stage, { by: somebody(stage, needs), method: 'POST', path, body, needs })
  const shown = told.body.payment
  const payment = shown && stage.organization.payments.find(({ id }) => id === shown.requestId)
  if (payment && told.status < 300) {
    Object.assign(payment, { status: shown.status, expiresAt: Date.parse(shown.expiresAt) })
  }
  carriedOut(stage, told)
}

/** The change is done that was decided on. */
function carriedOut({ organization }: Stage, { body }: Told): void {
  const { id, resourceId, application } = body
  const held = organization.held.find((each) => each.id === id)
  if (application?.status !== 'APPLIED' || !held || held.isApplied) return
  held.isApplied = true
  held.learned({ id: resourceId! })
}

/** Of an approved change that shows a secret. */
async function collect(stage: Stage): Promise<void> {
  const { organization, random } = stage
  const held = recent(stage, organization.held)
  if (!held) return
  const by = random.chance(0.8) ? held.by : somebody(stage, 'approvals:read')
  const path = `/api/governance/approvals/${held.id}/collect`
  const told = await request(stage, { by, method: 'POST', path, needs: 'approvals:read' })
  if (told.status < 300 && !told.isReplay) held.learned(told.body)
}

function someTerms(stage: Stage): Omit<Workflow, 'id'> {
  const { random, organization } = stage
  const people = organization.members.filter(({ role }) => role === 'OWNER' || role === 'ADMIN').map(({ id }) => id)
  const approverIds = random.chance(0.6) ? people.slice(random.below(2), 1 + random.below(3)) : []
  return {
    priority: random.below(100),
    amountAtLeast: random.pick([0, 10, 20, 25]),
    requiredApprovals: random.pick([1, 2]),
    timeoutHours: random.pick([1, 24]),
    escalates: random.chance(0.3),
    approverIds,
  }
}

function asWritten({
  priority,
  amountAtLeast,
  requiredApprovals,
  timeoutHours,
  escalates,
  approverIds,
}: Omit<Workflow, 'id'>) {
  const onTimeout = escalates ? 'ESCALATE' : 'DENY'
  return { priority, conditions: { amountAtLeast }, requiredApprovals, timeoutHours, onTimeout, approverIds }
}

const GOVERNED = { governed: { actions: ['workflow.update'], subject: SUBJECT }, needs: 'approvals:write' }

async function addWorkflow(stage: Stage): Promise<void> {
  const { organization, random } = stage
  if (organization.workflows.length > 3) return removeWorkflow(stage)
  const terms = someTerms(stage)
  const body = { name: `Workflow ${random.below(1e6)}`, ...asWritten(terms) }
  const by = somebody(stage, GOVERNED.needs)
  await request(stage, { by, method: 'POST', path: '/api/approval-workflows', body, ...GOVERNED }, ({ id }) => {
    organization.workflows.push({ id: id!, ...terms })
  })
}

async function changeWorkflow(stage: Stage): Promise<void> {
  const workflow = one(stage, stage.organization.workflows)
  if (!workflow) return
  const terms = someTerms(stage)
  const path = `/api/approval-workflows/${workflow.id}`
  const by = somebody(stage, GOVERNED.needs)
  await request(stage, { by, method: 'PATCH', path, body: asWritten(terms), ...GOVERNED }, () => {
    Object.assign(workflow, terms)
  })
}

async function removeWorkflow(stage: Stage): Promise<void> {
  const { organization } = stage
  const workflow = one(stage, organization.workflows)
  if (!workflow) return
  const path = `/api/approval-workflows/${workflow.id}`
  await request(stage, { by: somebody(stage, GOVERNED.needs), method: 'DELETE', path, ...GOVERNED }, () => {
    organization.workflows = organization.workflows.filter((each) => each !== workflow)
  })
}

export const approvals: Action[] = [
  { name: 'decide on a payment', share: 14, act: decidePayment },
  { name: 'decide on a change', share: 12, act: decideChange },
  { name: 'collect a change', share: 3, act: collect },
  { name: 'add a workflow', share: 3, act: addWorkflow },
  { name: 'change a workflow', share: 2, act: changeWorkflow },
  { name: 'remove a workflow', share: 1, act: removeWorkflow },
]
