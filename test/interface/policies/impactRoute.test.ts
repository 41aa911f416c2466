// The HTTP route that shows the impact of an edit: its answers and its refusals.
import test from 'ava'
import { createPolicy } from '../../../src/commands/policies/policies.js'
import { policyImpactRoutes } from '../../../src/http/routes/policies/impact.js'
import { done, newOrganization, openBare } from '../../support/commands.js'
import type { Failure } from '../../support/client.js'
import { wholeFile } from '../../support/process.js'
import { RECIPIENT } from '../../support/payments.js'
import { startStage, type Policy, type Stage } from '../../support/policies.js'
import type { PolicyImpact } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const DAILY = (value: number) => ({ ruleType: 'DAILY_LIMIT', value })
const impact = (id: string, edited: object, query = ''): Promise<PolicyImpact> =>
  stage.must('POST', `/api/policies/${id}/impact${query}`, edited)

test('impact reports counts of changed decisions, the period, and the newest changes as examples', async (t) => {
  const { agent, policy } = await stage.governed([DAILY(100)])
  const made = []
  for (const amount of [5, 6, 7])
    made.push(await stage.pay(agent, amount, { category: 'cloud', recipientName: 'Cloud' }))
  const found = await impact(policy.id, { rules: [DAILY(5)] })
  t.like(found, {
    policyId: policy.id,
    version: 1,
    replayed: 3,
    complete: true,
    asDecided: 3,
    changed: 2,
    failingTests: [],
  })
  t.deepEqual(found.changes, [{ before: 'APPROVED', after: 'DENIED', count: 2 }])
  t.deepEqual(
    found.examples.map(({ paymentId }) => paymentId),
    [made[2]!.requestId, made[1]!.requestId],
  )
  const [{ violations, at, ...example }] = found.examples as [PolicyImpact['examples'][number]]
  t.deepEqual(example, {
    paymentId: made[2]!.requestId,
    agentId: agent.agentId,
    amount: 7,
    currency: 'USDC',
    recipientAddress: RECIPIENT.replace('a1', 'A1'),
    recipientName: 'Cloud',
    category: 'cloud',
    before: 'APPROVED',
    after: 'DENIED',
  } as object)
  t.is(at, found.period!.to)
  t.true(found.period!.from <= at)
  t.like(violations[0], { type: 'DAILY_LIMIT', limit: 5, current: 5, policyId: policy.id, policyVersion: 2 })
  t.is((await impact(policy.id, { rules: [DAILY(5)] }, '?examples=1')).examples.length, 1)
  t.deepEqual((await impact(policy.id, { rules: [DAILY(5)] }, '?examples=0')).examples, [])
})

test('requesting the impact of an edit does not change the policy', async (t) => {
  const { agent, policy } = await stage.governed([DAILY(100)])
  await stage.pay(agent, 5)
  await impact(policy.id, { rules: [DAILY(1)], name: 'Otherwise' })
  t.deepEqual(await stage.must<Policy>('GET', `/api/policies/${policy.id}`), policy)
})

test('the impact on a policy without payments has no period', async (t) => {
  const { policy } = await stage.governed([DAILY(100)])
  t.like(await impact(policy.id, { rules: [] }), { replayed: 0, period: null, changed: 0, changes: [], examples: [] })
})

test('impact names the stored tests that the edit would break', async (t) => {
  const { policy } = await stage.governed([DAILY(100)])
  const tests = [{ name: 'Fifty', payment: { amount: 50 }, expect: 'APPROVED' }]
  await stage.must('PUT', `/api/policies/${policy.id}/tests`, { tests })
  const { failingTests } = await impact(policy.id, { rules: [DAILY(5)] })
  t.deepEqual(failingTests, [{ name: 'Fifty', message: 'expects APPROVED, and would be DENIED' }])
})

test('an invalid edit is refused with the path of the error', async (t) => {
  const { policy } = await stage.governed([DAILY(100)])
  const wrong: [edited: object, path: string][] = [
    [{ rules: [DAILY(1), DAILY(-1)] }, 'rules.1.value'],
    [{ rules: [{ ruleType: 'NONE', value: 1 }] }, 'rules.0.ruleType'],
    [{ priority: 101 }, 'priority'],
    [{ policyType: 'CATEGORY' }, 'policyType'],
  ]
  for (const [edited, path] of wrong) {
    const answer = await stage.admin<Failure>('POST', `/api/policies/${policy.id}/impact`, edited)
    t.is(answer.status, 400)
    t.deepEqual(
      answer.body.details!.map((detail) => detail.path),
      [path],
    )
  }
})

test('sixteen replays of an organization wait at a time, and others of it are refused', async (t) => {
  const bare = openBare(t)
  const { handler } = policyImpactRoutes.at(-1)!
  const organizations = [await newOrganization(bare), await newOrganization(bare)]
  const replay = async ({ admin }: (typeof organizations)[number], policyId: string): Promise<unknown> => {
    const call = { services: bare.services, caller: admin, params: { policyId }, query: { examples: 0 }, body: {} }
    const answer = await handler({ ...call, principal: admin.principal } as never)
    return answer.ok ? answer.value.status : answer.refusal.code
  }
  const policies = await Promise.all(
    organizations.map(async ({ admin }) => {
      const given = {
        name: 'Policy',
        policyType: 'COMPOSITE',
        rules: [],
        scope: 'assigned',
        priority: 50,
        isActive: true,
      } as const
      const actor = done(await createPolicy(bare.services, admin, given))
      return String(actor.context['id'])
    }),
  )
  const [busy, other] = organizations as [(typeof organizations)[number], (typeof organizations)[number]]
  const all = [...Array(18).keys()].map(() => replay(busy, policies[0]!))
  const theirs = replay(other, policies[1]!)
  t.deepEqual(await Promise.all(all), [...Array<number>(16).fill(200), 'RATE_LIMITED', 'RATE_LIMITED'])
  t.is(await theirs, 200)
  t.is(await replay(busy, policies[0]!), 200)
})
