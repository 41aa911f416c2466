// Approvals of payments: asked of those whom the workflows of that time name, given by them alone, each once, and enough
// of them before money moves.
import { demand } from '../../violated.js'
import { allows, isLive, type Credential, type Organization, type Workflow } from '../organization.js'
import type { Call, Exchange, Watch, World } from '../world.js'

interface Step {
  workflowId: string | null
  requiredApprovals: number
  approverIds: string[]
}

interface Asked {
  paymentId: string
  /** Unknown where others changed the workflows meanwhile. */
  steps: Step[] | undefined
  /** Those who approved, by the workflow of their step. */
  approvals: Map<string | null, Credential[]>
  isApproved: boolean
}

interface Shown extends Step {
  id: string
  status: string
  kind: string
  paymentRequestId: string
  payment: { status: string; approvalRequestId?: string }
}

const DECIDES = /^\/api\/approval-requests\/[^/]+\/decision$/
const USUAL: Step = { workflowId: null, requiredApprovals: 1, approverIds: [] }
const MOVED = new Set(['APPROVED', 'EXECUTED', 'EXECUTING'])

export class Approvers implements Watch {
  readonly #world: World
  readonly #asked = new Map<string, Asked>()

  constructor(world: World) {
    this.#world = world
  }

  answered(exchange: Exchange): void {
    const { call, told } = exchange
    const { organization, by } = call
    if (!organization || told.status >= 300 || told.isReplay) return
    const shown = told.body as unknown as Shown
    if (DECIDES.test(call.path) && shown.kind === 'PAYMENT') this.#decided(call, by!, shown)
    const { requestId, status, approvalRequestId: id } = told.body
    if (id === undefined || requestId === undefined) return
    if (status === 'REQUIRES_APPROVAL') this.#open(id, requestId, exchange)
    const isGone = MOVED.has(status!) && this.#asked.get(id)?.isApproved === false
    demand('asked', !isGone, () => `${requestId} is ${status}, and its approval request was not approved`)
  }

  #open(id: string, paymentId: string, { call, isAlone }: Exchange): void {
    if (this.#asked.has(id)) return
    const isNew =
      isAlone && /\/payments\/(request|approve)$|\/cards\/approve$/.test(call.path) && call.method === 'POST'
    const steps = isNew ? stepsOf(call.organization!.workflows, (call.body as { amount: number }).amount) : undefined
    this.#asked.set(id, { paymentId, steps, approvals: new Map(), isApproved: false })
  }

  #decided(call: Call, by: Credential, shown: Shown): void {
    const { organization, body } = call
    const asked = this.#asked.get(shown.id) ?? unknown(shown)
    this.#asked.set(shown.id, asked)
    const step = asked.steps?.find(({ workflowId }) => workflowId === shown.workflowId)
    const isNamed = asked.steps === undefined || (step !== undefined && isSame(step, shown))
    demand('workflow', isNamed, () => `${shown.id} asks ${JSON.stringify(shown)}, not ${JSON.stringify(asked.steps)}`)
    const { approverIds, requiredApprovals } = step ?? shown
    const isApprover = approverIds.length === 0 || [by.id, by.countsAs].some((id) => approverIds.includes(id))
    demand('approvers', isApprover, () => `${by.name} decided on ${shown.paymentRequestId}`)
    if ((body as { decision: string }).decision !== 'APPROVED') return
    this.#approved(asked, by, shown, { organization: organization!, requiredApprovals })
  }

  #approved(asked: Asked, by: Credential, shown: Shown, of: { organization: Organization; requiredApprovals: number }) {
    const { workflowId, status, paymentRequestId } = shown
    const given = (asked.approvals.get(workflowId) ?? []).filter((one) => this.#stillCounts(one))
    const isFirst = !given.some(({ countsAs }) => countsAs === by.countsAs)
    demand('asked', isFirst, () => `${by.name} approved ${paymentRequestId} twice`)
    asked.approvals.set(workflowId, [...given, by])
    const isEnough = given.length + 1 >= of.requiredApprovals
    demand('asked', status !== 'APPROVED' || isEnough, () => `${paymentRequestId} has ${given.length + 1} approvals`)
    if (status === 'APPROVED') asked.isApproved = true
  }

  /** The approval of who may decide no more counts no longer. */
  #stillCounts(by: Credential): boolean {
    return isLive(by, this.#world.now) && allows(by, 'approvals:write')
  }
}

function unknown({ paymentRequestId }: Shown): Asked {
  return { paymentId: paymentRequestId, steps: undefined, approvals: new Map(), isApproved: false }
}

/** The first workflow that fits, and those after it as long as they pass on what nobody decides. */
function stepsOf(workflows: readonly Workflow[], amount: number): Step[] {
  const steps: Step[] = []
  const left = workflows.filter(({ amountAtLeast }) => amount >= amountAtLeast)
  while (left.length > 0) {
    const first = left.reduce((most, each) => (each.priority > most.priority ? each : most))
    left.splice(left.indexOf(first), 1)
    const { id: workflowId, requiredApprovals, approverIds, escalates } = first
    steps.push({ workflowId, requiredApprovals, approverIds })
    if (!escalates) break
  }
  return steps.length > 0 ? steps : [USUAL]
}

function isSame(step: Step, shown: Step): boolean {
  const ids = (each: Step): string => [...each.approverIds].sort().join()
  return step.requiredApprovals === shown.requiredApprovals && ids(step) === ids(shown)
}
