// Routes of notification channels. Secrets in their settings are never shown again, but that of a WEBHOOK in the answer
// that makes it.
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import {
  createChannel,
  deleteChannel,
  findChannel,
  listChannels,
  testChannel,
  updateChannel,
} from '../../../commands/channels/channels.js'
import type { ChannelSettings, Services } from '../../../commands/ports.js'
import { CARRIES_REDACTED, redactedUrl, REDACTED } from '../../../domain/audit/redact.js'
import { DELIVERY_STATUSES } from '../../../domain/outcomes/delivery.js'
import type { ChannelFields } from '../../../domain/outcomes/channel.js'
import type { Json } from '../../../domain/values/canonical.js'
import { refuse, refuseAt, refuseField, succeed, type Refused, type Result } from '../../../domain/outcomes/result.js'
import { CHANNEL_TYPES, channelTypeOf } from '../../../notifications/channels/index.js'
import { CHANNEL_EVENTS } from '../../../notifications/notice.js'
import { page } from '../../input/querySchemas.js'
import { enumOf, freeObject, name, recordSchema, setSchema, shownOnce } from '../../input/schemas.js'
import { validate } from '../../input/validate.js'
import {
  answered,
  answeredOnce,
  iso,
  ok,
  pageAnswer,
  paginationSchema,
  queuedAnswer,
  queuedSchema,
  succeeded,
  success,
} from '../../server/respond.js'
import { route, type HandlerInput } from '../../server/route.js'

const STATUSES = ['ACTIVE', 'PAUSED'] as const

const channelSchema = recordSchema('Channel', {
  id: v.string(),
  name: v.string(),
  type: v.picklist(CHANNEL_TYPES),
  status: v.picklist(STATUSES),
  events: v.array(v.picklist(CHANNEL_EVENTS)),
  config: freeObject,
  lastDelivery: v.optional(v.object({ at: v.string(), status: v.picklist(DELIVERY_STATUSES) })),
  createdAt: v.string(),
  updatedAt: v.string(),
})
export const createdChannelSchema = recordSchema('CreatedChannel', { ...channelSchema.entries, secret: shownOnce })

type ChannelRecord = v.InferOutput<typeof channelSchema>

function channelRecord({ query }: Services, channel: Actor<'channel'>): ChannelRecord {
  const { id, organization, fields, createdAt, updatedAt } = channel.context
  const last = query.lastDelivery(organization, id)
  return {
    id,
    name: fields.name,
    type: fields.type as ChannelRecord['type'],
    status: channel.state === 'kept.paused' ? 'PAUSED' : 'ACTIVE',
    events: fields.takes as ChannelRecord['events'],
    config: shownConfig(fields),
    ...(last && { lastDelivery: { at: iso(last.at), status: last.status } }),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

function shownConfig({ type, config, secret }: ChannelFields): ChannelRecord['config'] {
  const { made } = channelTypeOf(type)
  const hidden = Object.keys(secret).filter((field) => field !== made)
  return { ...Object.fromEntries(hidden.map((field) => [field, REDACTED])), ...config }
}

const events = setSchema(enumOf(CHANNEL_EVENTS), { min: 1, max: CHANNEL_EVENTS.length })

const newChannel = v.strictObject({ name: name(100), type: enumOf(CHANNEL_TYPES), events, config: freeObject })
const changes = v.strictObject({
  name: v.optional(name(100)),
  events: v.optional(events),
  config: v.optional(freeObject),
  status: v.optional(enumOf(STATUSES)),
})

/** The settings, checked as their type says; REDACTED stands for the stored value. */
function settingsIn(
  services: Services,
  type: string,
  given: { [field: string]: unknown },
  stored: ChannelSettings['config'] = {},
): Result<ChannelSettings, ConfigCode> {
  const { config: schema, urls } = channelTypeOf(type)
  const whole = Object.entries(given).map(([field, value]) => [
    field,
    isShownForm(value, stored[field]) ? stored[field] : value,
  ])
  const checked = validate(schema, Object.fromEntries(whole), 'VALIDATION_ERROR', 'field', 'config')
  if (!checked.ok) return inConfig(checked)
  const config = checked.value as ChannelSettings['config']
  for (const [field, value] of Object.entries(config)) {
    const path = `config.${field}`
    const problem = urls.includes(field) ? services.refuseDestination(String(value)) : undefined
    if (problem !== undefined) return refuseField(path, problem)
    if (typeof value === 'string' && value.includes(REDACTED)) return refuseField(path, CARRIES_REDACTED)
  }
  return succeed({ type, config })
}

function isShownForm(value: unknown, stored: unknown): boolean {
  return typeof stored === 'string' && (value === REDACTED || value === redactedUrl(stored))
}

type ConfigCode = 'VALIDATION_ERROR' | 'CARD_NUMBER_REFUSED'

function inConfig({ refusal }: Refused): Refused<ConfigCode> {
  const details = (refusal.details ?? []).map(({ path, message }) => ({
    path: path === '' ? 'config' : `config.${path}`,
    message,
  }))
  const code = refusal.code === 'CARD_NUMBER_REFUSED' ? refusal.code : 'VALIDATION_ERROR'
  return refuse(code, `config: ${refusal.message}`, { details })
}

/** Why this installation cannot send to channels of this type; undefined where it can. */
function unavailable({ mail }: Services, type: string): Refused<'INVALID_STATUS'> | undefined {
  const message = channelTypeOf(type).missing?.(mail)
  return message === undefined ? undefined : refuseAt('INVALID_STATUS', 'type', message)
}

const write = { key: 'organization', scope: 'channels:write' } as const
const read = { key: 'organization', scope: 'channels:read' } as const
const governed = { governed: 'channel.update', sealedField: { name: 'config', shown: askedConfig } } as const

/** Settings that wait for approval, of whichever type, without their secrets. */
function askedConfig(config: Json): Json {
  const types = CHANNEL_TYPES.map(channelTypeOf)
  const shown = Object.entries(config as { [field: string]: Json }).map(([field, value]) => {
    if (types.some(({ secrets }) => secrets.includes(field))) return [field, REDACTED]
    return [field, types.some(({ urls }) => urls.includes(field)) ? redactedUrl(String(value)) : value]
  })
  return Object.fromEntries(shown) as Json
}

export const channelRoutes = [
  route({
    operationId: 'listChannels',
    method: 'GET',
    path: '/api/channels',
    access: read,
    summary: 'List notification channels',
    query: v.strictObject(page),
    answers: { 200: recordSchema('ChannelList', { channels: v.array(channelSchema), pagination: paginationSchema }) },
    handler: async (call) => {
      const found = await listChannels(call.services, call.caller, call.query)
      return pageAnswer('channels', found, call.query, (actor) => channelRecord(call.services, actor))
    },
  }),
  route({
    operationId: 'createChannel',
    method: 'POST',
    path: '/api/channels',
    access: write,
    summary: 'Create a notification channel; for a WEBHOOK, this answers its signing secret',
    ...governed,
    collected: (body) => (body as { type?: unknown } | undefined)?.type === 'WEBHOOK',
    body: newChannel,
    answers: { 201: createdChannelSchema },
    refuses: ['INVALID_STATUS', 'LIMIT_REACHED'],
    handler: async (call) => {
      const { config, type, events: takes } = call.body
      const settings = settingsIn(call.services, type, config)
      if (!settings.ok) return settings
      const fields = { ...settings.value, name: call.body.name, takes }
      const refused = unavailable(call.services, type)
      if (refused) return refused
      return answeredOnce(
        call,
        (actor: Actor<'channel'>) => channelRecord(call.services, actor),
        (caller) => createChannel(call.services, caller, fields),
        { secret: ({ shown }) => shown, status: 201 },
      )
    },
  }),
  route({
    operationId: 'getChannel',
    method: 'GET',
    path: '/api/channels/:channelId',
    access: read,
    summary: 'Read a notification channel',
    answers: { 200: channelSchema },
    handler: async (call) => {
      const found = await findChannel(call.services, call.caller, call.params.channelId)
      return found.ok ? ok(channelRecord(call.services, found.value)) : found
    },
  }),
  route({
    operationId: 'updateChannel',
    method: 'PATCH',
    path: '/api/channels/:channelId',
    access: write,
    summary: 'Change a notification channel, pause or resume it; `config` is replaced as a whole',
    ...governed,
    body: changes,
    answers: { 200: channelSchema },
    refuses: ['INVALID_STATUS'],
    handler: (call) => updated(call),
  }),
  route({
    operationId: 'deleteChannel',
    method: 'DELETE',
    path: '/api/channels/:channelId',
    access: write,
    summary: 'Remove a notification channel',
    governed: 'channel.update',
    answers: { 200: success },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      answered(call, succeeded, (caller) => deleteChannel(call.services, caller, call.params.channelId)),
  }),
  route({
    operationId: 'testChannel',
    method: 'POST',
    path: '/api/channels/:channelId/test',
    access: write,
    summary: 'Send a test message to a notification channel',
    limit: 'login',
    answers: { 202: queuedSchema },
    refuses: ['INVALID_STATUS'],
    handler: (call) =>
      queuedAnswer(call, (record) => testChannel(call.services, call.caller, call.params.channelId, record)),
  }),
]

async function updated(call: HandlerInput<{ channelId: string }, unknown, v.InferOutput<typeof changes>>) {
  const { services, caller } = call
  const id = call.params.channelId
  const { config, events: takes, ...rest } = call.body
  const found = await findChannel(services, caller, id)
  if (!found.ok) return found
  const { organization, fields } = found.value.context
  const settings = config && settingsIn(services, fields.type, config, services.channels.open(organization, fields))
  if (settings && !settings.ok) return settings
  const changed = { ...rest, takes, ...(settings && { config: settings.value.config }) }
  const shown = (actor: Actor<'channel'>) => ok(channelRecord(services, actor))
  return answered(call, shown, (caller) => updateChannel(services, caller, id, changed))
}
