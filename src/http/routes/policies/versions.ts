// Policy version routes: list, read, diff and restore.
import * as v from 'valibot'
import { rulesHash } from '../../../commands/payments/policySnapshot.js'
import { compareVersions, findVersion, listVersions, rollBack } from '../../../commands/policies/versions.js'
import type { PolicyVersion } from '../../../domain/parties/policy.js'
import { editOptions, forced, shownBy, policySchema, ruleSchema } from './policies.js'
import { page, integerParameter } from '../../input/querySchemas.js'
import { answered, iso, ok, paginationOf, paginationSchema, wrongCursor } from '../../server/respond.js'
import { route } from '../../server/route.js'
import { text, recordSchema } from '../../input/schemas.js'

const entries = {
  version: v.number(),
  changeType: v.picklist(['CREATED', 'UPDATED', 'RULES_UPDATED', 'ROLLED_BACK', 'DELETED']),
  changedBy: v.object({ type: v.string(), id: v.string(), name: v.string() }),
  note: v.nullable(v.string()),
  ruleCount: v.number(),
  contentHash: v.string(),
  createdAt: v.string(),
}
const versionSchema = recordSchema('PolicyVersion', entries)
const { name, description, policyType, scope, priority, isActive } = policySchema.entries
const snapshotSchema = v.object({
  name,
  description,
  policyType,
  scope,
  priority,
  isActive,
  rules: v.array(ruleSchema),
})
const wholeVersionSchema = recordSchema('WholeVersion', { ...entries, snapshot: snapshotSchema })
const listSchema = recordSchema('VersionList', { versions: v.array(versionSchema), pagination: paginationSchema })
const diffSchema = recordSchema('VersionDiff', {
  policyId: v.string(),
  from: v.number(),
  to: v.number(),
  diff: v.object({
    fields: v.array(v.object({ field: v.string(), from: v.unknown(), to: v.unknown() })),
    rulesAdded: v.array(ruleSchema),
    rulesRemoved: v.array(ruleSchema),
  }),
})

function versionRecord({
  version,
  changeType,
  changedBy,
  note,
  definition,
  at,
}: PolicyVersion): v.InferOutput<typeof versionSchema> {
  const { rules } = definition
  const hash = rulesHash(rules)
  return { version, changeType, changedBy, note, ruleCount: rules.length, contentHash: hash, createdAt: iso(at) }
}

const versionNumber = integerParameter(1, Number.MAX_SAFE_INTEGER)

/** The version in a path; for an invalid one 0, which no policy has. */
const versionIn = (text: string | undefined): number => (/^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : 0)

const read = { key: 'organization', scope: 'policies:read' } as const

export const policyVersionRoutes = [
  route({
    operationId: 'listPolicyVersions',
    method: 'GET',
    path: '/api/policies/:policyId/versions',
    access: read,
    summary: 'The versions of a policy, newest first',
    query: v.strictObject(page),
    answers: { 200: listSchema },
    handler: async ({ services, caller, params, query }) => {
      const found = await listVersions(services, caller, params.policyId, query)
      if (!found.ok) return found
      if (!found.value) return wrongCursor()
      const { versions } = found.value
      return ok({ versions: versions.map(versionRecord), pagination: paginationOf(found.value, query) })
    },
  }),
  route({
    operationId: 'comparePolicyVersions',
    method: 'GET',
    path: '/api/policies/:policyId/versions/compare',
    access: read,
    summary: 'The differences between two versions',
    query: v.strictObject({ from: versionNumber, to: versionNumber }),
    answers: { 200: diffSchema },
    handler: async ({ services, caller, params, query }) => {
      const { policyId } = params
      const { from, to } = query
      const compared = await compareVersions(services, caller, policyId!, from, to)
      if (!compared.ok) return compared
      return ok({ policyId: policyId!, from, to, diff: compared.value })
    },
  }),
  route({
    operationId: 'getPolicyVersion',
    method: 'GET',
    path: '/api/policies/:policyId/versions/:version',
    access: read,
    summary: 'Read a version with all its rules',
    answers: { 200: wholeVersionSchema },
    handler: async ({ services, caller, params }) => {
      const { policyId, version } = params
      const found = await findVersion(services, caller, policyId!, versionIn(version))
      if (!found.ok) return found
      const { definition } = found.value
      return ok({ ...versionRecord(found.value), snapshot: definition })
    },
  }),
  route({
    operationId: 'rollBackPolicy',
    method: 'POST',
    path: '/api/policies/:policyId/versions/:version/rollback',
    access: { key: 'organization', scope: 'policies:write' },
    summary: 'Roll back to a version, as a new version; the policy stays active or inactive',
    governed: 'policy.rollback',
    query: forced,
    body: v.strictObject({ note: v.optional(text(1, 500)) }),
    bodyOptional: true,
    versioned: true,
    answers: { 200: policySchema },
    refuses: ['INVALID_STATUS', 'LIMIT_REACHED', 'POLICY_HAS_ASSIGNMENTS', 'POLICY_TESTS_FAILED'],
    handler: async (call) => {
      const { policyId, version } = call.params
      const options = editOptions(call)
      if (!options.ok) return options
      const { note } = call.body
      return answered(call, shownBy(call.services), (caller) =>
        rollBack(call.services, caller, policyId!, versionIn(version), { ...options.value, note }),
      )
    },
  }),
]
