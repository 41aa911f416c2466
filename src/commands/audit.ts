// Reads an organization's audit log: entries, verification, signed checkpoints and proofs. It reads and signs; it never
// changes a log.
import type { EntryPage, EntryQuery, LogTree, Verified } from '../actor/auditLog.js'
import type { AuditEntry } from '../domain/audit.js'
import { checkpointText, originOf, signedNote, verifierKey, type NoteKey } from '../domain/checkpoint.js'
import { hexOf } from '../domain/digest.js'
import { consistencyProof, inclusionProof, rootOf } from '../domain/merkle.js'
import { refuse, refuseField, type Refused } from '../domain/refusal.js'
import type { Caller, Services } from './ports.js'

export function listEntries(
  services: Services,
  { principal }: Caller,
  query: EntryQuery,
): Promise<EntryPage | undefined> {
  return services.auditLog.page(principal.organization, query)
}

export function verifyLog(services: Services, { principal }: Caller): Promise<Verified> {
  return services.auditLog.verify(principal.organization)
}

export function exportLog(services: Services, { principal }: Caller): AsyncIterable<string> {
  return services.auditLog.lines(principal.organization)
}

/** The public key, named after this organization's log. */
export function noteKey({ checkpointKey }: Services, { principal }: Caller): NoteKey {
  return { name: originOf(principal.organization), publicKey: checkpointKey.publicKey }
}

export interface SignedCheckpoint {
  origin: string
  size: number
  /** Hex. */
  root: string
  head: string
  /** The signed note; nothing else here is signed. */
  checkpoint: string
  verifierKey: string
}

/** The tree of the entries on disk. A broken log is never signed. */
export async function findTree(
  services: Services,
  { principal }: Caller,
): Promise<{ ok: true; tree: LogTree } | Refused> {
  const tree = await services.auditLog.tree(principal.organization)
  if (!('broken' in tree)) return { ok: true, tree }
  return refuse('INTERNAL_ERROR', `The audit log is broken at entry ${tree.broken}: see /api/audit-logs/verify`)
}

/** Signs the first `size` entries. */
export function signCheckpoint(services: Services, caller: Caller, tree: LogTree, size = tree.size): SignedCheckpoint {
  const key = noteKey(services, caller)
  const root = rootOf(size, tree.subtree)
  const head = tree.hashOf(size)
  const text = checkpointText({ origin: key.name, size, root, head })
  const checkpoint = signedNote(text, key, services.checkpointKey.sign)
  return { origin: key.name, size, root: hexOf(root), head, checkpoint, verifierKey: verifierKey(key) }
}

export async function currentCheckpoint(
  services: Services,
  caller: Caller,
): Promise<{ ok: true; signed: SignedCheckpoint } | Refused> {
  const found = await findTree(services, caller)
  return found.ok ? { ok: true, signed: signCheckpoint(services, caller, found.tree) } : found
}

export interface Inclusion {
  /** From 0: the entry's sequence less one. */
  leafIndex: number
  treeSize: number
  /** Hex, from the leaf up. */
  hashes: string[]
}

export function proveEntry(tree: LogTree, sequence: number, size = tree.size): Inclusion {
  const hashes = inclusionProof(sequence - 1, size, tree.subtree)
  return { leafIndex: sequence - 1, treeSize: size, hashes: hashes.map(hexOf) }
}

export interface Proven {
  ok: true
  entry: AuditEntry
  proof: Inclusion
  signed: SignedCheckpoint
}

/** Proves that the entry is among the first `size`, by default among all. */
export async function findProof(
  services: Services,
  caller: Caller,
  sequence: number,
  size: number | undefined,
): Promise<Proven | Refused> {
  const found = await findTree(services, caller)
  if (!found.ok) return found
  const { tree } = found
  const within = size ?? tree.size
  const entry = await services.auditLog.entry(caller.principal.organization, sequence)
  if (!entry || sequence > tree.size) return refuse('NOT_FOUND', `There is no audit entry ${sequence}`)
  if (within > tree.size || within < sequence) return wrongSize('size', `from ${sequence} to ${tree.size}`)
  const signed = signCheckpoint(services, caller, tree, within)
  return { ok: true, entry, proof: proveEntry(tree, sequence, within), signed }
}

export interface Consistency {
  ok: true
  from: { size: number; root: string }
  hashes: string[]
  signed: SignedCheckpoint
}

/** Proves that the first `from` entries are a prefix of the first `to`, by default of all. */
export async function findConsistency(
  services: Services,
  caller: Caller,
  from: number,
  to: number | undefined,
): Promise<Consistency | Refused> {
  const found = await findTree(services, caller)
  if (!found.ok) return found
  const { tree } = found
  const until = to ?? tree.size
  if (until > tree.size || until < from) return wrongSize('to', `from ${from} to ${tree.size}`)
  const hashes = consistencyProof(from, until, tree.subtree).map(hexOf)
  const older = { size: from, root: hexOf(rootOf(from, tree.subtree)) }
  return { ok: true, from: older, hashes, signed: signCheckpoint(services, caller, tree, until) }
}

function wrongSize(path: string, range: string): Refused {
  return refuseField(path, `must be a number of entries ${range}`)
}
