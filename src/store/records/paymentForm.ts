// A payment as it is stored: what its terms, its gates and its holds say alike is written once.
import { idOf, kindOf, type Actor } from '../../actor/actor.js'
import type { Gate, Hold, Ref } from '../../domain/limits/gate.js'
import type { IdempotencyRecord } from '../../domain/outcomes/idempotencyRecord.js'
import type { Decision, PaymentTerms } from '../../domain/payment/terms.js'
import type { Json } from '../../domain/values/canonical.js'
import type { StoredContexts } from './storedContexts.js'
import { expanded, reduced, type Fields, type Implied } from './fields.js'

/** Id and order are in the key of the row. */
export interface StoredPayment {
  version: number
  revision: number
  state: string
  context: Fields
  terms?: Fields
  decision?: Fields
  gates?: StoredGate[]
  record?: Fields
}

/** A gate, and what is held at it. */
interface StoredGate extends Fields {
  /** The kind alone where the payment's terms name the gate. */
  ref: string
}

/** What most terms say. */
const TERMS = {
  currency: 'USDC',
  chainType: 'EVM',
  recipientName: null,
  purpose: null,
  category: null,
  context: null,
  executionContext: null,
  urgency: 'NORMAL',
  idempotencyKey: null,
} satisfies Partial<PaymentTerms>

const DECISION = { violations: [], preapproval: false } satisfies Partial<Decision>
const RECORD = { status: 200, expiresAt: null } satisfies Partial<IdempotencyRecord>
const NOTHING: Implied = {}

export function storedPayment(
  payment: Actor<'payment'>,
  record: IdempotencyRecord | undefined,
  contexts: StoredContexts,
): StoredPayment {
  const { version, revision, state, context } = payment
  const { terms, decision, gates, holds } = context
  const {
    order: _order,
    terms: _terms,
    decision: _decision,
    gates: _gates,
    holds: _holds,
    ...rest
  } = contexts.reduced(payment)
  return {
    version,
    revision,
    state,
    context: rest,
    ...(terms && { terms: storedTerms(terms) }),
    ...(decision && { decision: storedDecision(decision, terms) }),
    ...(gates.length > 0 && { gates: gates.map((gate, at) => storedGate(gate, holds[at], terms)) }),
    ...(record && { record: reduced(record, { ...RECORD, key: payment.ref }) }),
  }
}

export function paymentFrom(
  ref: Ref<'payment'>,
  order: number,
  stored: StoredPayment,
  contexts: StoredContexts,
): Actor<'payment'> {
  const { version, revision, state } = stored
  const terms = stored.terms ? termsFrom(stored.terms) : null
  const gates = stored.gates ?? []
  const context = contexts.expanded(ref, { ...stored.context, order }) as Actor<'payment'>['context']
  context.terms = terms
  context.decision = stored.decision ? decisionFrom(stored.decision, terms) : null
  context.gates = gates.map((gate) => gateFrom(gate, terms))
  context.holds = gates.flatMap((gate, at) => holdFrom(gate, context.gates[at]!))
  return { ref, version, revision, state, context }
}

export function recordFrom(ref: Ref<'payment'>, { record }: StoredPayment): IdempotencyRecord | undefined {
  return record && (expanded(record, { ...RECORD, key: ref }) as unknown as IdempotencyRecord)
}

function storedTerms(terms: PaymentTerms): Fields {
  const { wallet, ...rest } = terms
  const kept = reduced(rest, TERMS)
  return wallet === null ? kept : { ...kept, wallet: reduced(wallet, { id: terms.walletId }) }
}

function termsFrom({ wallet, ...kept }: Fields): PaymentTerms {
  const terms = expanded(kept, TERMS) as unknown as PaymentTerms
  terms.wallet =
    wallet === undefined
      ? null
      : (expanded(wallet as Fields, { id: terms.walletId }) as unknown as PaymentTerms['wallet'])
  return terms
}

function storedDecision({ facts, ...rest }: Decision, terms: PaymentTerms | null): Fields {
  return { ...reduced(rest, DECISION), facts: reduced(facts, factsOf(terms)) as Json }
}

function decisionFrom({ facts, ...kept }: Fields, terms: PaymentTerms | null): Decision {
  return { ...expanded(kept, DECISION), facts: expanded(facts as Fields, factsOf(terms)) } as unknown as Decision
}

/** The facts that repeat the terms. */
function factsOf(terms: PaymentTerms | null): Implied {
  if (terms === null) return NOTHING
  const { amount, category, recipientAddress } = terms
  return { amount, category, recipient: recipientAddress?.toLowerCase() ?? null }
}

function storedGate(
  { ref, terms: asked, ...gate }: Gate,
  hold: Hold | undefined,
  terms: PaymentTerms | null,
): StoredGate {
  return {
    ref: ref === namedGate(kindOf(ref), terms) ? kindOf(ref) : ref,
    ...reduced(gate, { amount: terms?.amount }),
    ...(asked && { terms: reduced(asked, recipientOf(ref, terms)) as Json }),
    ...(hold && { hold: reduced(hold, { amount: gate.amount }) as Json }),
  }
}

function gateFrom({ ref: named, terms: asked, hold: _hold, ...kept }: StoredGate, terms: PaymentTerms | null): Gate {
  const ref = named.includes('/') ? (named as Ref) : namedGate(named, terms)!
  const gate = { ref, ...expanded(kept, { amount: terms?.amount }) } as unknown as Gate
  if (asked !== undefined) gate.terms = expanded(asked as Fields, recipientOf(ref, terms)) as { [name: string]: string }
  return gate
}

function holdFrom({ hold }: StoredGate, { amount }: Gate): Hold[] {
  return hold === undefined ? [] : [expanded(hold as Fields, { amount }) as unknown as Hold]
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
