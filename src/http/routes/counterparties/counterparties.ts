// Counterparty routes for administrators: the record and its changes.
import { refuse, succeed, type Result } from '../../../domain/outcomes/result.js'
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import {
  createCounterparty,
  deleteCounterparty,
  findCounterparty,
  judgeCounterparty,
  listCounterparties,
  updateCounterparty,
} from '../../../commands/counterparties/counterparties.js'
import { counterpartyRef } from '../../../commands/payments/facts.js'
import { networkTrust, networkTrustOf } from '../../../commands/counterparties/networkTrust.js'
import type { Caller, Services } from '../../../commands/ports.js'
import { COUNTERPARTY_CATEGORIES, COUNTERPARTY_STATUSES } from '../../../domain/parties/counterparty.js'
import { counterpartyRecord, counterpartySchema, listItem, listItemSchema } from './records.js'
import { page } from '../../input/querySchemas.js'
import { answered, ok, pageAnswer, paginationSchema, succeeded, success } from '../../server/respond.js'
import { route, type HandlerInput } from '../../server/route.js'
import { addressSchema, enumOf, name as named, readAs, text, recordSchema } from '../../input/schemas.js'

export const read = { key: 'organization', scope: 'counterparties:read' } as const
export const changeCounterparty = { key: 'organization', scope: 'counterparties:write' } as const
export const invalid = 'INVALID_INPUT'

const MAX_URL = 2048
const VISIBLE = /^[^\s\p{C}]+$/u

/** An http or https URL: people may follow the link, so no other scheme is accepted. */
function website() {
  const description = { type: 'string', format: 'uri', maxLength: MAX_URL }
  return readAs<string>(description, (value) => {
    const given = typeof value === 'string' && value.length <= MAX_URL && VISIBLE.test(value) ? value : ''
    if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return succeed(given)
    return refuse('VALIDATION_ERROR', `must be an http or https URL of at most ${MAX_URL} characters`)
  })
}

const name = named(200)
const notes = text(0, 2000)

const newCounterparty = v.strictObject({
  name,
  address: addressSchema(),
  category: v.optional(enumOf(COUNTERPARTY_CATEGORIES), 'OTHER'),
  status: v.optional(enumOf(COUNTERPARTY_STATUSES), 'UNKNOWN'),
  notes: v.optional(notes),
  website: v.optional(website()),
})

const counterpartyUpdate = v.strictObject({
  name: v.optional(name),
  status: v.optional(enumOf(COUNTERPARTY_STATUSES)),
  category: v.optional(v.nullable(enumOf(COUNTERPARTY_CATEGORIES), 'OTHER')),
  notes: v.optional(v.nullable(notes)),
  website: v.optional(v.nullable(website())),
})

const listSchema = recordSchema('CounterpartyList', {
  counterparties: v.array(listItemSchema),
  pagination: paginationSchema,
})
const judgement = v.strictObject({ reason: text(1, 500) })
const single = counterpartySchema

export const counterpartyRoutes = [
  route({
    operationId: 'createCounterparty',
    method: 'POST',
    path: '/api/counterparties',
    access: changeCounterparty,
    summary: 'Register a counterparty',
    governed: 'counterparty.trust',
    body: newCounterparty,
    invalid,
    answers: { 201: single },
    refuses: ['ALREADY_EXISTS', 'LIMIT_REACHED'],
    handler: async (call) => {
      const { notes: given = null, website: url = null, ...rest } = call.body
      const known = call.services.host.peek(counterpartyRef(call.principal.organization, rest.address))
      const { trust } = await networkTrust(call.services, rest.address.canonical, known)
      return answered(
        call,
        (actor: Actor<'counterparty'>) => ok(counterpartyRecord(actor, trust, call.services.now()), 201),
        (caller) => createCounterparty(call.services, caller, { ...rest, notes: given, website: url }),
      )
    },
  }),
  route({
    operationId: 'listCounterparties',
    method: 'GET',
    path: '/api/counterparties',
    access: read,
    summary: 'List counterparties',
    query: v.strictObject({
      ...page,
      status: v.optional(enumOf(COUNTERPARTY_STATUSES)),
      search: v.optional(text(0, 200)),
    }),
    invalid,
    answers: { 200: listSchema },
    handler: async ({ services, caller, query }) => {
      const found = await listCounterparties(services, caller, query)
      const now = services.now()
      return pageAnswer('counterparties', found, query, (actor) => listItem(actor, now), invalid)
    },
  }),
  route({
    operationId: 'getCounterparty',
    method: 'GET',
    path: '/api/counterparties/:counterpartyId',
    access: read,
    summary: 'Read a counterparty',
    invalid,
    answers: { 200: single },
    handler: async ({ services, caller, params }) => {
      const found = await findCounterparty(services, caller, params.counterpartyId)
      if (!found.ok) return found
      return ok(counterpartyRecord(found.value, await networkTrustOf(services, found.value), services.now()))
    },
  }),
  route({
    operationId: 'updateCounterparty',
    method: 'PUT',
    path: '/api/counterparties/:counterpartyId',
    access: changeCounterparty,
    summary: 'Change a counterparty',
    governed: 'counterparty.trust',
    body: counterpartyUpdate,
    invalid,
    answers: { 200: single },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      changed(call.services, call, (caller, id) => updateCounterparty(call.services, caller, id, call.body)),
  }),
  route({
    operationId: 'deleteCounterparty',
    method: 'DELETE',
    path: '/api/counterparties/:counterpartyId',
    access: changeCounterparty,
    summary: 'Remove a counterparty; its payments, and a block, stay with the address',
    invalid,
    answers: { 200: success },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answered(call, succeeded, (caller) => deleteCounterparty(call.services, caller, call.params.counterpartyId)),
  }),
  route({
    operationId: 'trustCounterparty',
    method: 'POST',
    path: '/api/counterparties/:counterpartyId/trust',
    access: changeCounterparty,
    summary: 'Trust a counterparty',
    governed: 'counterparty.trust',
    body: judgement,
    invalid,
    answers: { 200: single },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      changed(call.services, call, (caller, id) =>
        judgeCounterparty(call.services, caller, id, 'TRUST', call.body.reason),
      ),
  }),
  route({
    operationId: 'blockCounterparty',
    method: 'POST',
    path: '/api/counterparties/:counterpartyId/block',
    access: changeCounterparty,
    summary: 'Block all payments to a counterparty',
    body: judgement,
    invalid,
    answers: { 200: single },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      changed(call.services, call, (caller, id) =>
        judgeCounterparty(call.services, caller, id, 'BLOCK', call.body.reason),
      ),
  }),
  route({
    operationId: 'unblockCounterparty',
    method: 'POST',
    path: '/api/counterparties/:counterpartyId/unblock',
    access: changeCounterparty,
    summary: 'Unblock a counterparty',
    governed: 'counterparty.unblock',
    invalid,
    answers: { 200: single },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      changed(call.services, call, (caller, id) => judgeCounterparty(call.services, caller, id, 'UNBLOCK')),
  }),
]

/** Answers the counterparty as a command leaves it. */
async function changed(
  services: Services,
  call: Pick<
    HandlerInput<Record<'counterpartyId', string>>,
    'caller' | 'principal' | 'requestId' | 'record' | 'params'
  >,
  run: (caller: Caller, id: string) => Promise<Result<Actor<'counterparty'>>>,
) {
  const id = call.params.counterpartyId
  const found = await findCounterparty(services, call.caller, id)
  if (!found.ok) return found
  const trust = await networkTrustOf(services, found.value)
  const shown = (actor: Actor<'counterparty'>) => ok(counterpartyRecord(actor, trust, services.now()))
  return answered(call, shown, (caller) => run(caller, id))
}
