// An organization: the border that nothing crosses, and the settings that its actors are asked under.
import { assign, setup } from 'xstate'
import type { Passing } from '../src/domain/gate.js'

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
}

export type OrganizationEvent =
  | { type: 'CREATE'; now: number; organization: string; id: string; order: number; fields: OrganizationFields }
  | { type: 'UPDATE'; now: number; changes: Partial<OrganizationFields> }

export const organization = setup({
  types: { context: {} as OrganizationContext, events: {} as OrganizationEvent },
  actions: {
    describe: assign(({ event }) => {
      const { type: _, now, ...described } = event as OrganizationEvent & { type: 'CREATE' }
      return { ...described, createdAt: now, updatedAt: now }
    }),
    update: assign(({ context, event }) => {
      const { changes, now } = event as OrganizationEvent & { type: 'UPDATE' }
      return { fields: { ...context.fields, ...changes }, updatedAt: now }
    }),
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
      on: { UPDATE: { actions: 'update' } },
    },
  },
})
