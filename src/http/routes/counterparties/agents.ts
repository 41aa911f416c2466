// Counterparty routes for agents: name one, and read what is known of an address.
import { statusOfCounterparty } from '../../../commands/status.js'
import * as v from 'valibot'
import { isVisible } from '../../../commands/send.js'
import { counterpartyAt, upsertCounterparty } from '../../../commands/counterparties/counterparties.js'
import { counterpartyRef } from '../../../commands/payments/facts.js'
import { networkTrust } from '../../../commands/counterparties/networkTrust.js'
import { COUNTERPARTY_STATUSES } from '../../../domain/parties/counterparty.js'
import { agentView, agentViewSchema, networkRecord, networkSchema } from './records.js'
import { answered, ok } from '../../server/respond.js'
import { route } from '../../server/route.js'
import { addressSchema, name, text, recordSchema } from '../../input/schemas.js'

const knownSchema = recordSchema('AgentCounterparty', {
  found: v.boolean(),
  counterparty: v.nullable(v.object({ ...agentViewSchema.entries, status: v.picklist(COUNTERPARTY_STATUSES) })),
  /** Only for keys with the scope `network:read`. */
  networkTrust: v.optional(networkSchema),
})

export const agentCounterpartyRoutes = [
  route({
    operationId: 'upsertCounterparty',
    method: 'POST',
    path: '/api/sdk/counterparties',
    access: { key: 'agent', scope: 'counterparties:write' },
    summary: 'Register a counterparty, or update the one with this address; `created` is true in both cases',
    body: v.strictObject({
      name: name(200),
      address: addressSchema(),
      type: v.optional(text(1, 100)),
      category: v.optional(text(1, 100)),
      description: v.optional(text(0, 500)),
    }),
    invalid: 'INVALID_INPUT',
    answers: {
      200: recordSchema('NamedCounterparty', { ...agentViewSchema.entries, created: v.literal(true) }),
    },
    refuses: ['INVALID_STATUS', 'LIMIT_REACHED'],
    handler: (call) => {
      const { category: spendingCategory, ...rest } = call.body
      const ref = counterpartyRef(call.principal.organization, rest.address)
      return answered(
        call,
        (_, view) => ok({ ...agentView(view(ref)!, call.services.now()), created: true }),
        (caller) => upsertCounterparty(call.services, caller, { ...rest, spendingCategory }),
      )
    },
  }),
  route({
    operationId: 'lookUpRecipient',
    method: 'GET',
    path: '/api/sdk/counterparties',
    access: { key: 'agent', scope: 'counterparties:read' },
    summary: 'What the organization knows of an address',
    query: v.strictObject({ address: addressSchema() }),
    invalid: 'INVALID_INPUT',
    answers: { 200: knownSchema },
    handler: async ({ services, caller, principal, query }) => {
      const known = await counterpartyAt(services, caller, query.address)
      const found = isVisible(known, principal.organization)
      const shown = found ? { ...agentView(known, services.now()), status: statusOfCounterparty(known) } : null
      const { trust } = await networkTrust(services, query.address.canonical, known)
      const mayKnow = principal.scopes.includes('network:read')
      return ok({ found, counterparty: shown, ...(mayKnow && { networkTrust: networkRecord(trust) }) })
    },
  }),
]
