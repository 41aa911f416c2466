// Approval workflows as an organization writes them: the payments they apply to, their approvers, and how they
// escalate.
import type { ApprovalStep } from './approval.js'
import { categoryOf } from '../values/category.js'
import type { Micros } from '../values/money.js'

export const ON_TIMEOUT = ['DENY', 'ESCALATE'] as const

export interface WorkflowConditions {
  amountAtLeast?: Micros
  /** Compared as rules compare them: letter case, composition and outer spaces do not matter. */
  categories?: string[]
  agentIds?: string[]
  newCounterparty?: boolean
}

export interface WorkflowFields {
  name: string
  /** Highest first. */
  priority: number
  /** All given conditions must hold. */
  conditions: WorkflowConditions
  requiredApprovals: number
  timeoutHours: number
  onTimeout: (typeof ON_TIMEOUT)[number]
  /** Ids of members and keys; empty for all principals with the right to decide. */
  approverIds: string[]
}

/** The part of a payment that workflows match on. */
export interface Asked {
  agentId: string
  amount: Micros
  category: string | null
  newCounterparty: boolean
}

const HOUR_MS = 3_600_000

function matches({ conditions }: WorkflowFields, payment: Asked): boolean {
  const { amountAtLeast = 0, categories, agentIds, newCounterparty = payment.newCounterparty } = conditions
  const category = categoryOf(payment.category)
  return (
    payment.amount >= amountAtLeast &&
    (categories === undefined || (category !== '' && categories.some((one) => categoryOf(one) === category))) &&
    (agentIds === undefined || agentIds.includes(payment.agentId)) &&
    newCounterparty === payment.newCounterparty
  )
}

export interface Workflow {
  id: string
  fields: WorkflowFields
}

/**
 * The approval steps of a payment: the first matching workflow, then, after each that escalates, the next one.
 * `workflows` are in the order of creation.
 */
export function stepsOf(workflows: readonly Workflow[], payment: Asked): ApprovalStep[] {
  const ordered = workflows.toSorted((a, b) => b.fields.priority - a.fields.priority)
  const matching = ordered.filter(({ fields }) => matches(fields, payment))
  const last = matching.findIndex(({ fields }) => fields.onTimeout === 'DENY')
  const asked = last < 0 ? matching : matching.slice(0, last + 1)
  return asked.map(({ id, fields: { requiredApprovals, timeoutHours, approverIds } }) => {
    return { workflowId: id, requiredApprovals, timeoutMs: timeoutHours * HOUR_MS, approverIds }
  })
}
