// The route that tries a payment of an agent: the answer to its request, with nothing requested.
import * as v from 'valibot'
import { testPayment, type TestRecipient } from '../../../commands/agents/testPayment.js'
import { reachableWallets } from '../../../commands/payments/facts.js'
import { CHOSEN_BY } from '../../../domain/payment/testRecipient.js'
import { addressSchema, amountSchema, recordSchema } from '../../input/schemas.js'
import { ok } from '../../server/respond.js'
import { route } from '../../server/route.js'
import { decisionRecord, decisionSchema } from './records.js'

const CHOSEN =
  'REQUEST: as asked. LAST_PAID: whom the agent has paid last. TEST_ADDRESS: it has paid nobody, and nobody has this address.'

const testSchema = recordSchema('TestPayment', {
  ...decisionSchema.entries,
  test: v.literal(true),
  recipient: v.object({
    address: v.string(),
    name: v.nullable(v.string()),
    chosenBy: v.pipe(v.picklist(CHOSEN_BY), v.description(CHOSEN)),
  }),
})

const recipientOf = ({ address, name, chosenBy }: TestRecipient) => ({ address: address.display, name, chosenBy })

export const testPaymentRoute = route({
  operationId: 'testPayment',
  method: 'POST',
  path: '/api/agents/:agentId/test-payment',
  access: { key: 'organization', scope: 'agents:write' },
  idempotency: 'unkept',
  summary: 'Try a payment of an agent: decides as its request would now, and stores nothing',
  body: v.strictObject({ amount: amountSchema(), recipientAddress: v.optional(addressSchema()) }),
  answers: { 200: testSchema },
  refuses: ['NO_WALLET', 'INVALID_ADDRESS', 'INVALID_RECIPIENT', 'LIMIT_REACHED'],
  handler: async ({ services, caller, params, body }) => {
    const { agentId } = params
    const tried = await testPayment(services, caller, agentId, body, (payment, view, recipient) => ({
      ...decisionRecord(payment, view, () => reachableWallets(services, agentId, view)),
      test: true as const,
      recipient: recipientOf(recipient),
    }))
    return tried.ok ? ok(tried.value) : tried
  },
})
