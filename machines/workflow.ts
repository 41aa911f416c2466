// An approval workflow: the people whom payments of a kind ask for approval. A payment copies it when it begins to ask,
// so that an edit changes nothing for payments that wait.
import { assign, setup } from 'xstate'
import type { TurnFields } from '../src/domain/limits/gate.js'
import type { WorkflowFields } from '../src/domain/payment/workflow.js'
import { listed, listOf, type List, type Listing } from '../src/domain/values/lists.js'

export interface WorkflowContext extends TurnFields {
  id: string
  organization: string
  createdAt: number
  updatedAt: number
  order: number
  fields: WorkflowFields
}

export type WorkflowEvent =
  | { type: 'CREATE'; now: number; organization: string; id: string; order: number; fields: WorkflowFields }
  | { type: 'UPDATE'; now: number; changes: Partial<WorkflowFields> }
  | { type: 'DELETE'; now: number }

export function approvalWorkflowsOf(organization: string): List<'workflow'> {
  return listOf(`approval-workflows/${organization}`)
}

export function workflowListing({ context }: { context: WorkflowContext }): Listing {
  return listed(approvalWorkflowsOf(context.organization))
}

export const workflow = setup({
  types: { context: {} as WorkflowContext, events: {} as WorkflowEvent },
  actions: {
    describe: assign(({ event }) => {
      const { type: _, now, ...described } = event as WorkflowEvent & { type: 'CREATE' }
      return { ...described, createdAt: now, updatedAt: now }
    }),
    update: assign(({ context, event }) => {
      const { changes, now } = event as WorkflowEvent & { type: 'UPDATE' }
      return { fields: { ...context.fields, ...changes }, updatedAt: now }
    }),
  },
}).createMachine({
  id: 'workflow',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    fields: {
      name: '',
      priority: 0,
      conditions: {},
      requiredApprovals: 1,
      timeoutHours: 24,
      onTimeout: 'DENY',
      approverIds: [],
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
      on: {
        UPDATE: { actions: 'update' },
        DELETE: { target: 'deleted' },
      },
    },
    deleted: { meta: { gone: true } },
  },
})
