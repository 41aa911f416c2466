// Gates enforce limits even when concurrent requests were all evaluated on the same facts before one was reserved.
import test from 'ava'
import { paymentStatus } from '../../../src/commands/status.js'
import { createPolicy } from '../../../src/commands/policies/policies.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import type { Json } from '../../../src/domain/values/canonical.js'
import { addressOf, done, newOrganization, openBare, randomAddress } from '../../support/commands.js'

const REQUESTS = 100
const MICROS = 1_000_000
const CASES: { rule: Json; violation: string; agents: number }[] = [
  { rule: { ruleType: 'DAILY_LIMIT', value: 37 }, violation: 'DAILY_LIMIT', agents: 1 },
  { rule: { ruleType: 'BUDGET_CAP', value: { amount: 37, period: 'TOTAL' } }, violation: 'BUDGET_EXCEEDED', agents: 1 },
  {
    rule: { ruleType: 'BUDGET_CAP', value: { amount: 37, period: 'MONTHLY', of: 'POLICY' } },
    violation: 'BUDGET_EXCEEDED',
    agents: 5,
  },
  {
    rule: { ruleType: 'VELOCITY_LIMIT', value: { maxCount: 37, period: 'HOUR' } },
    violation: 'VELOCITY_LIMIT',
    agents: 1,
  },
  {
    rule: { ruleType: 'ALL_OF', value: [{ ruleType: 'DAILY_LIMIT', value: 37 }] },
    violation: 'DAILY_LIMIT',
    agents: 1,
  },
]

for (const { rule, violation, agents } of CASES) {
  test(`${REQUESTS} requests evaluated on the same facts do not exceed ${JSON.stringify(rule)}`, async (t) => {
    const bare = openBare(t)
    const organization = await newOrganization(bare)
    const callers = await Promise.all(Array.from({ length: agents }, () => organization.agent()))
    for (const { id } of callers) {
      const wallet = await organization.wallet(1000 * MICROS)
      await organization.delegate(id, wallet, { delegationType: 'FULL', allowedDays: ['Thu'] })
    }
    const agentIds = callers.map(({ id }) => id)
    const fields = {
      name: 'Limit',
      policyType: 'SPEND_LIMIT',
      scope: 'assigned',
      priority: 50,
      isActive: true,
    } as const
    done(await createPolicy(bare.services, organization.admin, { ...fields, rules: [rule], agentIds }))
    const recipientAddress = addressOf(randomAddress())
    const answers = await Promise.all(
      Array.from({ length: REQUESTS }, (_, index) => {
        const wanted = { amount: MICROS, recipientAddress, urgency: 'NORMAL', autoExecute: index % 2 === 0 } as const
        return requestPayment(bare.services, callers[index % agents]!.caller, wanted)
      }),
    )
    const payments = answers.map((answer) => done(answer))
    const denied = payments.filter((payment) => paymentStatus(payment.payment) === 'DENIED')
    t.is(denied.length, REQUESTS - 37)
    const atGates = denied.filter((payment) => payment.payment.context.decision!.outcome === 'APPROVED')
    t.true(atGates.length > 0)
    for (const payment of atGates) t.is(payment.payment.context.causes[0]!.type, violation as never)
  })
}
