// A policy: every change of its definition is a new version. This one actor numbers the versions, so that concurrent
// edits neither skip nor repeat a number. Assignments are no part of a version.
import { assign, setup } from 'xstate'
import type { Code } from '../src/domain/outcomes/codes.js'
import type { TurnFields } from '../src/domain/limits/gate.js'
import {
  isSameDefinition,
  MAX_RULES,
  type ChangeType,
  type PolicyAssignment,
  type PolicyChange,
  type PolicyDefinition,
  type PolicyRule,
  type PolicySubjectKind,
  type PolicySubjects,
  type PolicyTest,
} from '../src/domain/parties/policy.js'
import { listed, listOf, type List, type Listing } from '../src/domain/values/lists.js'

export interface PolicyContext extends TurnFields {
  id: string
  organization: string
  createdAt: number
  updatedAt: number
  order: number
  definition: PolicyDefinition
  version: number
  change: PolicyChange | null
  /** A shared budget was part of it once: its sums are kept from then on. */
  budgeted: boolean
  agents: PolicyAssignment[]
  wallets: PolicyAssignment[]
  /** Absent from policies that were stored before there were cards. */
  cards?: PolicyAssignment[]
  /** How often more agents came under it: by an assignment, or by the scope of the organization. */
  joins: number
  /** Who has left it: its budget still counts what they spent. */
  former: PolicySubjects
  tests: PolicyTest[]
  /** How often the tests were replaced. */
  testsVersion: number
}

/** The versions that the editor saw; the edit is refused when they have changed. */
interface Expected {
  ifVersion?: number
  ifTestsVersion?: number
}

interface Edit extends Expected {
  now: number
  by: PolicyChange['changedBy']
  budgeted?: boolean
  note?: string
  /** Assigned agents and wallets that are deleted. */
  gone?: readonly string[]
}

type Metadata = Partial<Omit<PolicyDefinition, 'rules' | 'policyType'>>
export type PolicyEvent =
  | ({ type: 'CREATE'; organization: string; id: string; order: number } & Begun & Edit)
  | ({ type: 'UPDATE'; changes: Metadata } & Edit)
  | ({ type: 'ADD_RULES' | 'REPLACE_RULES'; rules: PolicyRule[] } & Edit)
  | ({ type: 'EDIT_RULE'; rule: PolicyRule } & Edit)
  | ({ type: 'REMOVE_RULE'; ruleId: string } & Edit)
  | ({ type: 'ROLL_BACK'; definition: PolicyDefinition } & Edit)
  | ({ type: 'DELETE' } & Edit)
  | { type: 'ASSIGN'; now: number; to: PolicySubjectKind; assignment: PolicyAssignment }
  | { type: 'UNASSIGN'; now: number; from: PolicySubjectKind; subjectId: string }
  | ({ type: 'TEST'; now: number; tests: PolicyTest[] } & Expected)

type Begun = Pick<PolicyContext, 'definition' | 'agents'>

function rulesAfter({ definition }: PolicyContext, event: PolicyEvent): PolicyRule[] {
  switch (event.type) {
    case 'ADD_RULES':
      return [...definition.rules, ...event.rules]
    case 'REPLACE_RULES':
      return event.rules
    case 'EDIT_RULE':
      return definition.rules.map((rule) => (rule.id === event.rule.id ? event.rule : rule))
    case 'REMOVE_RULE':
      return definition.rules.filter((rule) => rule.id !== event.ruleId)
    default:
      return definition.rules
  }
}

/** The next version: its number, its definition, who made it and how; and who comes under it or leaves it thereby. */
function nextVersion(
  context: PolicyContext,
  event: PolicyEvent & Edit,
  changeType: ChangeType,
  definition: PolicyDefinition,
) {
  const [covered, covers] = [context.definition, definition].map(({ scope }) => scope === 'organization')
  const { joins, former } = context
  return {
    definition,
    version: context.version + 1,
    change: { changeType, changedBy: event.by, note: event.note ?? null, at: event.now },
    budgeted: context.budgeted || event.budgeted === true,
    joins: covers && !covered ? joins + 1 : joins,
    former: covered && !covers ? { ...former, all: true } : former,
    updatedAt: event.now,
  }
}

/** Agents and wallets that are deleted do not keep a policy. */
const isAssigned = ({ agents, wallets, cards = [] }: PolicyContext, event: PolicyEvent): boolean => {
  const gone = new Set((event as Edit).gone)
  return [...agents, ...wallets, ...cards].some(({ subjectId }) => !gone.has(subjectId))
}

function assignedIn(context: PolicyContext, kind: PolicySubjectKind): PolicyAssignment[] {
  return context[kind] ?? []
}

type Policies = List<'policy'>

export function policiesOf(organization: string): Policies {
  return listOf(`policies/${organization}`)
}

/** Those that apply to all of its agents. */
export function policiesOfOrganization(organization: string): Policies {
  return listOf(`organization-policies/${organization}`)
}

export function policiesOfAgent(agentId: string): Policies {
  return listOf(`agent-policies/${agentId}`)
}

export function policiesOfWallet(walletId: string): Policies {
  return listOf(`wallet-policies/${walletId}`)
}

export function policiesOfCard(cardId: string): Policies {
  return listOf(`card-policies/${cardId}`)
}

export function policyListing({ context }: { context: PolicyContext }): Listing {
  const { organization, definition, agents, wallets, cards = [] } = context
  return listed(
    policiesOf(organization),
    ...(definition.scope === 'organization' ? [policiesOfOrganization(organization)] : []),
    ...agents.map(({ subjectId }) => policiesOfAgent(subjectId)),
    ...wallets.map(({ subjectId }) => policiesOfWallet(subjectId)),
    ...cards.map(({ subjectId }) => policiesOfCard(subjectId)),
  )
}

export const policy = setup({
  types: { context: {} as PolicyContext, events: {} as PolicyEvent },
  guards: {
    outdated: ({ context, event }) => {
      const { ifVersion = context.version, ifTestsVersion = context.testsVersion } = event as Expected
      return ifVersion !== context.version || ifTestsVersion !== context.testsVersion
    },
    changesNothing: ({ context, event }) => {
      const { definition } = context
      const changes = event.type === 'UPDATE' ? event.changes : { rules: rulesAfter(context, event) }
      return isSameDefinition({ ...definition, ...changes }, definition)
    },
    tooMany: ({ context, event }) => rulesAfter(context, event).length > MAX_RULES,
    unknownRule: ({ context, event }) => {
      const id = event.type === 'EDIT_RULE' ? event.rule.id : event.type === 'REMOVE_RULE' ? event.ruleId : ''
      return !context.definition.rules.some((rule) => rule.id === id)
    },
    wouldCoverAssigned: ({ context, event }) => {
      const scope =
        event.type === 'UPDATE' ? event.changes.scope : event.type === 'ROLL_BACK' ? event.definition.scope : undefined
      return scope === 'organization' && context.definition.scope !== 'organization' && isAssigned(context, event)
    },
    assigned: ({ context, event }) => isAssigned(context, event),
    alreadyAssigned: ({ context, event }) =>
      event.type === 'ASSIGN' &&
      assignedIn(context, event.to).some(({ subjectId }) => subjectId === event.assignment.subjectId),
    coversAll: ({ context }) => context.definition.scope === 'organization',
    notAssigned: ({ context, event }) =>
      event.type === 'UNASSIGN' &&
      !assignedIn(context, event.from).some(({ subjectId }) => subjectId === event.subjectId),
  },
  actions: {
    describe: assign(({ context, event }) => {
      const created = event as PolicyEvent & { type: 'CREATE' }
      const { id, organization, order, now, definition, agents } = created
      return {
        id,
        organization,
        order,
        agents,
        createdAt: now,
        ...nextVersion(context, created, 'CREATED', definition),
      }
    }),
    update: assign(({ context, event }) => {
      const edit = event as PolicyEvent & { type: 'UPDATE' }
      return nextVersion(context, edit, 'UPDATED', { ...context.definition, ...edit.changes })
    }),
    changeRules: assign(({ context, event }) => {
      const rules = rulesAfter(context, event)
      return nextVersion(context, event as PolicyEvent & Edit, 'RULES_UPDATED', { ...context.definition, rules })
    }),
    rollBack: assign(({ context, event }) => {
      const edit = event as PolicyEvent & { type: 'ROLL_BACK' }
      const { policyType, isActive } = context.definition
      return nextVersion(context, edit, 'ROLLED_BACK', { ...edit.definition, policyType, isActive })
    }),
    retire: assign(({ context, event }) => {
      const definition = { ...context.definition, isActive: false }
      return {
        ...nextVersion(context, event as PolicyEvent & Edit, 'DELETED', definition),
        agents: [],
        wallets: [],
        cards: [],
      }
    }),
    assign: assign(({ context, event }) => {
      const { to, assignment } = event as PolicyEvent & { type: 'ASSIGN' }
      const join = context.joins + 1
      return { [to]: [...assignedIn(context, to), { ...assignment, join }], joins: join }
    }),
    unassign: assign(({ context, event }) => {
      const { from, subjectId } = event as PolicyEvent & { type: 'UNASSIGN' }
      const { former } = context
      const left = new Set([...(former[from] ?? []), subjectId])
      return {
        [from]: assignedIn(context, from).filter((assignment) => assignment.subjectId !== subjectId),
        former: { ...former, [from]: [...left] },
      }
    }),
    keepTests: assign(({ context, event }) => {
      return { tests: (event as PolicyEvent & { type: 'TEST' }).tests, testsVersion: context.testsVersion + 1 }
    }),
    announce: assign(({ context }, params: { event: string }) => ({ events: [...context.events, params.event] })),
    reject: assign((_, params: { code: Code }) => ({ refusal: params.code })),
  },
}).createMachine({
  id: 'policy',
  context: {
    id: '',
    organization: '',
    createdAt: 0,
    updatedAt: 0,
    order: 0,
    definition: {
      name: '',
      description: null,
      policyType: 'COMPOSITE',
      scope: 'assigned',
      priority: 50,
      isActive: true,
      rules: [],
    },
    version: 0,
    change: null,
    budgeted: false,
    agents: [],
    wallets: [],
    cards: [],
    joins: 0,
    former: { agents: [], wallets: [], all: false },
    tests: [],
    testsVersion: 0,
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
        CREATE: {
          target: 'kept',
          actions: ['describe', { type: 'announce', params: { event: 'policy.created' } }],
        },
      },
    },
    kept: {
      on: {
        UPDATE: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          { guard: 'changesNothing' },
          { guard: 'wouldCoverAssigned', actions: { type: 'reject', params: { code: 'POLICY_HAS_ASSIGNMENTS' } } },
          { actions: ['update', { type: 'announce', params: { event: 'policy.updated' } }] },
        ],
        ADD_RULES: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          { guard: 'tooMany', actions: { type: 'reject', params: { code: 'VALIDATION_ERROR' } } },
          { actions: ['changeRules', { type: 'announce', params: { event: 'policy.updated' } }] },
        ],
        REPLACE_RULES: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          { guard: 'changesNothing' },
          { guard: 'tooMany', actions: { type: 'reject', params: { code: 'VALIDATION_ERROR' } } },
          { actions: ['changeRules', { type: 'announce', params: { event: 'policy.updated' } }] },
        ],
        EDIT_RULE: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          { guard: 'unknownRule', actions: { type: 'reject', params: { code: 'NOT_FOUND' } } },
          { guard: 'changesNothing' },
          { actions: ['changeRules', { type: 'announce', params: { event: 'policy.updated' } }] },
        ],
        REMOVE_RULE: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          { guard: 'unknownRule', actions: { type: 'reject', params: { code: 'NOT_FOUND' } } },
          { actions: ['changeRules', { type: 'announce', params: { event: 'policy.updated' } }] },
        ],
        ROLL_BACK: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          { guard: 'wouldCoverAssigned', actions: { type: 'reject', params: { code: 'POLICY_HAS_ASSIGNMENTS' } } },
          { actions: ['rollBack', { type: 'announce', params: { event: 'policy.updated' } }] },
        ],
        ASSIGN: [
          { guard: 'alreadyAssigned' },
          { guard: 'coversAll', actions: { type: 'reject', params: { code: 'INVALID_STATUS' } } },
          { actions: 'assign' },
        ],
        UNASSIGN: [
          { guard: 'notAssigned', actions: { type: 'reject', params: { code: 'NOT_FOUND' } } },
          { actions: 'unassign' },
        ],
        TEST: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          { actions: 'keepTests' },
        ],
        DELETE: [
          { guard: 'outdated', actions: { type: 'reject', params: { code: 'VERSION_CONFLICT' } } },
          { guard: 'assigned', actions: { type: 'reject', params: { code: 'POLICY_HAS_ASSIGNMENTS' } } },
          {
            target: 'deleted',
            actions: ['retire', { type: 'announce', params: { event: 'policy.deleted' } }],
          },
        ],
      },
    },
    deleted: { meta: { gone: true } },
  },
})
