// A payment as it is stored: what its terms, its gates and its holds say alike is written once.
import { idOf, kindOf, type Actor } from '../../actor/actor.js'
import type { Gate, Hold, Ref } from '../../domain/limits/gate.js'
import type { IdempotencyRecord } from '../../domain/outcomes/idempotencyRecord.js'
import type { Decision, PaymentTerms } from '../../domain/payment/terms.js'
import { asJson } from '../../domain/values/canonical.js'
import type { Defaults, Snapshot } from '../../domain/values/migration.js'
import type { StoredContexts } from './storedContexts.js'
import { expanded, reduced, type Fields, type Implied, type Reduced } from './fields.js'

/** Id and order are in the key of the row; the holds are in the gates. */
export interface StoredPayment {
  version: number
  revision: number
  state: string
  context: StoredPaymentContext
  record?: Reduced<IdempotencyRecord>
}

type StoredPaymentContext = Fields & { terms?: StoredTerms; decision?: StoredDecision; gates?: StoredGate[] }

type StoredTerms = Reduced<OuterTerms>
interface OuterTerms extends Omit<PaymentTerms, 'wallet'> {
  wallet: Reduced<NonNullable<PaymentTerms['wallet']>> | null
}

type StoredDecision = Reduced<OuterDecision>
interface OuterDecision extends Omit<Decision, 'facts'> {
  facts: Reduced<Decision['facts']>
}

/** A gate, with what is held at it. */
type StoredGate = Reduced<OuterGate> & { hold?: Reduced<Hold> }
interface OuterGate extends Omit<Gate, 'ref' | 'terms'> {
  /** The kind alone where the payment's terms name the gate. */
  ref: string
  terms?: Reduced<GateTerms>
}
type GateTerms = NonNullable<Gate['terms']>

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

type PaymentContext = Actor<'payment'>['context']
type PaymentTimes = Pick<PaymentContext, 'createdAt' | 'approvedForMs' | 'executedAt'>
type PaymentDefaults = { readonly [Part in keyof typeof PAYMENT_DEFAULTS]: Defaults }

const NOTHING = {}

export function storedPayment(
  payment: Actor<'payment'>,
  record: IdempotencyRecord | undefined,
  contexts: StoredContexts,
): StoredPayment {
  const { version, revision, state, context: whole } = payment
  const { terms, decision, gates, holds, expiresAt } = whole
  const held = heldBy(whole)
  const context = Object.assign(contexts.reduced(payment), {
    // JSON leaves out what is undefined.
    order: undefined,
    holds: undefined,
    expiresAt: expiresAt === endOf(whole) ? undefined : expiresAt,
    ...(terms && { terms: storedTerms(terms) }),
    ...(decision && { decision: storedDecision(decision, terms) }),
    ...(gates.length > 0 && { gates: gates.map((gate, at) => storedGate(gate, holds[at], terms, held)) }),
  })
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
  return contexts.actor(ref, revision, snapshotOf(ref, order, stored, contexts), version)
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
  if (version === contexts.version(ref)) return expanded(record, { ...RECORD, key: ref })
  const present = contexts.present(ref, snapshotOf(ref, order, stored, contexts), version)
  return present.record as IdempotencyRecord | undefined
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
  Object.assign(context, leftOut(kept, defaults, context as PaymentTimes))
  if (record === undefined || version === contexts.version(ref)) return { state, context }
  return { state, context, record: asJson(expanded(record, { ...defaults.record, key: ref })) }
}

/** What the stored context leaves out. */
function leftOut(kept: StoredPaymentContext, defaults: PaymentDefaults, times: PaymentTimes): Partial<PaymentContext> {
  const terms = kept.terms ? termsFrom(kept.terms, defaults.terms) : null
  const { decision, gates: storedGates = [] } = kept
  const gates = storedGates.map((gate) => gateFrom(gate, terms))
  const held = heldBy(times)
  return {
    ...(terms && { terms }),
    ...(decision && { decision: decisionFrom(decision, terms, defaults.decision) }),
    ...(kept['expiresAt'] === undefined && { expiresAt: endOf(times) }),
    gates,
    holds: storedGates.flatMap((gate, at) => holdFrom(gate, gates[at]!, held)),
  }
}

/** When most payments expire. */
function endOf({ createdAt, approvedForMs }: PaymentTimes): number {
  return createdAt + approvedForMs
}

function storedTerms(terms: PaymentTerms): StoredTerms {
  const { wallet, walletId } = terms
  return Object.assign(reduced(terms, TERMS), wallet && { wallet: reduced(wallet, { id: walletId }) })
}

function termsFrom(kept: StoredTerms, defaults: Defaults): PaymentTerms {
  const terms = expanded<OuterTerms>(kept, defaults)
  const { wallet, walletId } = terms
  return Object.assign(terms, wallet && { wallet: expanded(wallet, { id: walletId }) })
}

function storedDecision(decision: Decision, terms: PaymentTerms | null): StoredDecision {
  return Object.assign(reduced(decision, DECISION), { facts: reduced(decision.facts, factsOf(terms)) })
}

function decisionFrom(kept: StoredDecision, terms: PaymentTerms | null, defaults: Defaults): Decision {
  const decision = expanded<OuterDecision>(kept, defaults)
  return Object.assign(decision, { facts: expanded(decision.facts, factsOf(terms)) })
}

/** The facts that repeat the terms. */
function factsOf(terms: PaymentTerms | null): Implied<Decision['facts']> {
  if (terms === null) return NOTHING
  const { amount, category, recipientAddress } = terms
  return { amount, category, recipient: recipientAddress?.toLowerCase() ?? null }
}

function storedGate(gate: Gate, hold: Hold | undefined, terms: PaymentTerms | null, held: Held): StoredGate {
  const { ref, amount } = gate
  return Object.assign(reduced(gate, { amount: terms?.amount }), {
    ...(ref === namedGate(kindOf(ref), terms) && { ref: kindOf(ref) }),
    ...(gate.terms && { terms: reduced(gate.terms, recipientOf(ref, terms)) }),
    ...(hold && { hold: reduced(hold, { amount, ...held(ref) }) }),
  })
}

function gateFrom({ hold: _hold, ...kept }: StoredGate, terms: PaymentTerms | null): Gate {
  const gate = expanded<OuterGate>(kept, { amount: terms?.amount })
  const ref = isRef(gate.ref) ? gate.ref : namedGate(gate.ref, terms)!
  return Object.assign(gate, { ref, ...(gate.terms && { terms: expanded(gate.terms, recipientOf(ref, terms)) }) })
}

function isRef(text: string): text is Ref {
  return text.includes('/')
}

function holdFrom({ hold }: StoredGate, { ref, amount }: Gate, held: Held): Hold[] {
  return hold === undefined ? [] : [expanded(hold, { amount, ...held(ref) })]
}

/** What most holds at a gate say. */
type Held = (gate: Ref) => Implied<Hold>

/** Agents count payments from their request on, and an execution captures all holds at once. */
function heldBy({ createdAt, executedAt }: PaymentTimes): Held {
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
function recipientOf(ref: Ref, terms: PaymentTerms | null): Implied<GateTerms> {
  if (terms === null || kindOf(ref) !== 'counterparty') return NOTHING
  return { id: idOf(ref), name: terms.recipientName, address: terms.recipientAddress }
}
