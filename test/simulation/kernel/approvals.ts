// A small model of approvals in the command layer: the request of a payment, and decisions on it.
import type { PaymentContext } from '../../../machines/payment/chart.js'
import type { Approval, Decider } from '../../../src/domain/payment/approval.js'
import type { Random } from '../../support/random.js'
import { approvalOf, type Asked } from '../../support/messages.js'
import type { Known } from './books.js'

const SECOND = 1_000
const HOUR = 3_600_000

const identity = (id: string) => ({ type: 'PERSON' as const, id })
/** The last person has a key, too, which counts as the same person. */
const PEOPLE: Decider[] = [
  ...['ada', 'ben', 'cleo'].map((id) => ({ ...identity(id), name: id, countsAs: identity(id) })),
  { type: 'ORGANIZATION_KEY', id: 'key', name: 'key', countsAs: identity('cleo') },
]

/** One or two people have to approve, within seconds or an hour, perhaps followed by a second step. */
export function requestOf(random: Random, id: string): Approval {
  const times = random.chance(0.3) ? [2 * SECOND, HOUR] : [random.pick([2 * SECOND, HOUR, HOUR])]
  const request = approvalOf(id, times)
  const steps = request.steps.map((step) => ({
    ...step,
    requiredApprovals: random.pick([1, 1, 2]),
    approverIds: random.chance(0.2) ? ['ada', 'cleo'] : [],
  }))
  return { ...request, steps, barred: random.chance(0.2) ? [identity('ben')] : [] }
}

/** A decision on the request that was pending when the payment was read; sometimes on one that was replaced. */
export function decision({ actors }: Known, { id }: Asked, random: Random) {
  const payment = actors.get(`payment/${id}`)?.context as unknown as PaymentContext | undefined
  const { approval = null, formerApprovals = [] } = payment ?? {}
  const named = random.chance(0.1) ? formerApprovals.at(-1) : approval
  return { approvalId: named?.id ?? `${id}.none`, by: random.pick(PEOPLE), comment: null }
}
