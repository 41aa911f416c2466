// Holds that are over: they deny nothing, whether or not a timer has fired; they end in slices with other work between
// them, and in the background organizations take turns. Nothing ends by itself here.
import { setImmediate as nextRound } from 'node:timers/promises'
import test from 'ava'
import { configureDelegation, type GivenTerms } from '../../src/commands/agents/delegations.js'
import { permitPayment } from '../../src/commands/payments/externalPayments.js'
import { executePayment } from '../../src/commands/payments/payments.js'
import { createPolicy } from '../../src/commands/policies/policies.js'
import { requestPayment } from '../../src/commands/payments/request.js'
import { createWallet, fundWallet } from '../../src/commands/agents/wallets.js'
import { charts } from '../../machines/index.js'
import type { Actor } from '../../src/actor/actor.js'
import { wakeAtOf } from '../../src/actor/turn.js'
import type { ActorHost } from '../../src/actor/host.js'
import type { Micros } from '../../src/domain/values/money.js'
import { WEEKDAYS } from '../../src/domain/time/timezone.js'
import { OverdueActors } from '../../src/host/overdue.js'
import type { Timer } from '../../src/store/timers.js'
import { addressOf, done, newOrganization, openBare, randomAddress, type Bare } from '../support/commands.js'

const EVERY_DAY: GivenTerms = { spendLimitDaily: null, spendLimitPerTx: null, allowedDays: [...WEEKDAYS] }
const LATER_MS = 10 * 60_000

/** An organization's agent with a wallet of its own. */
async function payer(bare: Bare, { terms = {}, balance = 1_000_000 }: { terms?: GivenTerms; balance?: Micros } = {}) {
  const { services } = bare
  const { admin, agent, wallet, delegate } = await newOrganization(bare)
  const other = await agent()
  const { id: agentId, caller } = await agent()
  const walletId = await wallet(balance)
  await delegate(agentId, walletId, { ...EVERY_DAY, ...terms })
  await delegate(other.id, await wallet(1_000_000), EVERY_DAY)
  const pay = async (amount: Micros, by = caller): Promise<Actor<'payment'>> => {
    const recipientAddress = addressOf(randomAddress())
    const wanted = { amount, recipientAddress, urgency: 'NORMAL', autoExecute: false } as const
    return done(await requestPayment(services, by, wanted)).payment
  }
  return { admin, agentId, caller, walletId, delegate, wallet, pay, payByOther: () => pay(1, other.caller) }
}

const later = (bare: Bare): void => bare.setClock(bare.now() + LATER_MS)
const stateOf = ({ services }: Bare, { ref }: Actor): string => services.host.peek(ref)!.state
const expired = (bare: Bare, payments: Actor[]): number =>
  payments.filter((payment) => stateOf(bare, payment) === 'expired').length

async function many(count: number, pay: (amount: Micros) => Promise<Actor<'payment'>>): Promise<Actor<'payment'>[]> {
  return Promise.all(Array.from({ length: count }, () => pay(1)))
}

test('what others end while a payment is decided denies nothing', async (t) => {
  const bare = openBare(t)
  const { caller, pay } = await payer(bare, { balance: 100 })
  const held = await pay(100)
  later(bare)
  const overdue = bare.services.overdue as OverdueActors
  const inBackground = {
    isAny: overdue.isAny.bind(overdue),
    end: overdue.end.bind(overdue),
    endAt: async (...asked: Parameters<OverdueActors['endAt']>) => {
      while ((await overdue.round(new Set(), () => false)) > 0);
      return overdue.endAt(...asked)
    },
  }
  const services = { ...bare.services, overdue: inBackground }
  const recipientAddress = addressOf(randomAddress())
  const wanted = { amount: 100, recipientAddress, urgency: 'NORMAL', autoExecute: false } as const
  t.is(done(await requestPayment(services, caller, wanted)).payment.state, 'approved')
  t.is(stateOf(bare, held), 'expired')
})

/** Longer than a slice. */
const SLOW_MS = 6

test('holds that others have ended are no end of a line', async (t) => {
  const bare = openBare(t)
  const { walletId, pay } = await payer(bare)
  const held = await many(3, pay)
  later(bare)
  const wakeAtSlowly = (actor: Actor): number | undefined => {
    for (const began = performance.now(); performance.now() - began < SLOW_MS;);
    return wakeAtOf(charts, actor)
  }
  const { services, store, now } = bare
  const overdue = new OverdueActors({
    host: services.host,
    timers: store.timers,
    wakeAtOf: wakeAtSlowly,
    now,
    onError: (error) => t.fail(String(error)),
  })
  const organization = String(held[0]!.context['organization'])
  const { gates } = held[0]!.context
  const { ref: delegation } = gates.find(({ ref }) => ref.startsWith('delegation/'))!
  t.is(await overdue.endAt(organization, [`wallet/${walletId}`], 1), 1)
  t.is(await overdue.endAt(organization, [delegation], 1), 1)
  t.is(expired(bare, held), 2)
})

const POLICY = { name: 'Sum', policyType: 'SPEND_LIMIT', scope: 'assigned', priority: 1, isActive: true } as const
const sumRule = (action: string) => ({
  ruleType: 'BUDGET_CAP',
  operator: 'LTE',
  value: { amount: 0.0001, period: 'DAILY' },
  action,
})

const LIMITS: [what: string, terms: GivenTerms, balance: Micros, rule?: object][] = [
  ['a limit of the delegation', { spendLimitDaily: 100 }, 1_000],
  ['the balance of the wallet', {}, 100],
  ["a policy's limit on a sum", {}, 1_000, sumRule('ALLOW')],
]

for (const [what, terms, balance, rule] of LIMITS) {
  test(`holds that are over deny nothing by ${what}, and others are left alone`, async (t) => {
    const bare = openBare(t)
    const { admin, agentId, pay, payByOther } = await payer(bare, { terms, balance })
    if (rule) done(await createPolicy(bare.services, admin, { ...POLICY, rules: [rule] as never, agentIds: [agentId] }))
    const elsewhere = await payByOther()
    const held = await many(10, () => pay(10))
    t.deepEqual([held.at(-1)!.state, (await pay(1)).state], ['approved', 'denied'])
    later(bare)
    t.is((await pay(100)).state, 'approved')
    t.is(expired(bare, held), 10)
    t.is(stateOf(bare, elsewhere), 'approved')
  })
}

test('where holds that are over fill one wallet, no person is asked to allow another', async (t) => {
  const bare = openBare(t)
  const { agentId, pay, delegate, wallet } = await payer(bare, { terms: { spendLimitDaily: 100 } })
  await delegate(agentId, await wallet(1_000), { ...EVERY_DAY, delegationType: 'PREAPPROVED' })
  await pay(100)
  t.is((await pay(1)).state, 'awaitingApproval')
  later(bare)
  t.is((await pay(100)).state, 'approved')
})

test('a hold that is over does not keep another payment from being executed', async (t) => {
  const bare = openBare(t)
  const { services } = bare
  const { admin, agentId, caller, walletId, pay } = await payer(bare)
  const over = await pay(60)
  bare.setClock(bare.now() + 1_000)
  const { id } = (await pay(40)).context
  done(await configureDelegation(services, admin, agentId, walletId, { spendLimitDaily: 50 }))
  bare.setClock(over.context.expiresAt)
  t.is(done(await executePayment(services, caller, id)).state, 'executed')
  t.is(stateOf(bare, over), 'expired')
})

test('a hold that is over does not keep a permit from being shown again', async (t) => {
  const bare = openBare(t)
  const { services } = bare
  const { admin, agentId, caller, pay, delegate } = await payer(bare, { terms: { spendLimitPerTx: 0 } })
  const address = addressOf(randomAddress())
  const theirs = { name: 'Theirs', custodyType: 'EXTERNAL', chainType: 'EVM', address, walletType: 'EOA' } as const
  const walletId = String(done(await createWallet(services, admin, theirs)).wallet.context['id'])
  done(await fundWallet(services, admin, walletId, 1_000))
  await delegate(agentId, walletId, EVERY_DAY)
  const over = await pay(60)
  const { id } = (await pay(40)).context
  t.is(done(await permitPayment(services, caller, id)).state, 'permitted')
  done(await configureDelegation(services, admin, agentId, walletId, { spendLimitDaily: 50 }))
  t.like(await permitPayment(services, caller, id), { ok: false, refusal: { code: 'LIMIT_EXCEEDED' } })
  bare.setClock(over.context.expiresAt)
  t.is(done(await permitPayment(services, caller, id)).state, 'permitted')
})

test('a decision ends no more than it needs, in slices with other work between them', async (t) => {
  const bare = openBare(t)
  const { pay } = await payer(bare, { balance: 1_000 })
  const held = await many(1_000, pay)
  later(bare)
  t.is((await pay(1)).state, 'approved')
  t.true(expired(bare, held) < 1_000)
  let rounds = 0
  let isOver = false
  const counting = (async () => {
    for (; !isOver; rounds += 1) await nextRound()
  })()
  t.is((await pay(990)).state, 'approved')
  isOver = true
  await counting
  t.true(expired(bare, held) >= 991)
  t.true(rounds >= 5, `${rounds} rounds`)
})

test('in the background organizations take turns', async (t) => {
  const bare = openBare(t)
  const payers = await Promise.all([payer(bare), payer(bare)])
  const held = await Promise.all(payers.map(({ pay }) => many(500, pay)))
  later(bare)
  const overdue = bare.services.overdue as OverdueActors
  await overdue.round(new Set(), () => false)
  for (const payments of held) t.true(expired(bare, payments) > 0 && expired(bare, payments) < 500)
  while ((await overdue.round(new Set(), () => false)) > 0);
  for (const payments of held) t.is(expired(bare, payments), 500)
  t.deepEqual(bare.store.timers.organizations(bare.now()), [])
})

test('a timer that is written while the next one is looked for is not forgotten', async (t) => {
  const { store } = openBare(t)
  const session = (id: string): Actor<'session'> => ({
    ref: `session/${id}`,
    version: 1,
    revision: 1,
    state: 'active',
    context: { organization: 'o' } as never,
  })
  const write = (id: string, at: number): void =>
    store.timers.move('o', { before: undefined, after: session(id), wakeBefore: undefined, wakeAfter: at })
  write('first', 10)
  await store.flushed()
  store.timers.move('o', { before: session('first'), after: session('first'), wakeBefore: 10, wakeAfter: undefined })
  write('second', 20)
  await store.timers.renew('o')
  t.deepEqual([store.timers.organizations(19), store.timers.organizations(20)], [[], ['o']])
  const renewing = store.timers.renew('o')
  write('third', 15)
  await renewing
  t.deepEqual([store.timers.organizations(14), store.timers.organizations(15)], [[], ['o']])
})

test('all due actors are woken, however many before them cannot be', async (t) => {
  for (const count of [0, 199, 450]) {
    const left = Array.from({ length: 1_000 }, (_, at): Timer => ({
      key: String(at).padStart(4, '0'),
      ref: `agent/c${at}`,
      gates: [],
    }))
    const asked = new Set<string>()
    const failures: unknown[] = []
    const send = (ref: string): void => {
      asked.add(ref)
      if (Number(ref.slice('agent/c'.length)) < count) throw new Error(ref)
    }
    const host = { peek: () => ({ context: {} }), attempt: () => ({ send, commit: async () => {} }) }
    const due = (_organization: string, _now: number, limit: number, after = ''): Timer[] =>
      left.filter(({ key }) => key > after).slice(0, limit)
    const overdue = new OverdueActors({
      host: host as unknown as ActorHost,
      timers: { due, organizations: () => ['o'], renew: async () => {} },
      wakeAtOf: () => 0,
      now: () => 0,
      onError: (error) => failures.push(error),
    })
    t.is(await overdue.end('o', Infinity), 1_000 - count)
    t.deepEqual([asked.size, failures.length], [1_000, count])
  }
})
