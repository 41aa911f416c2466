// A Slack user who counts as a member: linked by that member, for one channel and one signing secret of it.
import { assign, setup } from 'xstate'
import type { TurnFields } from '../src/domain/limits/gate.js'
import { listed, listOf, type List, type Listing } from '../src/domain/values/lists.js'

export interface SlackUserContext extends TurnFields {
  id: string
  organization: string
  createdAt: number
  updatedAt: number
  order: number
  channelId: string
  memberId: string
  teamId: string
  userId: string
  /** What Slack calls the user. */
  userName: string
}

type Linked = Pick<SlackUserContext, 'id' | 'order' | 'channelId' | 'memberId' | 'teamId' | 'userId' | 'userName'>

export type SlackUserMessage =
  ({ type: 'LINK'; now: number; organization: string } & Linked) | { type: 'UNLINK'; now: number }

export function slackUsersOf(organization: string): List<'slackUser'> {
  return listOf(`slack-users/${organization}`)
}

export function slackUserListing({ context }: { context: SlackUserContext }): Listing {
  return listed(slackUsersOf(context.organization))
}

export const slackUser = setup({
  types: { context: {} as SlackUserContext, events: {} as SlackUserMessage },
  actions: {
    describe: assign(({ event }) => {
      const { type: _, now, ...linked } = event as SlackUserMessage & { type: 'LINK' }
      return { ...linked, createdAt: now, updatedAt: now }
    }),
    move: assign(({ event }) => {
      const { memberId, userName, now } = event as SlackUserMessage & { type: 'LINK' }
      return { memberId, userName, updatedAt: now }
    }),
    touch: assign(({ event }) => ({ updatedAt: event.now })),
  },
}).createMachine({
  id: 'slackUser',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    channelId: '',
    memberId: '',
    teamId: '',
    userId: '',
    userName: '',
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  states: {
    absent: {
      meta: { gone: true },
      on: { LINK: { target: 'linked', actions: 'describe' } },
    },
    linked: {
      on: {
        LINK: { actions: 'move' },
        UNLINK: { target: 'removed', actions: 'touch' },
      },
    },
    removed: {
      meta: { gone: true },
      on: { LINK: { target: 'linked', actions: 'describe' } },
    },
  },
})
