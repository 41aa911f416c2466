// Calls for one purchase that overlap: each attempt has a number of its own, and at most one of them is open.
import test from 'ava'
import { requestPayment } from '../../../src/commands/payments/request.js'
import { addressOf, done, newOrganization, openBare } from '../../support/commands.js'
import { EVERY_DAY } from '../../support/payments.js'

const recipientAddress = addressOf('0x00000000000000000000000000000000000000a1')
const LIMIT = 100
const CALLS = 60

test('overlapping calls for one purchase, denied ones among them, make numbered attempts, one of which is open', async (t) => {
  const bare = openBare(t)
  const { agent, wallet, delegate } = await newOrganization(bare)
  const { id, caller } = await agent()
  const terms = { spendLimitPerTx: LIMIT, spendLimitDaily: null, allowedDays: EVERY_DAY as never }
  await delegate(id, await wallet(1_000), terms)
  const wanted = { recipientAddress, urgency: 'NORMAL', autoExecute: false, paymentKey: 'order-1' } as const
  const call = (index: number) => {
    const amount = index === CALLS / 2 ? 1 : LIMIT + 1
    return requestPayment(bare.services, caller, { ...wanted, amount })
  }
  const calls = await Promise.all(Array.from({ length: CALLS }, (_, index) => call(index)))
  const made = new Map(calls.flatMap((one) => (one.ok ? [[one.value.payment.ref, one.value]] : [])))
  const numbers = [...made.values()].map(({ payment }) => (payment.context['terms'] as { attempt: number }).attempt)
  t.deepEqual(
    numbers.sort((a, b) => a - b),
    Array.from(numbers, (_, index) => index + 1),
  )
  t.is([...made.values()].filter(({ payment }) => payment.state === 'approved').length, 1)
  const refused = calls.flatMap((one) => (one.ok ? [] : [one.refusal.code]))
  t.true(refused.every((code) => code === 'PRICE_CHANGED'))
  t.is(done(await call(CALLS / 2)).payment.state, 'approved')
})
