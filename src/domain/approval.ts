// An approval request: who may decide it, how many have to, and what became of it. It knows nothing of what waits for
// it, so that a payment and a change of settings are asked about in the same way.
import { canonicalJson, type Json } from './canonical.js'
import { sha256Hex } from './digest.js'
import type { PaymentTerms } from './payment.js'
import type { Identity, Principal } from './principal.js'

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'DENIED', 'EXPIRED'] as const
/** EXPIRED is whatever ended without a decision: time, a cancelled payment, or a change of what was asked about. */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]
export const VERDICTS = ['APPROVED', 'DENIED'] as const
export type Verdict = (typeof VERDICTS)[number]

/** Whom is asked, how many have to agree, and for how long. */
export interface ApprovalStep {
  /** Null where no workflow of the organization matched. */
  workflowId: string | null
  requiredApprovals: number
  timeoutMs: number
  /** Ids of members and keys; empty for everybody who may decide at all. */
  approverIds: string[]
}

/** Somebody who decides. */
export interface Decider {
  type: Principal['type']
  id: string
  name: string
  /** Whose decision it is: two keys of one person have one between them. */
  countsAs: Identity
}

export interface ApprovalDecision {
  by: Decider
  decision: Verdict
  comment: string | null
  /** Epoch ms. */
  at: number
  /** The step it was made in; it counts in no other. */
  step: number
  /** Whoever made it could decide no more when the next one was made: it counts no longer. */
  lapsed?: true
}

export interface Approval {
  id: string
  status: ApprovalStatus
  /** Why somebody is asked, a sentence each. */
  reasons: string[]
  /** Of what is asked about, and of the policies under which it is asked. */
  contentHash: string
  /** Asked one after the other, each when the time of the one before is over. */
  steps: ApprovalStep[]
  /** Index in `steps` of the one that is asked. */
  step: number
  /** Who may not decide, because it is they who ask. */
  barred: Identity[]
  decisions: ApprovalDecision[]
  /** Epoch ms; 0 until somebody is asked. */
  createdAt: number
  /** Epoch ms at which the step's time is over. */
  expiresAt: number
}

function stepOf({ steps, step }: Approval): ApprovalStep {
  return steps[step]!
}

/** How many have to approve in the step that is asked. */
export function requiredApprovals(approval: Approval): number {
  return stepOf(approval).requiredApprovals
}

/** The request, now that its first step is asked. */
export function openedApproval(approval: Approval, now: number): Approval {
  return { ...approval, createdAt: now, expiresAt: now + stepOf(approval).timeoutMs }
}

/**
 * The request in the step that is asked at `now`, who is asked then beginning anew; undefined where the last step's time
 * is over. Each step's time follows on that of the one before, whenever somebody looks.
 */
export function escalatedApproval(approval: Approval, now: number): Approval | undefined {
  const { steps, step, expiresAt } = approval
  const next = steps[step + 1]
  if (next === undefined) return undefined
  const escalated = { ...approval, step: step + 1, expiresAt: expiresAt + next.timeoutMs }
  return escalated.expiresAt > now ? escalated : escalatedApproval(escalated, now)
}

const isSame = (one: Identity, other: Identity): boolean => one.type === other.type && one.id === other.id

/** True for who asked, by whichever key. */
export function isBarred({ barred }: Approval, { countsAs, type, id }: Decider): boolean {
  return barred.some((one) => isSame(one, countsAs) || isSame(one, { type, id }))
}

export function isApprover(approval: Approval, { id, countsAs }: Decider): boolean {
  const { approverIds } = stepOf(approval)
  return approverIds.length === 0 || approverIds.includes(id) || approverIds.includes(countsAs.id)
}

/** What was said in the step that is asked, but for those who may decide no more. */
export function decisionsThatCount(approval: Approval, lapsed: readonly string[] = []): ApprovalDecision[] {
  return approval.decisions.filter((one) => !hasLapsed(approval, one) && !lapsed.includes(one.by.id))
}

/** It counts no longer: its step's time is over, or whoever made it could decide no more when the next one was made. */
export function hasLapsed({ step }: Approval, decision: ApprovalDecision): boolean {
  return decision.step !== step || decision.lapsed === true
}

/** True when this decider, or another key of the same, has decided in the step that is asked. */
export function hasDecided(approval: Approval, { by, lapsed }: Given): boolean {
  return decisionsThatCount(approval, lapsed).some((one) => isSame(one.by.countsAs, by.countsAs))
}

/** True when one more approval is the last that is needed. */
export function isLastNeeded(approval: Approval, { lapsed }: Pick<Given, 'lapsed'>): boolean {
  const given = decisionsThatCount(approval, lapsed).filter(({ decision }) => decision === 'APPROVED').length
  return given + 1 >= requiredApprovals(approval)
}

export interface Given {
  by: Decider
  comment: string | null
  /** Ids of those who decided before and may decide no more. */
  lapsed?: string[]
}

export function decidedApproval(
  approval: Approval,
  { by, comment, lapsed = [] }: Given,
  decision: Verdict,
  at: number,
): Approval {
  const before = approval.decisions.map((one) => (lapsed.includes(one.by.id) ? { ...one, lapsed: true as const } : one))
  return { ...approval, decisions: [...before, { by, decision, comment, at, step: approval.step }] }
}

/** The hash that an approval of a payment is bound to. */
export function paymentContentHash(paymentId: string, terms: PaymentTerms, policySetHash: string): string {
  return sha256Hex(canonicalJson({ paymentId, terms: terms as unknown as Json, policySetHash }))
}
