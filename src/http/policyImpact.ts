// The policy impact route: which of the latest decisions an edit of a policy would have changed.
import * as v from 'valibot'
import { policyContext } from '../commands/contexts.js'
import { impactOf, type Compared, type Impact } from '../commands/impact.js'
import { oneByOne } from '../actor/oneByOne.js'
import type { Services } from '../commands/ports.js'
import type { Json } from '../domain/canonical.js'
import { toNumber } from '../domain/money.js'
import { OUTCOMES } from '../domain/payment.js'
import { refuse } from '../domain/refusal.js'
import { fewAtOnce } from './fewAtOnce.js'
import { violationRecord, violationSchema } from './paymentRecords.js'
import { policyUpdate, rules } from './policies.js'
import { wholeNumberOr } from './querySchemas.js'
import { iso, ok, reader } from './respond.js'
import { route, type Route } from './route.js'

const outcome = v.picklist(OUTCOMES)

const impactSchema = v.object({
  policyId: v.string(),
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
      recipientAddress: v.string(),
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

export function policyImpactRoute(services: Services): Route {
  // One replay at a time for all callers, because payments are decided in the same thread.
  const inTurn = oneByOne()
  const few = fewAtOnce(MAX_OPEN)
  return route({
    operationId: 'assessPolicyImpact',
    method: 'POST',
    path: '/api/policies/:policyId/impact',
    access: { key: 'organization', scope: 'policies:read' },
    memory: 'unkept',
    summary: 'Which of the last 1,000 decisions an edit would change; nothing is stored',
    query: v.strictObject({ examples: wholeNumberOr(20, 0, 100) }),
    body: v.strictObject({ ...policyUpdate.entries, rules: v.optional(rules) }),
    answers: { 200: { name: 'PolicyImpact', schema: impactSchema } },
    handler: async (call) => {
      const replay = () => impactOf(services, reader(call), call.params['policyId']!, call.body)
      const impact = await few(call.principal.organization, () => inTurn('impact', replay))
      if (!impact) return refuse('RATE_LIMITED', 'Other edits of this organization are replayed: wait for them')
      return impact.ok ? ok(impactRecord(impact, call.query.examples)) : impact
    },
  })
}

function impactRecord({ policy, compared, isComplete, failing }: Impact, examples: number): Json {
  const { id: policyId, version } = policyContext(policy)
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
    failingTests: failing as unknown as Json,
  }
}

/** Counts the changed decisions by outcome before and after. */
function changesOf(changed: readonly Compared[]): Json[] {
  const pairs = OUTCOMES.flatMap((before) => OUTCOMES.map((after) => ({ before, after })))
  const counted = pairs.map(({ before, after }) => {
    const alike = changed.filter((one) => one.before.outcome === before && one.after.outcome === after)
    return { before, after, count: alike.length }
  })
  return counted.filter(({ count }) => count > 0)
}

/** `violations` come from whichever of the two decisions denies. */
function exampleRecord({ past, before, after }: Compared): Json {
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
