// What a list of payments can be filtered by, and whether one payment passes a filter.
import type { PaymentContext } from '../../../../machines/payment/context.js'
import type { Actor } from '../../../actor/actor.js'
import type { ViolationType } from '../../../domain/outcomes/violation.js'
import { amountOf, causesOf, railOf, type PaymentStatus, type Rail } from '../../../domain/payment/terms.js'
import { comparable } from '../../../domain/values/address.js'
import { categoryOf } from '../../../domain/values/category.js'
import type { Micros } from '../../../domain/values/money.js'
import { folded } from '../../../domain/values/text.js'
import { paymentStatus } from '../../status.js'

/** Filters that a list of the store serves. */
export interface ListedFilters {
  status?: PaymentStatus | undefined
  paymentKey?: string | undefined
  reference?: string | undefined
  sessionId?: string | undefined
  rail?: Rail | undefined
}

/** Filters that no list serves: payments have to be looked through for them. */
export interface SoughtFilters {
  /** A part of the recipient's address or name, the purpose, the reference or the id. */
  search?: string | undefined
  /** Both inclusive. */
  amountMin?: Micros | undefined
  amountMax?: Micros | undefined
  walletId?: string | undefined
  category?: string | undefined
  /** A policy that decided. */
  policyId?: string | undefined
  /** Among the reasons for a denial. */
  violation?: ViolationType | undefined
  /** The recipient's address, in any letter case. */
  recipient?: string | undefined
}

export type PaymentFilters = ListedFilters & SoughtFilters

export type Passes = (payment: Actor<'payment'>) => boolean

/** For each filter, the test for a value of it. */
const TESTS: { [Field in keyof PaymentFilters]-?: (wanted: NonNullable<PaymentFilters[Field]>) => Passes } = {
  status: (status) => (payment) => paymentStatus(payment) === status,
  paymentKey: (key) => termed(({ paymentKey }) => paymentKey === key),
  reference: (text) => termed(({ reference }) => reference === text),
  sessionId: (id) => termed(({ sessionId }) => sessionId === id),
  rail: (rail) => termed((terms) => railOf(terms) === rail),
  search: (part) => containing(folded(part)),
  amountMin:
    (least) =>
    ({ context }) =>
      amountOf(context) >= least,
  amountMax:
    (most) =>
    ({ context }) =>
      amountOf(context) <= most,
  walletId: (id) => termed(({ walletId }) => walletId === id),
  category: (category) => ofCategory(categoryOf(category)),
  policyId: (id) => decidedBy(id),
  violation: (type) => (payment) =>
    paymentStatus(payment) === 'DENIED' && causesOf(payment.context).some((cause) => cause.type === type),
  recipient: (address) => paidTo(comparable(address)),
}

type Terms = NonNullable<PaymentContext['terms']>

function termed(test: (terms: Terms) => boolean): Passes {
  return ({ context }) => test(context.terms!)
}

function containing(part: string): Passes {
  return ({ context: { id, terms } }) => {
    const { recipientAddress, recipientName, purpose, reference } = terms!
    return [id, recipientAddress, recipientName, purpose, reference].some((text) => text && folded(text).includes(part))
  }
}

function ofCategory(wanted: string): Passes {
  return termed(({ category }) => category !== null && categoryOf(category) === wanted)
}

function paidTo(canonical: string): Passes {
  return termed(({ recipientAddress }) => recipientAddress !== null && comparable(recipientAddress) === canonical)
}

/** At the request or in the last review. */
function decidedBy(policyId: string): Passes {
  return ({ context: { decision, review } }) =>
    [decision, review].some((one) => one !== null && one.policies.some(({ id }) => id === policyId))
}

const FIELDS = Object.keys(TESTS) as (keyof PaymentFilters)[]

/** Whether a payment passes all filters that are given. */
export function passing(filters: PaymentFilters): Passes {
  const tests = FIELDS.flatMap((field) => {
    const wanted = filters[field]
    return wanted === undefined ? [] : [(TESTS[field] as (value: typeof wanted) => Passes)(wanted)]
  })
  return (payment) => tests.every((test) => test(payment))
}

const LISTED: Record<keyof ListedFilters, true> = {
  status: true,
  paymentKey: true,
  reference: true,
  sessionId: true,
  rail: true,
}

/** Whether there is a filter that no list serves; transfers, which most payments are, have no list of their own. */
export function isSought(filters: PaymentFilters): boolean {
  return filters.rail === 'TRANSFER' || FIELDS.some((field) => !(field in LISTED) && filters[field] !== undefined)
}
