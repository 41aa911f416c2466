// An organization: the tenant boundary that no message crosses, and the settings of its actors. Every execution asks it
// first; a frozen organization admits none.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import type { GateMessage, TurnFields } from '../src/domain/limits/gate.js'
import type { AlertSettings } from '../src/domain/outcomes/alert.js'
import type { GovernanceSettings } from '../src/domain/outcomes/governance.js'
import type { OrganizationLimits } from '../src/domain/parties/organizationLimits.js'
import { ORGANIZATION_FROZEN } from '../src/domain/outcomes/violation.js'
import type { WebhookSettings } from '../src/domain/outcomes/webhook.js'
import { listed, listOf, type List, type Listing } from '../src/domain/values/lists.js'

export interface OrganizationFields {
  name: string
  /** IANA zone, the default of its delegations. */
  timezone: string
  /** Lifetimes (ms) of an approved payment and of one that waits for approval. */
  approvedForMs: number
  waitsForMs: number
  /**
   * Bars two principals from approving a payment: the one that made the agent's key, and the last editor of the policy
   * that requires the approval.
   */
  strictLineage: boolean
  /** The actions that require approval. */
  governance: GovernanceSettings
  /** How many records it may keep: set by the operator. */
  limits: OrganizationLimits
}

export interface OrganizationContext extends TurnFields {
  id: string
  organization: string
  createdAt: number
  updatedAt: number
  order: number
  fields: OrganizationFields
  webhook: WebhookSettings
  alerts: AlertSettings
  /** Why it was frozen; null when it is not. */
  frozenFor: string | null
  /** Number of freezes, so that an approval of an unfreeze holds for the freeze its approver saw. */
  edits: number
  /** The delivery that was last sent again, and when (epoch ms); null where none was. */
  redelivered: { delivery: string; at: number } | null
}

export type OrganizationEvent =
  | { type: 'CREATE'; now: number; organization: string; id: string; order: number; fields: OrganizationFields }
  | { type: 'UPDATE'; now: number; changes: Partial<OrganizationFields> }
  /** `secret` is used when none is set; secrets are sealed. */
  | { type: 'SET_WEBHOOK'; now: number; url: string; secret: string }
  | { type: 'ISSUE_SECRET'; now: number; secret: string }
  | { type: 'SET_ALERTS'; now: number; alerts: AlertSettings }
  | { type: 'CLEAR_WEBHOOK'; now: number }
  | { type: 'ROTATE_SECRET'; now: number; secret: string; overlapMs: number }
  | { type: 'REDELIVER'; now: number; delivery: string }
  | { type: 'FREEZE'; now: number; reason: string }
  | { type: 'UNFREEZE'; now: number }
  | (Omit<GateMessage, 'type'> & { type: 'ADMIT' })

export const ORGANIZATIONS: List<'organization'> = listOf('organizations')

export function organizationListing(): Listing {
  return listed(ORGANIZATIONS)
}

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
    noteRedelivery: assign(({ event }) => {
      const { delivery, now } = event as OrganizationEvent & { type: 'REDELIVER' }
      return { redelivered: { delivery, at: now } }
    }),
    update: assign(({ context, event }) => {
      const { changes, now } = event as OrganizationEvent & { type: 'UPDATE' }
      return { fields: { ...context.fields, ...changes }, updatedAt: now }
    }),
    setUrl: assign(({ context, event }) => {
      const { url, now } = event as OrganizationEvent & { type: 'SET_WEBHOOK' }
      return { webhook: { ...context.webhook, webhookUrl: url }, updatedAt: now }
    }),
    setAlerts: assign(({ event }) => {
      const { alerts, now } = event as OrganizationEvent & { type: 'SET_ALERTS' }
      return { alerts, updatedAt: now }
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
    freeze: assign(({ context, event }) => {
      const { reason, now } = event as OrganizationEvent & { type: 'FREEZE' }
      return { frozenFor: reason, edits: context.edits + 1, updatedAt: now }
    }),
    unfreeze: assign(({ event }) => ({ frozenFor: null, updatedAt: event.now })),
    refuseFrozen: assign({ violations: [ORGANIZATION_FROZEN] }),
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
      strictLineage: false,
      governance: { enabled: false, actions: [], requiredApprovals: 1, timeoutHours: 24 },
      limits: { payments: null, agents: null, policies: null, counterparties: null },
    },
    webhook: {
      webhookUrl: null,
      secret: null,
      previousSecret: null,
      previousUntil: null,
    },
    alerts: { spendWarningAt: 80, lowBalanceBelow: null, highValueAbove: null },
    frozenFor: null,
    edits: 0,
    redelivered: null,
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
        SET_WEBHOOK: [{ guard: 'hasSecret', actions: 'setUrl' }, { actions: ['setUrl', 'takeSecret'] }],
        ISSUE_SECRET: [{ guard: 'hasSecret' }, { actions: 'takeSecret' }],
        SET_ALERTS: { actions: 'setAlerts' },
        REDELIVER: { actions: 'noteRedelivery' },
        CLEAR_WEBHOOK: [{ guard: 'hasUrl', actions: 'clearUrl' }, {}],
        ROTATE_SECRET: [
          { guard: 'hasSecret', actions: 'rotateSecret' },
          { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
        ],
      },
      states: {
        active: {
          meta: { status: 'ACTIVE' },
          on: {
            ADMIT: {},
            FREEZE: { target: 'frozen', actions: 'freeze' },
            UNFREEZE: { actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
          },
        },
        frozen: {
          meta: { status: 'FROZEN' },
          on: {
            ADMIT: { actions: 'refuseFrozen' },
            FREEZE: { actions: 'freeze' },
            UNFREEZE: { target: 'active', actions: 'unfreeze' },
          },
        },
      },
    },
  },
})
