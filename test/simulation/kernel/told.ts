// The invariants of what is said: who decided on an approval request and on which, what a review was made for, and what a
// payment announces of itself.
import type { PaymentContext } from '../../../machines/payment/chart.js'
import { kindOf, type Actor, type DomainEvent, type Message } from '../../../src/actor/actor.js'
import type { Approval, ApprovalDecision, Decider } from '../../../src/domain/payment/approval.js'
import type { Change } from '../../../src/store/change.js'
import { demand } from '../violated.js'

/** Money has left, as far as anybody outside is told. */
const EXECUTED = /^(executed|paid|charged|transferred\..*)$/

const paymentOf = (actor: Actor | undefined): PaymentContext | undefined =>
  actor && (actor.context as unknown as PaymentContext)
const isPayment = ({ ref }: Actor): boolean => kindOf(ref) === 'payment'

/** A payment says that it was executed when it is, and at no other time. */
export function announced({ actors }: Change, events: readonly DomainEvent[]): void {
  for (const { before, after } of actors.filter((one) => isPayment(one.after))) {
    const isNew = EXECUTED.test(after.state) && !EXECUTED.test(before?.state ?? '')
    const told = events.filter(({ event, ref }) => event === 'payment.executed' && ref === after.ref)
    const how = `${after.ref} went from ${before?.state} to ${after.state}`
    demand('once', told.length === (isNew ? 1 : 0), () => `${how} and announced payment.executed ${told.length} times`)
  }
}

/** A new decision is by one who may give it, and on the request that its maker named. */
export function decidedBy({ actors }: Change, sent: readonly Message[]): void {
  for (const { before, after } of actors.filter((one) => isPayment(one.after))) {
    const former = paymentOf(before)?.approval?.decisions.length ?? 0
    const { approval } = paymentOf(after)!
    if (approval === null || approval.id !== paymentOf(before)?.approval?.id) continue
    for (const made of approval.decisions.slice(former)) {
      const [named] = sent.map((message) => message['approvalId'])
      demand('approvers', named === approval.id, () => `${after.ref} took for ${approval.id} a decision on ${named}`)
      demand('approvers', mayDecide(approval, made), () => `${made.by.id} decided on ${after.ref}`)
    }
  }
}

function mayDecide({ steps, barred }: Approval, { by, step }: ApprovalDecision): boolean {
  const { approverIds } = steps[step]!
  const names = namesOf(by)
  const isNamed = approverIds.length === 0 || approverIds.some((id) => names.has(id))
  return isNamed && !barred.some(({ id }) => names.has(id))
}

const namesOf = ({ id, countsAs }: Decider): Set<string> => new Set([id, countsAs.id])

/** A review is taken only by the payment that it was made for, as that was. */
export function reviewed({ actors }: Change, sent: readonly Message[]): void {
  const review = sent[0]?.['review'] as { after: number } | undefined
  for (const { before, after } of actors.filter((one) => isPayment(one.after))) {
    const [was, is] = [paymentOf(before)?.reviews ?? 0, paymentOf(after)!.reviews]
    if (is === was) continue
    const isRight = is === was + 1 && review?.after === was
    demand('current', isRight, () => `${after.ref} took a review made after ${review?.after} as number ${is}`)
  }
}
