// VELOCITY_LIMIT counts the times of an agent's payments, which are rows of the store: exactly, also while they are on
// their way to the disk, and without a copy of them in any record.
import test, { type ExecutionContext } from 'ava'
import { decideApproval } from '../../../src/commands/approvals/approvals.js'
import { cancelPayment, executePayment, releasePayment } from '../../../src/commands/payments/payments.js'
import { createPolicy } from '../../../src/commands/policies/policies.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import { paymentStatus } from '../../../src/commands/status.js'
import type { Json } from '../../../src/domain/values/canonical.js'
import type { PaymentStatus } from '../../../src/domain/payment/terms.js'
import { disagreementsIn } from '../../../src/cli/data/records.js'
import { addressOf, done, newOrganization, openBare } from '../../support/commands.js'
import { EVERY_DAY } from '../../support/payments.js'

const RECIPIENT = addressOf('0x00000000000000000000000000000000000000a1')
const WEEK_MS = 7 * 86_400_000

async function counting(t: ExecutionContext, maxCount: number, others: Json[] = []) {
  const bare = openBare(t)
  const { services, store } = bare
  const { admin, agent, wallet, delegate } = await newOrganization(bare)
  const { id, caller } = await agent()
  await delegate(id, await wallet(100_000), { delegationType: 'FULL', allowedDays: EVERY_DAY as never })
  const rules = [{ ruleType: 'VELOCITY_LIMIT', value: { maxCount, period: 'WEEK' } }, ...others]
  const fields = {
    name: 'Velocity',
    policyType: 'VELOCITY',
    scope: 'organization',
    priority: 50,
    isActive: true,
  } as const
  done(await createPolicy(services, admin, { ...fields, rules }))
  const wanted = { amount: 1, recipientAddress: RECIPIENT, urgency: 'NORMAL', autoExecute: false } as const
  const ask = async () => done(await requestPayment(services, caller, wanted)).payment
  const times = () => store.timesHeld(`agent/${id}`, -1, 10_000)
  return { bare, services, store, admin, caller, ask, times, agentRef: `agent/${id}` as const }
}

test('of 500 requests at once a maxCount of 100 lets exactly 100 pass, whatever is on its way to the disk', async (t) => {
  const { ask, times, store } = await counting(t, 100)
  const asked: ReturnType<typeof ask>[] = []
  for (let wave = 0; wave < 20; wave += 1) {
    asked.push(...Array.from({ length: 25 }, ask))
    // Rows of earlier waves are queued, handed to LMDB, or on disk.
    for (let turn = 0; turn < wave % 3; turn += 1) await new Promise(setImmediate)
  }
  const statuses = (await Promise.all(asked)).map(paymentStatus)
  t.is(statuses.filter((status) => status === 'APPROVED').length, 100)
  t.is(times().length, 100)
  t.deepEqual(disagreementsIn(store), [])
})

type Stage = Awaited<ReturnType<typeof counting>>
const ASKS_A_PERSON = [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 0, action: 'REQUIRE_APPROVAL' }]

const ENDINGS: {
  status: PaymentStatus
  rules?: Json[]
  end: (stage: Stage, id: string, approval: string) => Promise<unknown>
}[] = [
  { status: 'CANCELLED', end: ({ services, caller }, id) => cancelPayment(services, caller, id) },
  {
    status: 'CANCELLED',
    end: ({ services, admin }, id) => releasePayment(services, admin, id, { reason: 'Wrong', allowRetry: false }),
  },
  { status: 'EXPIRED', end: ({ bare }) => bare.moveClock(bare.now() + WEEK_MS - 60_000) },
  {
    status: 'DENIED',
    rules: ASKS_A_PERSON,
    end: ({ services, admin }, _, approval) => {
      return decideApproval(services, admin, approval, { decision: 'DENIED', comment: null })
    },
  },
]

for (const [index, { status, rules, end }] of ENDINGS.entries()) {
  test(`a payment that ends as ${status} no longer counts (${index + 1})`, async (t) => {
    const stage = await counting(t, 1, rules)
    const { ask, times, services, store } = stage
    const payment = await ask()
    t.is(times().length, 1)
    t.is(paymentStatus(await ask()), 'DENIED')
    const { id, approval } = payment.context
    await end(stage, id, approval?.id ?? '')
    t.is(paymentStatus(services.host.peek(payment.ref)!), status)
    t.deepEqual(times(), [])
    t.not(paymentStatus(await ask()), 'DENIED')
    t.deepEqual(disagreementsIn(store), [])
  })
}

test('an executed payment counts from its request on, and once', async (t) => {
  const { ask, times, services, caller, bare } = await counting(t, 2)
  const requestedAt = bare.now()
  const { id } = (await ask()).context
  await bare.moveClock(requestedAt + 60_000)
  done(await executePayment(services, caller, id))
  t.deepEqual(times(), [requestedAt])
  t.is(paymentStatus(await ask()), 'APPROVED')
  t.is(paymentStatus(await ask()), 'DENIED')
})

test('no record grows with the payments that are counted', async (t) => {
  const { ask, store, agentRef } = await counting(t, 300)
  const [first] = await Promise.all(Array.from({ length: 300 }, ask))
  const denied = await ask()
  await store.flushed()
  t.is(paymentStatus(denied), 'DENIED')
  const sizes = [first!.ref, denied.ref, agentRef].map((ref) => store.sized(ref)!.bytes)
  t.true(Math.max(...sizes) < 6_000, String(sizes))
})

test('a missing time of a payment is a finding of the check of records', async (t) => {
  const { ask, store, agentRef } = await counting(t, 10)
  await ask()
  await store.flushed()
  const held = store.tables.find(({ name }) => name === 'held')!
  for (const key of held.keys({})) held.remove(key)
  await store.flushed()
  t.deepEqual(disagreementsIn(store), [`${agentRef} has the times of 0 payments, and 1 have one`])
})
