// A VELOCITY_LIMIT counts every payment before its first decision, also those that are not on disk yet, and by the
// latest time that the clock has shown.
import test from 'ava'
import { createPolicy } from '../../../src/commands/policies/policies.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import { addressOf, done, newOrganization, openBare, type Bare } from '../../support/commands.js'
import { EVERY_DAY } from '../../support/payments.js'

const RECIPIENT = addressOf('0x00000000000000000000000000000000000000a1')
const MOST = 3
const MINUTE_MS = 60_000

async function counting(bare: Bare, period: string) {
  const { services } = bare
  const { admin, agent, wallet, delegate } = await newOrganization(bare)
  const { id, caller } = await agent()
  await delegate(id, await wallet(1000), { delegationType: 'FULL', allowedDays: EVERY_DAY as never })
  const wanted = { amount: 1, recipientAddress: RECIPIENT, urgency: 'NORMAL', autoExecute: false } as const
  const rules = [{ ruleType: 'VELOCITY_LIMIT', operator: 'LTE', value: { maxCount: MOST, period }, action: 'ALLOW' }]
  const policy = {
    name: 'Velocity',
    policyType: 'VELOCITY',
    scope: 'organization',
    priority: 50,
    isActive: true,
  } as const
  return {
    ask: async (): Promise<string> => done(await requestPayment(services, caller, wanted)).payment.state,
    limit: () => createPolicy(services, admin, { ...policy, rules }),
  }
}

test('a new VELOCITY_LIMIT counts payments that were requested while it was on its way to the disk', async (t) => {
  const { ask, limit } = await counting(openBare(t), 'HOUR')
  const made = limit()
  // Its commit begins; these are in the next one.
  await Promise.resolve()
  const before = Array.from({ length: MOST }, ask)
  done(await made)
  const after = await ask()
  t.deepEqual(await Promise.all(before), Array(MOST).fill('approved'))
  t.is(after, 'denied')
})

test('a VELOCITY_LIMIT denies nothing because of payments that left its period before the clock was set back', async (t) => {
  const bare = openBare(t)
  const { ask, limit } = await counting(bare, 'MINUTE')
  done(await limit())
  for (let made = 0; made <= MOST; made += 1) {
    t.is(await ask(), 'approved')
    await bare.moveClock(bare.now() + MINUTE_MS)
  }
  await bare.moveClock(bare.now() - 3 * MINUTE_MS)
  t.is(await ask(), 'approved')
})
