// bursar channels: lists notification channels, creates one from a file with its settings, tests, pauses and removes it.
import { readFileSync } from 'node:fs'
import type { Channel } from '../../sdk/index.js'
import { Failure } from '../config/failure.js'
import { CHANNEL_TYPES } from '../notifications/channels/index.js'
import { CHANNEL_EVENTS } from '../notifications/notice.js'
import { choice } from './terminal/arguments.js'
import { asking, type ServiceCommand, type Shown } from './terminal/asking.js'
import { UsageError } from './terminal/command.js'
import { idNamed, printedList } from './terminal/listed.js'
import { record, type Columns } from './terminal/show.js'

const COLUMNS: Columns<Channel> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  TYPE: ({ type }) => type,
  STATUS: ({ status }) => status,
  EVENTS: ({ events }) => events.join(', '),
  'LAST DELIVERY': ({ lastDelivery }) => (lastDelivery ? `${lastDelivery.status} ${lastDelivery.at}` : null),
}

const shown = (channel: Channel & { secret?: string }): Shown => ({
  json: channel,
  lines: (style) => {
    const { id, name, type, status, events, secret } = channel
    const fields = { id, name, type, status, events: events.join(', ') }
    return record({ ...fields, ...(secret !== undefined && { 'signing secret': secret }) }, style)
  },
})

/** Secrets are in a file, because every process on the machine can read arguments. */
function settingsIn(path: string): { [field: string]: unknown } {
  try {
    const settings: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof settings === 'object' && settings !== null) return settings as { [field: string]: unknown }
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${(error as Error).message}`)
  }
  throw new Failure(`${path} must have a JSON object with the channel's settings`)
}

function channelIdOf({ bursar, words: [channel] }: ServiceCommand): Promise<string> {
  return idNamed(channel!, () => bursar.channels.list())
}

async function update(asking: ServiceCommand, status: Channel['status']): Promise<Shown> {
  return shown(await asking.bursar.channels.update(await channelIdOf(asking), { status }))
}

export const channelCommands = {
  'channels list': asking({
    usage: 'channels list [--limit N]',
    summary: 'list notification channels and their last deliveries',
    run: async (asking) => printedList(asking, asking.bursar.channels.list(), COLUMNS),
  }),
  'channels create': asking({
    usage: 'channels create NAME TYPE FILE [--events EVENTS]',
    summary: `create a channel; TYPE is one of ${CHANNEL_TYPES.join(', ')}, FILE has its settings as JSON`,
    run: async ({ bursar, words: [name, type, file], text }) => {
      const given = text('events')?.split(',')
      const events = given?.map((event) => choice('--events', CHANNEL_EVENTS, event)!) ?? [...CHANNEL_EVENTS]
      const known = CHANNEL_TYPES.find((one) => one === type)
      if (known === undefined) throw new UsageError(`TYPE must be one of ${CHANNEL_TYPES.join(', ')}`)
      return shown(await bursar.channels.create({ name: name!, type: known, events, config: settingsIn(file!) }))
    },
  }),
  'channels test': asking({
    usage: 'channels test CHANNEL',
    summary: 'send a test message',
    run: async (asking) => {
      const queued = await asking.bursar.channels.test(await channelIdOf(asking))
      return { json: queued, lines: () => [`Queued ${queued.deliveryId}`] }
    },
  }),
  'channels pause': asking({
    usage: 'channels pause CHANNEL',
    summary: 'send nothing more to a channel',
    run: (asking) => update(asking, 'PAUSED'),
  }),
  'channels resume': asking({
    usage: 'channels resume CHANNEL',
    summary: 'send to a paused channel again',
    run: (asking) => update(asking, 'ACTIVE'),
  }),
  'channels remove': asking({
    usage: 'channels remove CHANNEL',
    summary: 'remove a channel',
    run: async (asking) => {
      const removed = await asking.bursar.channels.delete(await channelIdOf(asking))
      return { json: removed, lines: () => ['Removed'] }
    },
  }),
}
