// Policy routes: policies and their rules.
import { charts } from '../../../../machines/index.js'
import { isGone } from '../../../actor/turn.js'
import * as v from 'valibot'
import type { Actor } from '../../../actor/actor.js'
import type { View } from '../../../actor/host.js'
import {
  addRules,
  createPolicy,
  deletePolicy,
  editRule,
  findPolicy,
  removeRule,
  replaceRules,
  updatePolicy,
  type EditOptions,
} from '../../../commands/policies/policies.js'
import { listPolicies } from '../../../commands/policies/list.js'
import { rulesHash } from '../../../commands/payments/policySnapshot.js'
import { compiledPolicy } from '../../../commands/payments/policySet.js'
import type { Services } from '../../../commands/ports.js'
import { asJson, type Json } from '../../../domain/values/canonical.js'
import { MAX_RULES, POLICY_SCOPES, POLICY_TYPES } from '../../../domain/parties/policy.js'
import { refuseField, succeed, type Result } from '../../../domain/outcomes/result.js'
import { RULE_TYPES } from '../../../../rules/ruleTypes/index.js'
import { ACTIONS, OPERATORS } from '../../../../rules/ruleTypes/ruleType.js'
import { assignmentRoutes } from './assignments.js'
import { booleanQuery, page } from '../../input/querySchemas.js'
import { answered, iso, ok, pageAnswer, paginationSchema, succeeded, success } from '../../server/respond.js'
import { route, type HandlerInput } from '../../server/route.js'
import {
  enumOf,
  flag,
  freeObject,
  id,
  jsonObject,
  jsonValue,
  listSchema,
  name,
  setSchema,
  text,
  wholeFrom,
  titled,
  recordSchema,
} from '../../input/schemas.js'

const RULE_BYTES = 256 * 1024

/** A rule without an id. */
export const ruleContentSchema = recordSchema('RuleContent', {
  ruleType: v.string(),
  operator: v.nullable(v.string()),
  value: v.unknown(),
  action: v.string(),
})
export const ruleSchema = recordSchema('Rule', { id: v.string(), ...ruleContentSchema.entries })

export const policySchema = recordSchema('Policy', {
  id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  policyType: v.picklist(POLICY_TYPES),
  scope: v.picklist(POLICY_SCOPES),
  priority: v.number(),
  isActive: v.boolean(),
  version: v.number(),
  contentHash: v.string(),
  rules: v.array(ruleSchema),
  assignments: v.object({ agents: v.array(v.string()), wallets: v.array(v.string()), cards: v.array(v.string()) }),
  createdAt: v.string(),
  updatedAt: v.string(),
})

const ruleSetSchema = recordSchema('RuleSet', {
  id: v.string(),
  version: v.number(),
  contentHash: v.string(),
  facts: v.array(v.string()),
  rules: v.array(
    v.object({ name: v.string(), conditions: freeObject, event: v.object({ type: v.string(), params: freeObject }) }),
  ),
})

const isLive = (actor: Actor | undefined): boolean => actor !== undefined && !isGone(charts, actor)

/** Without agents and wallets that are deleted: they are listed no longer, as the view shows. */
function policyRecord(actor: Actor<'policy'>, view: View): v.InferOutput<typeof policySchema> {
  const { id: policyId, definition, version, agents, wallets, cards = [], createdAt, updatedAt } = actor.context
  const { rules, ...metadata } = definition
  const live = (kind: string, assignments: { subjectId: string }[]): string[] => {
    const ids = assignments.map(({ subjectId }) => subjectId)
    return ids.filter((subjectId) => isLive(view(`${kind}/${subjectId}`)))
  }
  return {
    id: policyId,
    ...metadata,
    version,
    contentHash: rulesHash(rules),
    rules,
    assignments: { agents: live('agent', agents), wallets: live('wallet', wallets), cards: live('card', cards) },
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

const rule = jsonValue({ maxBytes: RULE_BYTES })
export const rules = listSchema(rule, { max: MAX_RULES })
const priority = wholeFrom(0, 100)

/** Defaults of absent fields, also restored by null. */
const INITIAL = { scope: 'assigned', priority: 50, isActive: true } as const

export const agentIds = v.optional(setSchema(id(), { max: 100 }))

export const draftPolicy = titled(
  'PolicyDraft',
  v.strictObject({
    name: name(100),
    description: v.optional(v.nullable(text(0, 500))),
    policyType: enumOf(POLICY_TYPES),
    scope: v.optional(enumOf(POLICY_SCOPES), INITIAL.scope),
    priority: v.optional(priority, INITIAL.priority),
    isActive: v.optional(flag, INITIAL.isActive),
    rules: v.optional(rules, []),
  }),
)

const newPolicy = v.strictObject({ ...draftPolicy.entries, agentIds })

export const policyUpdate = v.strictObject({
  name: v.optional(name(100)),
  description: v.optional(v.nullable(text(0, 500))),
  scope: v.optional(v.nullable(enumOf(POLICY_SCOPES), INITIAL.scope)),
  priority: v.optional(v.nullable(priority, INITIAL.priority)),
  isActive: v.optional(v.nullable(flag, INITIAL.isActive)),
})

const ruleUpdate = v.strictObject({
  ruleType: v.optional(enumOf(Object.keys(RULE_TYPES))),
  operator: v.optional(v.nullable(enumOf(OPERATORS))),
  value: v.optional(rule),
  action: v.optional(v.nullable(enumOf(ACTIONS))),
})

const single = policySchema
const read = { key: 'organization', scope: 'policies:read' } as const
const write = { key: 'organization', scope: 'policies:write' } as const
/** `force` accepts a change that makes the policy's own tests fail. */
export const forced = v.strictObject({ force: v.optional(booleanQuery) })

/** The version that the editor saw, from `If-Match`, and whether to override failing tests. */
export function editOptions(
  call: Pick<HandlerInput, 'ifMatch'> & { query: { force?: boolean | undefined } },
): Result<EditOptions, 'VALIDATION_ERROR'> {
  const { force } = call.query
  if (call.ifMatch === undefined || call.ifMatch === '*') return succeed({ force })
  const [, version] = /^(?:W\/)?"?(\d{1,9})"?$/.exec(call.ifMatch) ?? []
  if (version !== undefined) return succeed({ force, ifVersion: Number(version) })
  return refuseField('If-Match', 'must be a version number')
}

/** The answer with a policy. */
export function shownBy<const Status extends number = 200>({ host }: Services, status?: Status) {
  return (actor: Actor<'policy'>) =>
    ok(
      policyRecord(actor, (ref) => host.peek(ref)),
      status,
    )
}

export const policyRoutes = [
  route({
    operationId: 'listPolicies',
    method: 'GET',
    path: '/api/policies',
    access: read,
    summary: 'List policies',
    query: v.strictObject({
      ...page,
      isActive: v.optional(booleanQuery),
      policyType: v.optional(enumOf(POLICY_TYPES)),
      search: v.optional(text(0, 200)),
      walletId: v.optional(id()),
    }),
    answers: {
      200: recordSchema('PolicyList', { policies: v.array(policySchema), pagination: paginationSchema }),
    },
    handler: async ({ services, caller, query }) =>
      pageAnswer('policies', await listPolicies(services, caller, query), query, (actor) =>
        policyRecord(actor, (ref) => services.host.peek(ref)),
      ),
  }),
  route({
    operationId: 'getPolicy',
    method: 'GET',
    path: '/api/policies/:policyId',
    access: read,
    summary: 'Read a policy, or the json-rules-engine rule set that it compiles to',
    query: v.strictObject({ format: v.optional(enumOf(['json-rules-engine'])) }),
    answers: { 200: titled('PolicyOrRuleSet', v.union([policySchema, ruleSetSchema])) },
    handler: async ({ services, caller, params, query }) => {
      const found = await findPolicy(services, caller, params.policyId)
      if (!found.ok) return found
      if (query.format === undefined) return shownBy(services)(found.value)
      return ok(asJson(await compiledPolicy(services, caller, found.value)))
    },
  }),
  route({
    operationId: 'createPolicy',
    method: 'POST',
    path: '/api/policies',
    access: write,
    summary: 'Create a policy',
    governed: 'policy.create',
    body: newPolicy,
    answers: { 201: single },
    refuses: ['INVALID_AMOUNT', 'INVALID_ADDRESS', 'NOT_FOUND', 'LIMIT_REACHED'],
    handler: (call) =>
      answered(call, shownBy(call.services, 201), (caller) => createPolicy(call.services, caller, call.body)),
  }),
  route({
    operationId: 'updatePolicy',
    method: 'PATCH',
    path: '/api/policies/:policyId',
    access: write,
    summary: "Change a policy's metadata",
    governed: 'policy.update',
    query: forced,
    body: policyUpdate,
    versioned: true,
    answers: { 200: single },
    refuses: ['INVALID_STATUS', 'LIMIT_REACHED', 'POLICY_HAS_ASSIGNMENTS', 'POLICY_TESTS_FAILED'],
    handler: async (call) => {
      const options = editOptions(call)
      if (!options.ok) return options
      return answered(call, shownBy(call.services), (caller) =>
        updatePolicy(call.services, caller, call.params.policyId, call.body, options.value),
      )
    },
  }),
  route({
    operationId: 'deletePolicy',
    method: 'DELETE',
    path: '/api/policies/:policyId',
    access: write,
    summary: 'Remove a policy; its versions stay',
    governed: 'policy.delete',
    versioned: true,
    answers: { 200: success },
    refuses: ['INVALID_STATUS', 'POLICY_HAS_ASSIGNMENTS'],
    handler: async (call) => {
      const options = editOptions({ ...call, query: {} })
      if (!options.ok) return options
      return answered(call, succeeded, (caller) =>
        deletePolicy(call.services, caller, call.params.policyId, options.value),
      )
    },
  }),
  route({
    operationId: 'listPolicyRules',
    method: 'GET',
    path: '/api/policies/:policyId/rules',
    access: read,
    summary: 'Read a policy with its rules',
    answers: { 200: single },
    handler: async ({ services, caller, params }) => {
      const found = await findPolicy(services, caller, params.policyId)
      return found.ok ? shownBy(services)(found.value) : found
    },
  }),
  route({
    operationId: 'addPolicyRules',
    method: 'POST',
    path: '/api/policies/:policyId/rules',
    access: write,
    summary: 'Add a rule, or several as {rules}',
    governed: 'policy.update',
    query: forced,
    body: jsonObject({ maxBytes: RULE_BYTES }),
    versioned: true,
    answers: { 201: single },
    refuses: ['INVALID_STATUS', 'INVALID_AMOUNT', 'INVALID_ADDRESS', 'POLICY_TESTS_FAILED'],
    handler: async (call) => {
      const options = editOptions(call)
      const rules = givenRules(call.body as { [field: string]: Json })
      if (!options.ok) return options
      if (!rules.ok) return rules
      return answered(call, shownBy(call.services, 201), (caller) =>
        addRules(call.services, caller, call.params.policyId, rules.value, options.value),
      )
    },
  }),
  route({
    operationId: 'replacePolicyRules',
    method: 'PUT',
    path: '/api/policies/:policyId/rules',
    access: write,
    summary: 'Replace all rules',
    governed: 'policy.update',
    query: forced,
    body: v.strictObject({ rules }),
    versioned: true,
    answers: { 200: single },
    refuses: ['INVALID_STATUS', 'INVALID_AMOUNT', 'INVALID_ADDRESS', 'POLICY_TESTS_FAILED'],
    handler: async (call) => {
      const options = editOptions(call)
      if (!options.ok) return options
      return answered(call, shownBy(call.services), (caller) =>
        replaceRules(call.services, caller, call.params.policyId, call.body.rules, options.value),
      )
    },
  }),
  route({
    operationId: 'updatePolicyRule',
    method: 'PATCH',
    path: '/api/policies/:policyId/rules/:ruleId',
    access: write,
    summary: 'Edit a rule',
    governed: 'policy.update',
    query: forced,
    body: ruleUpdate,
    versioned: true,
    answers: { 200: single },
    refuses: ['INVALID_STATUS', 'INVALID_AMOUNT', 'INVALID_ADDRESS', 'POLICY_TESTS_FAILED'],
    handler: async (call) => {
      const options = editOptions(call)
      if (!options.ok) return options
      const { policyId, ruleId } = call.params
      return answered(call, shownBy(call.services), (caller) =>
        editRule(call.services, caller, policyId!, ruleId!, call.body, options.value),
      )
    },
  }),
  route({
    operationId: 'deletePolicyRule',
    method: 'DELETE',
    path: '/api/policies/:policyId/rules/:ruleId',
    access: write,
    summary: 'Remove a rule',
    governed: 'policy.update',
    query: forced,
    versioned: true,
    answers: { 200: single },
    refuses: ['INVALID_STATUS', 'POLICY_TESTS_FAILED'],
    handler: async (call) => {
      const options = editOptions(call)
      if (!options.ok) return options
      const { policyId, ruleId } = call.params
      return answered(call, shownBy(call.services), (caller) =>
        removeRule(call.services, caller, policyId!, ruleId!, options.value),
      )
    },
  }),
  ...assignmentRoutes,
]

/** The given rules: the body itself, or the list in `rules`; `path` is where they are in the body. */
function givenRules(body: { [field: string]: Json }): Result<{ given: Json[]; path: string }, 'VALIDATION_ERROR'> {
  if (!Object.hasOwn(body, 'rules')) return succeed({ given: [body], path: '' })
  const { rules: several, ...rest } = body
  const isList = Array.isArray(several) && several.length > 0 && several.length <= MAX_RULES
  if (isList && Object.keys(rest).length === 0) return succeed({ given: several, path: 'rules' })
  return refuseField('rules', `must be a list of 1 to ${MAX_RULES} rules, alone in the body`)
}
