// The policy impact routes: which of the latest decisions an edit of a policy, or a new one, would have changed.
import * as v from 'valibot'
import { impactOf, impactOfNew, type Compared, type Impact } from '../../../commands/policies/impact.js'
import { keyedMutex } from '../../../async/keyedMutex.js'
import { toNumber } from '../../../domain/values/money.js'
import { OUTCOMES } from '../../../domain/payment/terms.js'
import { refuse } from '../../../domain/outcomes/result.js'
import { concurrencyLimit } from '../../../async/concurrencyLimit.js'
import { violationRecord, violationSchema } from '../payments/records.js'
import { agentIds, draftPolicy, policyUpdate, rules } from './policies.js'
import { wholeNumberOr } from '../../input/querySchemas.js'
import { iso, ok } from '../../server/respond.js'
import { recordSchema } from '../../input/schemas.js'
import { route, type HandlerInput } from '../../server/route.js'

const outcome = v.picklist(OUTCOMES)

const impactSchema = recordSchema('PolicyImpact', {
  /** Null, and the version 0, for a policy that does not exist yet. */
  policyId: v.nullable(v.string()),
  version: v.number(),
  replayed: v.number(),
  complete: v.boolean(),
  period: v.nullable(v.object({ from: v.string(), to: v.string() })),
  asDecided: v.number(),
  changed: v.number(),
  changes: v.array(v.object({ before: outcome, after: outcome, count: v.number() })),
  examples: v.array(
    v.object({
      paymentId: v.string(),
      agentId: v.string(),
      amount: v.number(),
      currency: v.string(),
      recipientAddress: v.nullable(v.string()),
      recipientName: v.nullable(v.string()),
      category: v.nullable(v.string()),
      at: v.string(),
      before: outcome,
      after: outcome,
      violations: v.array(violationSchema),
    }),
  ),
  failingTests: v.array(v.object({ name: v.string(), message: v.string() })),
})

/** Replays of an organization, waiting ones included, so that no other waits for many of them. */
const MAX_OPEN = 16

// One replay at a time for all callers, because payments are decided in the same thread.
const inTurn = keyedMutex()
const few = concurrencyLimit(MAX_OPEN)

async function answer({ principal, query }: Asked, replay: () => ReturnType<typeof impactOf>) {
  const impact = await few(principal.organization, () => inTurn('impact', replay))
  if (!impact)
    return refuse('RATE_LIMITED', 'Impacts of other edits of this organization are being computed: try again later')
  return impact.ok ? ok(impactRecord(impact.value, query.examples)) : impact
}

const shared = {
  method: 'POST',
  access: { key: 'organization', scope: 'policies:read' },
  idempotency: 'unkept',
  query: v.strictObject({ examples: wholeNumberOr(20, 0, 100) }),
  answers: { 200: impactSchema },
} as const

export const policyImpactRoutes = [
  route({
    ...shared,
    operationId: 'assessNewPolicyImpact',
    path: '/api/policies/impact',
    summary: 'Impact of a new policy: which of the last 1,000 decisions it would change; nothing is stored',
    body: v.strictObject({ policy: draftPolicy, agentIds }),
    refuses: ['INVALID_AMOUNT', 'INVALID_ADDRESS'],
    handler: (call) => {
      const { policy, agentIds: assigned } = call.body
      return answer(call, () => impactOfNew(call.services, call.caller, { ...policy, agentIds: assigned }))
    },
  }),
  route({
    ...shared,
    operationId: 'assessPolicyImpact',
    path: '/api/policies/:policyId/impact',
    summary: 'Impact of an edit: which of the last 1,000 decisions it would change; nothing is stored',
    body: v.strictObject({ ...policyUpdate.entries, rules: v.optional(rules) }),
    refuses: ['INVALID_STATUS', 'INVALID_AMOUNT', 'INVALID_ADDRESS', 'POLICY_TESTS_FAILED'],
    handler: (call) => answer(call, () => impactOf(call.services, call.caller, call.params.policyId, call.body)),
  }),
]

type Asked = Pick<HandlerInput, 'principal'> & { query: { examples: number } }

function impactRecord(
  { policyId, version, compared, isComplete, failing }: Impact,
  examples: number,
): v.InferOutput<typeof impactSchema> {
  const changed = compared.filter(({ before, after }) => before.outcome !== after.outcome)
  const [first, last] = [compared.at(0), compared.at(-1)]
  return {
    policyId,
    version,
    replayed: compared.length,
    complete: isComplete,
    period: first && last ? { from: iso(first.past.now), to: iso(last.past.now) } : null,
    asDecided: compared.filter(({ past, before }) => past.outcome === before.outcome).length,
    changed: changed.length,
    changes: changesOf(changed),
    examples: changed
      .slice(changed.length - Math.min(examples, changed.length))
      .reverse()
      .map(exampleRecord),
    failingTests: failing,
  }
}

/** Counts the changed decisions by outcome before and after. */
function changesOf(changed: readonly Compared[]): v.InferOutput<typeof impactSchema>['changes'] {
  const pairs = OUTCOMES.flatMap((before) => OUTCOMES.map((after) => ({ before, after })))
  const counted = pairs.map(({ before, after }) => {
    const alike = changed.filter((one) => one.before.outcome === before && one.after.outcome === after)
    return { before, after, count: alike.length }
  })
  return counted.filter(({ count }) => count > 0)
}

/** `violations` come from whichever of the two decisions denies. */
function exampleRecord({ past, before, after }: Compared): v.InferOutput<typeof impactSchema>['examples'][number] {
  const { agentId, amount, currency, recipientAddress, recipientName, category } = past.terms
  return {
    paymentId: past.id,
    agentId,
    amount: toNumber(amount),
    currency,
    recipientAddress,
    recipientName,
    category,
    at: iso(past.now),
    before: before.outcome,
    after: after.outcome,
    violations: (after.outcome === 'DENIED' ? after : before).violations.map(violationRecord),
  }
}
