// Routes to try policies: a dry run, the stored test cases of a policy, and templates.
import * as v from 'valibot'
import { TEMPLATES } from '../../../../rules/templates/index.js'
import type { Actor } from '../../../actor/actor.js'
import { dryRun } from '../../../commands/payments/dryRun.js'
import { reachableWallets } from '../../../commands/payments/facts.js'
import { findPolicy } from '../../../commands/policies/policies.js'
import { keepTests } from '../../../commands/policies/keptTests.js'
import { OUTCOMES } from '../../../domain/payment/terms.js'
import { POLICY_TYPES } from '../../../domain/parties/policy.js'
import { ruleContentSchema } from './policies.js'
import { decisionRecord, decisionSchema } from '../payments/records.js'
import { editOptions } from './policies.js'
import { wanted } from '../payments/payments.js'
import { answered, ok } from '../../server/respond.js'
import { route } from '../../server/route.js'
import { enumOf, freeObject, id, jsonObject, listSchema, name, recordSchema, titled } from '../../input/schemas.js'

const read = { key: 'organization', scope: 'policies:read' } as const
const BYTES = 8192

const testCase = titled(
  'GivenTest',
  v.strictObject({
    name: name(100),
    payment: jsonObject({ maxBytes: BYTES }),
    facts: v.optional(jsonObject({ maxBytes: BYTES }), {}),
    expect: enumOf(OUTCOMES),
  }),
)
const testsSchema = recordSchema('PolicyTests', {
  tests: v.array(v.object({ name: v.string(), payment: freeObject, facts: freeObject, expect: v.picklist(OUTCOMES) })),
})

const testsOf = (actor: Actor<'policy'>): v.InferOutput<typeof testsSchema> => ({ tests: actor.context.tests })

const templates = [...TEMPLATES]
const templateSchema = recordSchema('PolicyTemplate', {
  id: v.string(),
  name: v.string(),
  description: v.string(),
  policyType: v.picklist(POLICY_TYPES),
  rules: v.array(ruleContentSchema),
})

export const policyTrialRoutes = [
  route({
    operationId: 'evaluatePayment',
    method: 'POST',
    path: '/api/policies/evaluate',
    access: read,
    idempotency: 'unkept',
    summary: 'Dry run of a payment request; nothing is stored',
    body: v.strictObject({ agentId: id(), payment: wanted }),
    answers: { 200: decisionSchema },
    refuses: ['NO_WALLET', 'INVALID_ADDRESS', 'INVALID_RECIPIENT', 'NOT_FOUND', 'LIMIT_REACHED'],
    handler: async ({ services, caller, body }) => {
      const { agentId, payment } = body
      const tried = await dryRun(services, caller, agentId, payment, (made, view) =>
        decisionRecord(made, view, () => reachableWallets(services, agentId, view)),
      )
      return tried.ok ? ok(tried.value) : tried
    },
  }),
  route({
    operationId: 'getPolicyTests',
    method: 'GET',
    path: '/api/policies/:policyId/tests',
    access: read,
    summary: "Read a policy's tests",
    answers: { 200: testsSchema },
    handler: async ({ services, caller, params }) => {
      const found = await findPolicy(services, caller, params.policyId)
      return found.ok ? ok(testsOf(found.value)) : found
    },
  }),
  route({
    operationId: 'setPolicyTests',
    method: 'PUT',
    path: '/api/policies/:policyId/tests',
    access: { key: 'organization', scope: 'policies:write' },
    summary: "Replace a policy's tests; a change that makes one fail is refused",
    body: v.strictObject({ tests: listSchema(testCase, { max: 100 }) }),
    listField: 'tests',
    versioned: true,
    answers: { 200: testsSchema },
    refuses: ['INVALID_STATUS', 'POLICY_TESTS_FAILED'],
    handler: async (call) => {
      const options = editOptions({ ...call, query: {} })
      if (!options.ok) return options
      return answered(
        call,
        (actor: Actor<'policy'>) => ok(testsOf(actor)),
        (caller) => keepTests(call.services, caller, call.params.policyId, call.body.tests, options.value),
      )
    },
  }),
  route({
    operationId: 'listPolicyTemplates',
    method: 'GET',
    path: '/api/policy-templates',
    access: read,
    summary: 'List policy templates',
    answers: { 200: recordSchema('PolicyTemplates', { templates: v.array(templateSchema) }) },
    handler: async () => ok({ templates }),
  }),
]
