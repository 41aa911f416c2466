// What an idempotency record keeps of the answer to a payment's request: what does not follow from the payment, whatever
// becomes of it. A replay puts both together, byte for byte as it was answered.
import type { Actor } from '../../../actor/actor.js'
import { asJson, isSameJson, type Json } from '../../../domain/values/canonical.js'
import { toNumber } from '../../../domain/values/money.js'
import { iso } from '../../server/respond.js'
import { denialOf } from './records.js'

interface Fields {
  [field: string]: Json | undefined
}

/** Names the implied fields that the answer lacks. */
const LACKING = '-'
/** Fields of answers and of the objects in them, in their order there; others come after them. */
const ORDER = (
  'id transactionId txHash requestId status settlementMode amount currency recipientAddress reasons expiresAt wallet ' +
  'address chainId custodyType availableBalance policyDecision approvalRequestId approval execution autoExecuteError ' +
  'paymentKey attempt deniedBy violations violationsTotal hint context wallets nextSteps nearest'
).split(' ')
const PLACES = new Map(ORDER.map((field, place) => [field, place]))

export function keptDecision(answer: object, payment: Actor<'payment'>): Json {
  return difference(answer as Fields, impliedBy(payment))
}

/** `payment` is the one that the request made; without one, the answer was about another, and is kept whole. */
export function replayedDecision(kept: Json, payment: Actor<'payment'> | undefined): Json {
  return payment === undefined ? kept : together(kept as Fields, impliedBy(payment))
}

/** What the payment's request and its first decision say of the answer; neither changes. */
function impliedBy(payment: Actor<'payment'>): Fields {
  const { id, terms, decision, transactionId, autoExecute, createdAt, approvedForMs } = payment.context
  const { amount, currency, recipientAddress, wallet, settlementMode } = terms!
  const { id: decisionId, policySetHash, outcome, violations } = decision!
  const first = { ...payment.context, review: null, causes: [], refusedBy: null, approval: null }
  const implied = {
    requestId: id,
    amount: toNumber(amount),
    currency,
    recipientAddress,
    reasons: violations.map(({ message }) => message),
    expiresAt: iso(createdAt + approvedForMs),
    wallet,
    policyDecision: { decisionId, policySetHash },
    ...(autoExecute && { execution: { transactionId, settlementMode } }),
    ...(outcome === 'DENIED' && denialOf(first, undefined)),
  }
  return asJson(implied)
}

function difference(answer: Fields, implied: Fields): Fields {
  const kept: Fields = {}
  for (const [field, value] of Object.entries(answer)) {
    const known = implied[field]
    if (isObject(value) && isObject(known)) {
      const inner = difference(value, known)
      if (Object.keys(inner).length > 0) kept[field] = inner
    } else if (known === undefined || !isSameJson(value, known)) kept[field] = value
  }
  const lacking = Object.keys(implied).filter((field) => answer[field] === undefined)
  if (lacking.length > 0) kept[LACKING] = lacking
  return kept
}

function together({ [LACKING]: lacking = [], ...kept }: Fields, implied: Fields): Fields {
  const fields = new Set([...Object.keys(implied), ...Object.keys(kept)])
  for (const field of lacking as string[]) fields.delete(field)
  const ordered = [...fields].sort((one, other) => placeOf(one) - placeOf(other))
  return Object.fromEntries(ordered.map((field) => [field, either(kept[field], implied[field])]))
}

function placeOf(field: string): number {
  return PLACES.get(field) ?? ORDER.length
}

function either(kept: Json | undefined, implied: Json | undefined): Json {
  if (kept === undefined) return implied!
  return isObject(kept) && isObject(implied) ? together(kept, implied) : kept
}

function isObject(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
