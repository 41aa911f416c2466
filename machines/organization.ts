// An organization: the border that nothing crosses, and the settings that its actors are asked under.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/codes.js'
import type { Passing } from '../src/domain/gate.js'
import type { WebhookSettings } from '../src/domain/webhook.js'

export interface OrganizationFields {
  name: string
  /** IANA zone, the default of its delegations. */
  timezone: string
  /** How long an approved payment, and one that waits for a person, live (ms). */
  approvedForMs: number
  waitsForMs: number
}

export interface OrganizationContext extends Passing {
  id: string
  organization: string
  createdAt: number
  updatedAt: number
  order: number
  fields: OrganizationFields
  webhook: WebhookSettings
}

export type OrganizationEvent =
  | { type: 'CREATE'; now: number; organization: string; id: string; order: number; fields: OrganizationFields }
  | { type: 'UPDATE'; now: number; changes: Partial<OrganizationFields> }
  /** `secret` is taken when there is none; secrets are sealed. */
  | { type: 'SET_WEBHOOK'; now: number; url: string; secret: string }
  | { type: 'ISSUE_SECRET'; now: number; secret: string }
  | { type: 'CLEAR_WEBHOOK'; now: number }
  | { type: 'ROTATE_SECRET'; now: number; secret: string; overlapMs: number }

export const organization = setup({
  types: { context: {} as OrganizationContext, events: {} as OrganizationEvent },
  guards: {
    hasSecret: ({ context }) => context.webhook.secret !== null,
    hasUrl: ({ context }) => context.webhook.webhookUrl !== null,
  },
  actions: {
    describe: assign(({ event }) => {
      const { type: _, now, ...described } = event as OrganizationEvent & { type: 'CREATE' }
      return { ...described, createdAt: now, updatedAt: now }
    }),
    update: assign(({ context, event }) => {
      const { changes, now } = event as OrganizationEvent & { type: 'UPDATE' }
      return { fields: { ...context.fields, ...changes }, updatedAt: now }
    }),
    setUrl: assign(({ context, event }) => {
      const { url, now } = event as OrganizationEvent & { type: 'SET_WEBHOOK' }
      return { webhook: { ...context.webhook, webhookUrl: url }, updatedAt: now }
    }),
    clearUrl: assign(({ context, event }) => ({
      webhook: { ...context.webhook, webhookUrl: null },
      updatedAt: event.now,
    })),
    takeSecret: assign(({ context, event }) => {
      const { secret, now } = event as OrganizationEvent & { type: 'ISSUE_SECRET' }
      return { webhook: { ...context.webhook, secret }, updatedAt: now }
    }),
    rotateSecret: assign(({ context, event }) => {
      const { secret, overlapMs, now } = event as OrganizationEvent & { type: 'ROTATE_SECRET' }
      const { webhookUrl, secret: previousSecret } = context.webhook
      return { webhook: { webhookUrl, secret, previousSecret, previousUntil: now + overlapMs }, updatedAt: now }
    }),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
  },
}).createMachine({
  id: 'organization',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    fields: {
      name: '',
      timezone: 'UTC',
      approvedForMs: 300000,
      waitsForMs: 86400000,
    },
    webhook: {
      webhookUrl: null,
      secret: null,
      previousSecret: null,
      previousUntil: null,
    },
    entry: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  states: {
    absent: {
      on: { CREATE: { target: 'active', actions: 'describe' } },
    },
    active: {
      on: {
        UPDATE: { actions: 'update' },
        SET_WEBHOOK: [{ guard: 'hasSecret', actions: 'setUrl' }, { actions: ['setUrl', 'takeSecret'] }],
        ISSUE_SECRET: [{ guard: 'hasSecret' }, { actions: 'takeSecret' }],
        CLEAR_WEBHOOK: [{ guard: 'hasUrl', actions: 'clearUrl' }, {}],
        ROTATE_SECRET: [
          { guard: 'hasSecret', actions: 'rotateSecret' },
          { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        ],
      },
    },
  },
})
