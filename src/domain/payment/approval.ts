// An approval request: its approvers, the approvals it needs, and its decisions. It knows nothing of its subject, so
// payments and changes of settings share it.
import { asJson, canonicalJson } from '../values/canonical.js'
import { sha256Hex } from '../values/digest.js'
import type { PaymentTerms } from './terms.js'
import { listOf, lookUpOf, sublist, type List, type LookUp } from '../values/lists.js'
import type { Identity, Principal } from '../access/principal.js'

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'DENIED', 'EXPIRED'] as const
/** EXPIRED is every end without a decision: time, a cancelled payment, or a changed subject. */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]
export const VERDICTS = ['APPROVED', 'DENIED'] as const
export type Verdict = (typeof VERDICTS)[number]

/** The approvers of a step, the number of approvals it needs, and its time. */
export interface ApprovalStep {
  /** Null where no workflow of the organization matched. */
  workflowId: string | null
  requiredApprovals: number
  timeoutMs: number
  /** Ids of members and keys; empty for all principals with the right to decide. */
  approverIds: string[]
}

/** A principal that decides. */
export interface Decider {
  type: Principal['type']
  id: string
  name: string
  /** The identity that the decision counts for; two keys of one person share one. */
  countsAs: Identity
}

/** The channel whose button was pressed. */
export interface PressedIn {
  channelId: string
  teamId: string
  userId: string
  /** Who gave the signing secret of the channel, and could sign presses of others with it. */
  setBy: Decider
}

export interface ApprovalDecision {
  by: Decider
  /** Absent for a decision on the page. */
  via?: PressedIn
  decision: Verdict
  comment: string | null
  /** Epoch ms. */
  at: number
  /** The step of the decision; it counts in no other. */
  step: number
  /** The decider had lost the right to decide when the next decision was made; this one no longer counts. */
  lapsed?: true
}

export interface Approval {
  id: string
  status: ApprovalStatus
  /** The reasons for the request, one sentence each. */
  reasons: string[]
  /** Hash of the subject, and of the policies that require the approval. */
  contentHash: string
  /** Steps in order; each begins when the time of the one before is over. */
  steps: ApprovalStep[]
  /** Index in `steps` of the current one. */
  step: number
  /** Identities that may not decide because they made the request. */
  barred: Identity[]
  decisions: ApprovalDecision[]
  /** Epoch ms; 0 until the request is opened. */
  createdAt: number
  /** Epoch ms at which the current step ends. */
  expiresAt: number
}

function stepOf({ steps, step }: Approval): ApprovalStep {
  return steps[step]!
}

/** The number of approvals that the current step needs. */
export function requiredApprovals(approval: Approval): number {
  return stepOf(approval).requiredApprovals
}

/** Opens the request at its first step. */
export function openedApproval(approval: Approval, now: number): Approval {
  return { ...approval, createdAt: now, expiresAt: now + stepOf(approval).timeoutMs }
}

/**
 * The request at the step that is current at `now`, with its approvals starting anew; undefined when the last step is
 * over. Each step's time follows on the one before, however late the WAKE.
 */
export function escalatedApproval(approval: Approval, now: number): Approval | undefined {
  const { steps, step, expiresAt } = approval
  const next = steps[step + 1]
  if (next === undefined) return undefined
  const escalated = { ...approval, step: step + 1, expiresAt: expiresAt + next.timeoutMs }
  return escalated.expiresAt > now ? escalated : escalatedApproval(escalated, now)
}

const isSame = (one: Identity, other: Identity): boolean => one.type === other.type && one.id === other.id

/** True for the requester, whichever key it uses. */
export function isBarred({ barred }: Approval, { countsAs, type, id }: Decider): boolean {
  return barred.some((one) => isSame(one, countsAs) || isSame(one, { type, id }))
}

export function isApprover(approval: Approval, { id, countsAs }: Decider): boolean {
  const { approverIds } = stepOf(approval)
  return approverIds.length === 0 || approverIds.includes(id) || approverIds.includes(countsAs.id)
}

/** The decisions of the current step, without those of deciders that lost the right. */
export function decisionsThatCount(approval: Approval, lapsed: readonly string[] = []): ApprovalDecision[] {
  return approval.decisions.filter((one) => !hasLapsed(approval, one) && !lapsed.includes(one.by.id))
}

/** True for a decision of an earlier step, or of a decider that had lost the right by the next decision. */
function hasLapsed({ step }: Approval, decision: ApprovalDecision): boolean {
  return decision.step !== step || decision.lapsed === true
}

/** The decisions as they are shown, in the API and in receipts. */
export function shownDecisions(approval: Approval) {
  return approval.decisions.map((made) => {
    const { type, id, name } = made.by
    return {
      by: { type, id, name },
      decision: made.decision,
      comment: made.comment,
      at: new Date(made.at).toISOString(),
      ...(hasLapsed(approval, made) && { lapsed: true as const }),
    }
  })
}

/** Everybody whose decision it may be. */
export function decidersOf({ by, via }: Pick<ApprovalDecision, 'by' | 'via'>): Decider[] {
  return via === undefined ? [by] : [by, via.setBy]
}

/** True when one of these deciders, or another key of the same identity, has decided in the current step. */
export function hasDecided(approval: Approval, given: Given): boolean {
  const deciding = decidersOf(given)
  const decided = decisionsThatCount(approval, given.lapsed).flatMap(decidersOf)
  return decided.some((one) => deciding.some((other) => isSame(one.countsAs, other.countsAs)))
}

/** True when one more approval completes the step. */
export function isLastNeeded(approval: Approval, { lapsed }: Pick<Given, 'lapsed'>): boolean {
  const given = decisionsThatCount(approval, lapsed).filter(({ decision }) => decision === 'APPROVED').length
  return given + 1 >= requiredApprovals(approval)
}

export interface Given {
  by: Decider
  via?: PressedIn
  comment: string | null
  /** Ids of earlier deciders that have lost the right to decide. */
  lapsed?: string[]
}

export function decidedApproval(
  approval: Approval,
  { by, via, comment, lapsed = [] }: Given,
  decision: Verdict,
  at: number,
): Approval {
  const before = approval.decisions.map((one) => (lapsed.includes(one.by.id) ? { ...one, lapsed: true as const } : one))
  const made = { by, ...(via && { via }), decision, comment, at, step: approval.step }
  return { ...approval, decisions: [...before, made] }
}

/** The hash that an approval of a payment is bound to. */
export function paymentContentHash(paymentId: string, terms: PaymentTerms, policySetHash: string): string {
  return sha256Hex(canonicalJson({ paymentId, terms: asJson(terms), policySetHash }))
}

/** Of payments and changes alike. */
export function approvalsOf(organization: string, status?: ApprovalStatus): List<'payment' | 'change'> {
  return sublist(listOf(`approvals/${organization}`), status)
}

export function approvalListsOf(organization: string, status: ApprovalStatus): List<'payment' | 'change'>[] {
  return [approvalsOf(organization), approvalsOf(organization, status)]
}

export function approvalNamed(id: string): LookUp<'payment'> {
  return lookUpOf(`approval/${id}`)
}
