// The first decision under a VELOCITY_LIMIT counts every payment before it, also those that are not on disk yet.
import test from 'ava'
import { createPolicy } from '../../src/commands/policies.js'
import { requestPayment } from '../../src/commands/request.js'
import { addressOf, done, newOrganization, openBare } from '../interface/bare.js'
import { EVERY_DAY } from '../service/setup.js'

const RECIPIENT = addressOf('0x00000000000000000000000000000000000000a1')
const MOST = 3

test('a new VELOCITY_LIMIT counts payments that were requested while it was on its way to the disk', async (t) => {
  const bare = openBare(t)
  const { services } = bare
  const { admin, agent, wallet, delegate } = await newOrganization(bare)
  const { id, caller } = await agent()
  await delegate(id, await wallet(1000), { delegationType: 'FULL', allowedDays: EVERY_DAY as never })
  const wanted = { amount: 1, recipientAddress: RECIPIENT, urgency: 'NORMAL', autoExecute: false } as const
  const ask = async (): Promise<string> => done(await requestPayment(services, caller, wanted)).actor.state
  const rules = [
    { ruleType: 'VELOCITY_LIMIT', operator: 'LTE', value: { maxCount: MOST, period: 'HOUR' }, action: 'ALLOW' },
  ]
  const policy = {
    name: 'Velocity',
    policyType: 'VELOCITY',
    scope: 'organization',
    priority: 50,
    isActive: true,
  } as const
  const made = createPolicy(services, admin, { ...policy, rules })
  // Its commit begins; these are in the next one.
  await Promise.resolve()
  const before = Array.from({ length: MOST }, ask)
  done(await made)
  const after = await ask()
  t.deepEqual(await Promise.all(before), Array(MOST).fill('approved'))
  t.is(after, 'denied')
})
