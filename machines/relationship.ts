// A relationship: an agent has named a counterparty that it transacts with. Its ref is made from both, so that a pair
// has at most one. It ends when the counterparty is deleted.
import { assign, setup } from 'xstate'
import type { TurnFields } from '../src/domain/limits/gate.js'
import { listed, listOf, type List, type Listing } from '../src/domain/values/lists.js'

export interface RelationshipContext extends TurnFields {
  organization: string
  createdAt: number
  order: number
  kind: 'TRANSACTS_WITH'
  agentId: string
  counterpartyId: string
}

export type RelationshipEvent =
  | { type: 'CREATE'; now: number; organization: string; agentId: string; counterpartyId: string; order: number }
  | { type: 'END'; now: number }

export function counterpartiesOfAgent(agentId: string): List<'relationship'> {
  return listOf(`agent-counterparties/${agentId}`)
}

export function agentsOfCounterparty(counterpartyId: string): List<'relationship'> {
  return listOf(`counterparty-agents/${counterpartyId}`)
}

export function relationshipListing({ context }: { context: RelationshipContext }): Listing {
  return listed(counterpartiesOfAgent(context.agentId), agentsOfCounterparty(context.counterpartyId))
}

export const relationship = setup({
  types: { context: {} as RelationshipContext, events: {} as RelationshipEvent },
  actions: {
    file: assign(({ event }) => {
      const { now, organization, agentId, counterpartyId, order } = event as RelationshipEvent & { type: 'CREATE' }
      return { organization, agentId, counterpartyId, order, createdAt: now }
    }),
  },
}).createMachine({
  id: 'relationship',
  context: {
    organization: '',
    createdAt: 0,
    order: 0,
    kind: 'TRANSACTS_WITH',
    agentId: '',
    counterpartyId: '',
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'absent',
  states: {
    absent: {
      meta: { gone: true },
      on: {
        CREATE: { target: 'kept', actions: 'file' },
      },
    },
    kept: {
      on: {
        CREATE: {},
        END: { target: 'absent' },
      },
    },
  },
})
