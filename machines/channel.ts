// A notification channel: where messages for people go, by mail, Slack or a signed POST. A paused one gets none, and
// what waits for it is given up.
import { assign, setup } from 'xstate'
import type { TurnFields } from '../src/domain/limits/gate.js'
import type { ChannelFields } from '../src/domain/outcomes/channel.js'
import { listed, listOf, type List, type Listing } from '../src/domain/values/lists.js'

export interface ChannelContext extends TurnFields {
  id: string
  organization: string
  createdAt: number
  updatedAt: number
  order: number
  /** Number of changes, so that an approval of another holds for the channel its approver saw. */
  edits: number
  fields: ChannelFields
}

export type ChannelMessage =
  | { type: 'CREATE'; now: number; organization: string; id: string; order: number; fields: ChannelFields }
  | { type: 'UPDATE'; now: number; changes: Partial<ChannelFields> }
  | { type: 'PAUSE' | 'RESUME' | 'DELETE'; now: number }

export function channelsOf(organization: string): List<'channel'> {
  return listOf(`channels/${organization}`)
}

export function channelListing({ context }: { context: ChannelContext }): Listing {
  return listed(channelsOf(context.organization))
}

export const channel = setup({
  types: { context: {} as ChannelContext, events: {} as ChannelMessage },
  actions: {
    describe: assign(({ event }) => {
      const { type: _, now, ...described } = event as ChannelMessage & { type: 'CREATE' }
      return { ...described, createdAt: now, updatedAt: now }
    }),
    update: assign(({ context, event }) => {
      const { changes, now } = event as ChannelMessage & { type: 'UPDATE' }
      return { fields: { ...context.fields, ...changes }, edits: context.edits + 1, updatedAt: now }
    }),
    touch: assign(({ context, event }) => ({ edits: context.edits + 1, updatedAt: event.now })),
  },
}).createMachine({
  id: 'channel',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    edits: 0,
    fields: {
      name: '',
      type: '',
      takes: [],
      config: {},
      target: '',
      secret: {},
      setBy: { type: 'OPERATOR', id: '', name: '', countsAs: { type: 'OPERATOR', id: '' } },
    },
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  states: {
    absent: {
      meta: { gone: true },
      on: { CREATE: { target: 'kept', actions: 'describe' } },
    },
    kept: {
      initial: 'active',
      on: {
        UPDATE: { actions: 'update' },
        DELETE: { target: 'deleted', actions: 'touch' },
      },
      states: {
        active: {
          meta: { status: 'ACTIVE' },
          on: {
            PAUSE: { target: 'paused', actions: 'touch' },
            RESUME: {},
          },
        },
        paused: {
          meta: { status: 'PAUSED' },
          on: {
            PAUSE: {},
            RESUME: { target: 'active', actions: 'touch' },
          },
        },
      },
    },
    deleted: { meta: { gone: true } },
  },
})
