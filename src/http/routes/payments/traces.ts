// How a payment was decided: the trace of its decision, and the decision made again on the stored facts.
import * as v from 'valibot'
import type { PolicyTrace } from '../../../../rules/evaluate.js'
import { shownFacts } from '../../../../rules/facts.js'
import type { Actor } from '../../../actor/actor.js'
import type { Replayed } from '../../../commands/policies/replay.js'
import { currentDecision, type Decision } from '../../../domain/payment/terms.js'
import { freeObject, recordSchema } from '../../input/schemas.js'
import { paymentSchema, violationRecord, violationSchema } from './records.js'

const policyTraceSchema = recordSchema('PolicyTrace', {
  policyId: v.string(),
  policyVersion: v.number(),
  policyName: v.string(),
  contentHash: v.string(),
  rules: v.array(
    v.object({
      ruleId: v.string(),
      ruleType: v.string(),
      operator: v.nullable(v.string()),
      value: v.unknown(),
      action: v.picklist(['ALLOW', 'DENY', 'REQUIRE_APPROVAL']),
      outcome: v.picklist(['PASSED', 'DENIED', 'REQUIRES_APPROVAL', 'NOT_APPLICABLE']),
      facts: freeObject,
      explanation: v.string(),
    }),
  ),
})

const decidedSchema = v.object({
  outcome: v.string(),
  violations: v.array(violationSchema),
  policies: v.array(policyTraceSchema),
})

export const tracedPaymentSchema = recordSchema('TracedPayment', {
  ...paymentSchema.entries,
  trace: v.object({
    ...decidedSchema.entries,
    /** The gate that refused a payment which the facts allowed, and why. */
    refusal: v.optional(v.object({ gate: v.string(), violations: v.array(violationSchema) })),
    /** The decision of the request, if a later review decided again. */
    request: v.optional(v.object({ decisionId: v.string(), policySetHash: v.string(), ...decidedSchema.entries })),
  }),
})

/**
 * The trace of the decision: each rule of each policy that applied, with its facts and result, and a gate's refusal.
 * `asked` is the decision of the request, if a later review replaced it.
 */
export function traceRecord(
  payment: Actor<'payment'>,
  standing: Replayed,
  asked: Replayed | undefined,
): v.InferOutput<typeof tracedPaymentSchema>['trace'] {
  const context = payment.context
  const { decision, causes, refusedBy } = context
  const { id: decisionId, policySetHash } = decision!
  return {
    ...decidedRecord(currentDecision(context), standing),
    ...(refusedBy !== null && { refusal: { gate: refusedBy, violations: causes.map(violationRecord) } }),
    ...(asked && { request: { decisionId, policySetHash, ...decidedRecord(decision!, asked) } }),
  }
}

function decidedRecord({ outcome, violations }: Decision, { rules }: Replayed): v.InferOutput<typeof decidedSchema> {
  return { outcome, violations: violations.map(violationRecord), policies: rules.trace.map(policyTraceRecord) }
}

export const replaySchema = recordSchema('Replay', {
  requestId: v.string(),
  policySetHash: v.string(),
  outcome: v.string(),
  violations: v.array(violationSchema),
  /** True when outcome and policy set are those of the original decision. */
  matches: v.boolean(),
  policies: v.array(policyTraceSchema),
})

export function replayRecord(
  payment: Actor<'payment'>,
  { rules, outcome, violations }: Replayed,
): v.InferOutput<typeof replaySchema> {
  const context = payment.context
  const decision = currentDecision(context)
  return {
    requestId: context.id,
    policySetHash: rules.policySetHash,
    outcome,
    violations: violations.map(violationRecord),
    matches: outcome === decision.outcome && rules.policySetHash === decision.policySetHash,
    policies: rules.trace.map(policyTraceRecord),
  }
}

function policyTraceRecord({ rules, ...policy }: PolicyTrace): v.InferOutput<typeof policyTraceSchema> {
  return { ...policy, rules: rules.map((rule) => ({ ...rule, facts: shownFacts(rule.facts) })) }
}
