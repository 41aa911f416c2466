// A payment as it is stored: what its terms, its gates and its holds say alike is written once.
import { idOf, kindOf, type Actor } from '../../actor/actor.js'
import type { Gate, Hold, Ref } from '../../domain/limits/gate.js'
import type { IdempotencyRecord } from '../../domain/outcomes/idempotencyRecord.js'
import type { Decision, PaymentTerms } from '../../domain/payment/terms.js'
import type { Json } from '../../domain/values/canonical.js'
import type { Defaults, Snapshot } from '../../domain/values/migration.js'
import type { StoredContexts } from './storedContexts.js'
import { expanded, reduced, type Fields, type Implied } from './fields.js'

/** Id and order are in the key of the row; the holds are in the gates. */
export interface StoredPayment {
  version: number
  revision: number
  state: string
  context: Fields
  record?: Fields
}

/**
 * What parts of payments leave out. Whoever changes it raises the version of the chart, and gives the step the defaults
 * as they were.
 */
export const PAYMENT_DEFAULTS = {
  /** What most terms say. */
  terms: {
    currency: 'USDC',
    chainType: 'EVM',
    recipientName: null,
    purpose: null,
    category: null,
    context: null,
    executionContext: null,
    urgency: 'NORMAL',
    idempotencyKey: null,
  } satisfies Partial<PaymentTerms>,
  decision: { violations: [], preapproval: false } satisfies Partial<Decision>,
  record: { status: 200, expiresAt: null } satisfies Partial<IdempotencyRecord>,
}
const { terms: TERMS, decision: DECISION, record: RECORD } = PAYMENT_DEFAULTS

type PaymentFields = Actor<'payment'>['context']
type PaymentDefaults = { readonly [Part in keyof typeof PAYMENT_DEFAULTS]: Defaults }

const NOTHING: Implied = {}

export function storedPayment(
  payment: Actor<'payment'>,
  record: IdempotencyRecord | undefined,
  contexts: StoredContexts,
): StoredPayment {
  const { version, revision, state, context: whole } = payment
  const { terms, decision, gates, holds } = whole
  const held = heldBy(whole)
  const context = contexts.reduced(payment)
  // JSON leaves out what is undefined.
  context['order'] = undefined
  context['holds'] = undefined
  context['expiresAt'] = whole.expiresAt === endOf(whole) ? undefined : whole.expiresAt
  if (terms) context['terms'] = storedTerms(terms)
  if (decision) context['decision'] = storedDecision(decision, terms)
  if (gates.length > 0) context['gates'] = gates.map((gate, at) => storedGate(gate, holds[at], terms, held)) as Json
  if (record === undefined) return { version, revision, state, context }
  return { version, revision, state, context, record: reduced(record, { ...RECORD, key: payment.ref }) }
}

export function paymentFrom(
  ref: Ref<'payment'>,
  order: number,
  stored: StoredPayment,
  contexts: StoredContexts,
): Actor<'payment'> {
  const { version, revision } = stored
  const { state, context } = contexts.present(ref, snapshotOf(ref, order, stored, contexts), version)
  return { ref, version: contexts.version(ref), revision, state, context: context as unknown as PaymentFields }
}

/** The idempotency record of the request that made the payment. */
export function recordFrom(
  ref: Ref<'payment'>,
  order: number,
  stored: StoredPayment,
  contexts: StoredContexts,
): IdempotencyRecord | undefined {
  const { version, record } = stored
  if (record === undefined) return undefined
  const isPresent = version === contexts.version(ref)
  const present = isPresent
    ? expanded(record, { ...RECORD, key: ref })
    : contexts.present(ref, snapshotOf(ref, order, stored, contexts), version).record
  return present as IdempotencyRecord | undefined
}

/** As the version of the chart has it that stored it; the record only of a payment that a step leads on from. */
function snapshotOf(
  ref: Ref<'payment'>,
  order: number,
  { version, state, context: kept, record }: StoredPayment,
  contexts: StoredContexts,
): Snapshot {
  const context = contexts.expanded(ref, { ...kept, order }, version)
  const defaults = contexts.defaults(ref, PAYMENT_DEFAULTS, version)
  unfold(context as unknown as PaymentFields, kept, defaults)
  if (record === undefined || version === contexts.version(ref)) return { state, context }
  return { state, context, record: expanded(record, { ...defaults.record, key: ref }) }
}

/** Adds to a context what the stored one leaves out. */
function unfold(context: PaymentFields, kept: Fields, defaults: PaymentDefaults): void {
  const { terms, decision, gates = [] } = kept as { terms?: Fields; decision?: Fields; gates?: Fields[] }
  if (terms) context.terms = termsFrom(terms, defaults.terms)
  if (decision) context.decision = decisionFrom(decision, context.terms, defaults.decision)
  if (kept['expiresAt'] === undefined) context.expiresAt = endOf(context)
  context.gates = gates.map((gate) => gateFrom(gate, context.terms))
  const held = heldBy(context)
  context.holds = gates.flatMap((gate, at) => holdFrom(gate, context.gates[at]!, held))
}

/** When most payments expire. */
function endOf({ createdAt, approvedForMs }: PaymentFields): number {
  return createdAt + approvedForMs
}

function storedTerms(terms: PaymentTerms): Fields {
  const kept = reduced(terms, TERMS)
  if (terms.wallet) kept['wallet'] = reduced(terms.wallet, { id: terms.walletId })
  return kept
}

function termsFrom(kept: Fields, defaults: Implied): PaymentTerms {
  const terms = expanded(kept, defaults)
  const { wallet, walletId } = terms
  if (wallet) terms['wallet'] = expanded(wallet as Fields, { id: walletId })
  return terms as unknown as PaymentTerms
}

function storedDecision(decision: Decision, terms: PaymentTerms | null): Fields {
  const kept = reduced(decision, DECISION)
  kept['facts'] = reduced(decision.facts, factsOf(terms))
  return kept
}

function decisionFrom(kept: Fields, terms: PaymentTerms | null, defaults: Implied): Decision {
  const decision = expanded(kept, defaults)
  decision['facts'] = expanded(decision['facts'] as Fields, factsOf(terms))
  return decision as unknown as Decision
}

/** The facts that repeat the terms. */
function factsOf(terms: PaymentTerms | null): Implied {
  if (terms === null) return NOTHING
  const { amount, category, recipientAddress } = terms
  return { amount, category, recipient: recipientAddress?.toLowerCase() ?? null }
}

/** A gate, with what is held at it; `ref` is the kind alone where the payment's terms name the gate. */
function storedGate(gate: Gate, hold: Hold | undefined, terms: PaymentTerms | null, held: Held): Fields {
  const { ref, amount } = gate
  const kept = reduced(gate, { amount: terms?.amount })
  if (ref === namedGate(kindOf(ref), terms)) kept['ref'] = kindOf(ref)
  if (gate.terms) kept['terms'] = reduced(gate.terms, recipientOf(ref, terms))
  if (hold) kept['hold'] = reduced(hold, { amount, ...held(ref) })
  return kept
}

function gateFrom({ hold: _hold, ...kept }: Fields, terms: PaymentTerms | null): Gate {
  const gate = expanded(kept, { amount: terms?.amount }) as unknown as Gate
  if (!gate.ref.includes('/')) gate.ref = namedGate(gate.ref, terms)!
  if (gate.terms) gate.terms = expanded(gate.terms, recipientOf(gate.ref, terms)) as { [name: string]: string }
  return gate
}

function holdFrom({ hold }: Fields, { ref, amount }: Gate, held: Held): Hold[] {
  return hold === undefined ? [] : [expanded(hold as Fields, { amount, ...held(ref) }) as unknown as Hold]
}

/** What most holds at a gate say. */
type Held = (gate: Ref) => Implied

/** Agents count payments from their request on, and an execution captures all holds at once. */
function heldBy({ createdAt, executedAt }: PaymentFields): Held {
  const captured = executedAt === null ? NOTHING : { capturedAt: executedAt }
  const counted = { at: createdAt, ...captured }
  return (gate) => (kindOf(gate) === 'agent' ? counted : captured)
}

/** The gate of a kind that the terms name. */
function namedGate(kind: string, terms: PaymentTerms | null): Ref | undefined {
  const ids: { [kind: string]: string | null | undefined } = {
    agent: terms?.agentId,
    delegation: terms?.delegationId,
    wallet: terms?.walletId,
  }
  const id = ids[kind]
  return id ? `${kind}/${id}` : undefined
}

/** What a counterparty is asked with, which repeats the terms. */
function recipientOf(ref: Ref, terms: PaymentTerms | null): Implied {
  if (terms === null || kindOf(ref) !== 'counterparty') return NOTHING
  return { id: idOf(ref), name: terms.recipientName, address: terms.recipientAddress }
}
