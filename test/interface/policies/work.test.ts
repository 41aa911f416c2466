// However many policies apply, a denial is short, what it keeps is short, and the work on its hints ends.
import test, { type ExecutionContext } from 'ava'
import type { ActorHost } from '../../../src/actor/host.js'
import { Effort, MAX_EFFORT } from '../../../src/commands/payments/effort.js'
import type { Search } from '../../../rules/ways.js'
import { createPolicy } from '../../../src/commands/policies/policies.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import { addressOf, done, newOrganization, openBare } from '../../support/commands.js'
import { startStage, type Stage } from '../../support/policies.js'
import type { Decision } from '../../../sdk/api.js'

const RULES = 100
const MAX_ANSWER = 32 * 1024
const RECIPIENT = `0x${'1'.repeat(40)}`

/** Policies of the organization, each with rules of its own. */
async function manyPolicies(stage: Stage, count: number, ruleOf: (at: number) => object): Promise<void> {
  for (let policy = 0; policy < count; policy += 1) {
    const rules = Array.from({ length: RULES }, (_, at) => ruleOf(policy * RULES + at))
    await stage.policy(rules, { scope: 'organization' })
  }
}

const most = (at: number): object => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: (100 + at) / 100 })

test('a denial by 2,000 rules fits in 32 KB, says how many there are, and still names the amount that passes', async (t) => {
  const stage = await startStage(t)
  const agent = await stage.agent()
  await manyPolicies(stage, 20, most)
  const denied = (await stage.ask(agent, 500)) as Decision
  t.is(denied.violationsTotal, 2_000)
  t.true(denied.violations!.length < 100 && denied.violations!.length > 10)
  t.is(denied.reasons.length, denied.violations!.length)
  t.true(JSON.stringify(denied).length < MAX_ANSWER)
  t.like(denied.nearest, { maxAmountNow: 1 })
  const asked = { agentId: agent.agentId, payment: { amount: 500, recipientAddress: RECIPIENT } }
  const tried = await stage.must<Decision>('POST', '/api/policies/evaluate', asked)
  t.is(tried.violationsTotal, 2_000)
  t.true(JSON.stringify(tried).length < MAX_ANSWER)
  t.is((await stage.replay(denied.requestId)).matches, true)
})

test('a denial fits in 32 KB, also where its reasons are long and in letters of several bytes', async (t) => {
  const stage = await startStage(t)
  const agent = await stage.agent()
  const entry = (at: number): string => `${'\u6f22'.repeat(45)}${at}`
  const listed = (at: number): object => ({
    ruleType: 'ALLOWED_CATEGORIES',
    value: Array.from({ length: 5 }, (_, index) => entry(at * 5 + index)),
  })
  await manyPolicies(stage, 2, listed)
  const denied = (await stage.ask(agent, 1)) as Decision
  t.is(denied.violationsTotal, 200)
  t.true(Buffer.byteLength(JSON.stringify(denied)) < MAX_ANSWER)
})

test('a denial with few violations lists all of them, and has no total', async (t) => {
  const stage = await startStage(t)
  const { agent } = await stage.governed(Array.from({ length: 30 }, (_, at) => most(at)))
  const denied = (await stage.ask(agent, 500)) as Decision
  t.is(denied.violations!.length, 30)
  t.is(denied.violationsTotal, undefined)
  t.is(denied.nearest!.omitted, undefined)
})

test('a denial looks at every agent under shared budgets as often with ten budgets and wallets as with one', async (t) => {
  const looks = await Promise.all([1, 10].map((count) => looksAtOther(t, count)))
  t.true(looks[0]! > 0)
  t.is(looks[1], looks[0])
})

/** How often another agent is looked at for one denial, with so many shared budgets, and so many wallets to name. */
async function looksAtOther(t: ExecutionContext, count: number): Promise<number> {
  const bare = openBare(t)
  const { services } = bare
  const { admin, agent, wallet, delegate } = await newOrganization(bare)
  const other = await agent()
  const { id, caller } = await agent()
  const walletId = await wallet(0)
  await delegate(id, walletId, {})
  for (let at = 0; at < count; at += 1) {
    await delegate(id, await wallet(10_000_000), { spendLimitPerTx: null, spendLimitDaily: null })
    const cap = { ruleType: 'BUDGET_CAP', value: { amount: 1, period: 'DAILY', of: 'POLICY' } }
    const said = {
      policyType: 'SPEND_LIMIT',
      scope: 'organization',
      priority: 1,
      isActive: true,
      rules: [cap],
    } as const
    done(await createPolicy(services, admin, { name: `Cap ${at}`, ...said }))
  }
  let looks = 0
  const peek: ActorHost['peek'] = (ref) => {
    if (ref === `agent/${other.id}`) looks += 1
    return services.host.peek(ref)
  }
  const host = new Proxy(services.host, {
    get: (real, name: keyof ActorHost) => (name === 'peek' ? peek : real[name].bind(real)),
  })
  const wanted = { amount: 5_000_000, recipientAddress: addressOf(RECIPIENT), urgency: 'NORMAL', walletId } as const
  const asked = await requestPayment({ ...services, host }, caller, { ...wanted, autoExecute: false })
  t.is(done(asked).payment.state, 'denied')
  return looks
}

test('a denied payment keeps its reasons once, no gates, and only the budgets that its rules read', async (t) => {
  const stage = await startStage(t)
  const agent = await stage.agent()
  const cap = { ruleType: 'BUDGET_CAP', value: { amount: 1, period: 'DAILY', of: 'POLICY' } }
  await manyPolicies(stage, 3, (at) => (at % RULES === 0 ? cap : most(at)))
  const { requestId } = await stage.ask(agent, 500)
  await stage.stop()
  const { services } = openBare(t, stage.folder)
  const { causes, gates, decision } = services.host.peek(`payment/${requestId}`)!.context
  t.deepEqual([causes, gates], [[], []])
  t.is(Object.keys(decision!.facts).filter((fact) => fact.startsWith('budget:')).length, 3)
  t.is(decision!.violationsTotal, 300)
  t.true(JSON.stringify(decision).length < 16_384)
})

test('a hint that would cost too much work is left out, and the denial says so', async (t) => {
  const stage = await startStage(t)
  const agent = await stage.agent()
  // 2,000 conditions of two comparisons each, and all of them about the time.
  const hour = (at: number): string => `0${at % 9}:`
  const window = (at: number): object => {
    const minute = String(at % 60).padStart(2, '0')
    return { ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: { start: `${hour(at)}${minute}`, end: '09:00' } }
  }
  const rule = { ruleType: 'ANY_OF', value: Array.from({ length: 1_000 }, (_, at) => window(at)) }
  for (let policy = 0; policy < 26; policy += 1) await stage.policy([rule, rule], { scope: 'organization' })
  const denied = (await stage.ask(agent, 1)) as Decision
  t.is(denied.status, 'DENIED')
  t.deepEqual(denied.nearest, { approvalWouldAllow: false, omitted: ['earliestAt'] } as never)
  t.true(JSON.stringify(denied.context).includes('Too many rules apply for more hints'))
})

test('a search ends when its request has no effort left, and others get their turn meanwhile', async (t) => {
  let done = 0
  function* search(steps: number): Search<string> {
    for (let step = 0; step < steps; step += 1) {
      yield 10
      done += 10
    }
    return 'found'
  }
  let breaths = 0
  const effort = new Effort(async () => void (breaths += 1))
  t.deepEqual(await effort.spendOn(search(1_000)), { found: 'found' })
  t.is(breaths, 10)
  t.is(await effort.spendOn(search(MAX_EFFORT)), undefined)
  t.is(done, MAX_EFFORT, 'all that was allowed, and no more')
})

test('a gate is asked for the smallest limit on each number, however many rules limit it', async (t) => {
  const stage = await startStage(t)
  const agent = await stage.agent()
  await manyPolicies(stage, 2, (at) => ({ ruleType: 'DAILY_LIMIT', value: 1_000 + at }))
  const { requestId, status } = await stage.ask(agent, 1)
  t.is(status, 'APPROVED')
  await stage.stop()
  const { services } = openBare(t, stage.folder)
  const { gates } = services.host.peek(`payment/${requestId}`)!.context
  const [limit, ...others] = gates.flatMap(({ limits = [] }) => limits)
  t.is(limit?.limit, 1_000_000_000)
  t.deepEqual(others, [])
})
