// Audit log routes: entries, the export as JSON Lines, verification, checkpoints and proofs.
import * as v from 'valibot'
import {
  currentCheckpoint,
  exportLog,
  findConsistency,
  findProof,
  listEntries,
  noteKey,
  verifyLog,
  type SignedCheckpoint,
} from '../../commands/audit/audit.js'
import { AUDIT_FORMAT, type AuditEntry } from '../../domain/audit/entry.js'
import { rawEntry, readableEntry, type RawEntry, type StoredEntry } from '../../domain/audit/forms.js'
import { verifierKey } from '../../domain/audit/checkpoint.js'
import { hexOf } from '../../domain/values/digest.js'
import { refuse, succeed } from '../../domain/outcomes/result.js'
import { concurrencyLimit } from '../../async/concurrencyLimit.js'
import { page, integerParameter } from '../input/querySchemas.js'
import { ok, paginationOf, paginationSchema, wrongCursor } from '../server/respond.js'
import { route } from '../server/route.js'
import { enumOf, id, text, timestamp, textSchema, recordSchema } from '../input/schemas.js'

const textAt = recordSchema('AuditText', { path: v.string(), salt: v.string(), text: v.string() })

export const entrySchema = recordSchema('AuditEntry', {
  format: v.literal(AUDIT_FORMAT),
  sequence: v.number(),
  id: v.string(),
  action: v.string(),
  resource: v.string(),
  resourceId: v.string(),
  actor: v.object({ type: v.string(), id: v.string() }),
  requestId: v.optional(v.string()),
  at: v.string(),
  turn: v.object({
    command: v.string(),
    guard: v.optional(v.string()),
    refusal: v.optional(v.string()),
    refusedBy: v.optional(v.string()),
    events: v.optional(v.array(v.string())),
  }),
  data: v.unknown(),
  /** Of raw entries. */
  texts: v.optional(v.array(textAt)),
  previousHash: v.string(),
  hash: v.string(),
})

const listSchema = recordSchema('AuditEntryList', {
  entries: v.array(entrySchema),
  pagination: v.object({ ...paginationSchema.entries, total: v.optional(v.number()) }),
})

const verifiedSchema = recordSchema('VerifiedAuditLog', {
  valid: v.boolean(),
  entries: v.number(),
  head: v.nullable(v.string()),
  firstBrokenSequence: v.optional(v.number()),
})

const checkpointEntries = {
  origin: v.string(),
  size: v.number(),
  root: v.string(),
  head: v.string(),
  checkpoint: v.string(),
  verifierKey: v.string(),
}

export const inclusionSchema = recordSchema('InclusionPath', {
  leafIndex: v.number(),
  treeSize: v.number(),
  hashes: v.array(v.string()),
})

const proofSchema = recordSchema('InclusionProof', { ...checkpointEntries, entry: entrySchema, proof: inclusionSchema })

const consistencySchema = recordSchema('ConsistencyProof', {
  ...checkpointEntries,
  from: v.object({ size: v.number(), root: v.string() }),
  hashes: v.array(v.string()),
})

const keySchema = recordSchema('CheckpointKey', {
  algorithm: v.literal('Ed25519'),
  name: v.string(),
  publicKey: v.string(),
  verifierKey: v.string(),
})

/** `raw`: entries as they are hashed, with digests in the place of texts and the texts beside them. */
const form = { format: v.optional(enumOf(['raw'])) }

const inForm = (entry: StoredEntry, format: 'raw' | undefined): AuditEntry | RawEntry =>
  format === 'raw' ? rawEntry(entry) : readableEntry(entry)

/** A number of entries. */
const size = integerParameter(1, Number.MAX_SAFE_INTEGER)

const filters = {
  action: v.optional(text(1, 128)),
  resource: v.optional(text(1, 128)),
  resourceId: v.optional(id()),
  actorId: v.optional(id()),
  from: v.optional(timestamp()),
  to: v.optional(timestamp()),
}

const read = { key: 'organization', scope: 'audit:read' } as const

/** Exports of an organization at a time: each holds a part of the log until it is read. */
const fewExports = concurrencyLimit(4)

export const auditRoutes = [
  route({
    operationId: 'listAuditEntries',
    method: 'GET',
    path: '/api/audit-logs',
    access: read,
    summary: 'List audit entries, newest first',
    query: v.strictObject({ ...filters, ...form, ...page }),
    answers: { 200: listSchema },
    handler: async ({ services, caller, query }) => {
      const { limit, offset, cursor, format, ...filter } = query
      const found = await listEntries(services, caller, { filter, limit, offset, cursor })
      if (!found) return wrongCursor()
      const entries = found.entries.map((entry) => inForm(entry, format))
      return ok({ entries, pagination: paginationOf(found, { limit, offset }) })
    },
  }),
  route({
    operationId: 'verifyAuditLog',
    method: 'GET',
    path: '/api/audit-logs/verify',
    access: read,
    summary: 'Verify the whole audit log',
    answers: { 200: verifiedSchema },
    handler: async ({ services, caller }) => ok({ ...(await verifyLog(services, caller)) }),
  }),
  route({
    operationId: 'exportAuditLog',
    method: 'GET',
    path: '/api/audit-logs/export',
    access: read,
    summary: 'The whole audit log, oldest first, a raw entry a line in its RFC 8785 form',
    answers: { 200: textSchema('AuditLogLines', 'application/jsonl') },
    handler: async ({ services, caller, principal }) => {
      let onEnd = (): void => {}
      const ended = new Promise<void>((resolve) => (onEnd = resolve))
      if (!fewExports(principal.organization, () => ended)) {
        return refuse('RATE_LIMITED', 'Too many exports of this organization are in progress: try again later')
      }
      const parts = exportLog(services, caller)
      return succeed({ status: 200, body: null, parts, onEnd, contentType: 'application/jsonl; charset=utf-8' })
    },
  }),
  route({
    operationId: 'getAuditCheckpoint',
    method: 'GET',
    path: '/api/audit-logs/checkpoint',
    access: read,
    summary: 'The signed head of the audit log and the root of the tree over it',
    answers: { 200: recordSchema('Checkpoint', checkpointEntries) },
    refuses: ['CHECKPOINT_CONFLICT'],
    handler: async ({ services, caller }) => {
      const found = await currentCheckpoint(services, caller)
      return found.ok ? ok(shown(found.value)) : found
    },
  }),
  route({
    operationId: 'getAuditPublicKey',
    method: 'GET',
    path: '/api/audit-logs/public-key',
    access: read,
    summary: 'The key that signs checkpoints',
    answers: { 200: keySchema },
    handler: async ({ services, caller }) => {
      const key = noteKey(services, caller)
      const { name, publicKey } = key
      return ok({ algorithm: 'Ed25519', name, publicKey: hexOf(publicKey), verifierKey: verifierKey(key) })
    },
  }),
  route({
    operationId: 'proveAuditConsistency',
    method: 'GET',
    path: '/api/audit-logs/consistency',
    access: read,
    summary: 'Proof that the log of an older checkpoint is the beginning of the log of today',
    query: v.strictObject({ from: size, to: v.optional(size) }),
    answers: { 200: consistencySchema },
    refuses: ['CHECKPOINT_CONFLICT'],
    handler: async ({ services, caller, query }) => {
      const found = await findConsistency(services, caller, query.from, query.to)
      if (!found.ok) return found
      const { signed, from, hashes } = found.value
      return ok({ ...shown(signed), from, hashes })
    },
  }),
  route({
    operationId: 'proveAuditEntry',
    method: 'GET',
    path: '/api/audit-logs/:sequence/proof',
    access: read,
    summary: 'An audit entry, and proof that it is in the log of a checkpoint',
    query: v.strictObject({ size: v.optional(size), ...form }),
    answers: { 200: proofSchema },
    refuses: ['CHECKPOINT_CONFLICT'],
    handler: async ({ services, caller, params, query }) => {
      const sequence = params.sequence
      if (!/^[1-9]\d{0,14}$/.test(sequence)) return refuse('NOT_FOUND', `There is no audit entry ${sequence}`)
      const found = await findProof(services, caller, Number(sequence), query.size)
      if (!found.ok) return found
      const { signed, entry, proof } = found.value
      return ok({ ...shown(signed), entry: inForm(entry, query.format), proof: { ...proof } })
    },
  }),
]

function shown(signed: SignedCheckpoint): SignedCheckpoint {
  return { ...signed }
}
