// Reads an organization's audit log: entries, verification, signed checkpoints and proofs. It reads and signs; it never
// changes a log.
import type { EntryPage, EntryQuery, LogTree, Verified } from '../../actor/auditLog.js'
import { keyedMutex } from '../../async/keyedMutex.js'
import type { StoredEntry } from '../../domain/audit/forms.js'
import {
  checkpointText,
  checkpointOrigin,
  signedNote,
  verifierKey,
  type Checkpoint,
  type NoteKey,
} from '../../domain/audit/checkpoint.js'
import { hexOf } from '../../domain/values/digest.js'
import { consistencyProof, inclusionProof, isSameHash, rootOf } from '../../domain/audit/merkle.js'
import { refuse, refuseField, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import type { Caller, Services } from '../ports.js'

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
  return { name: checkpointOrigin(principal.organization), publicKey: checkpointKey.publicKey }
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
export async function findTree(services: Services, { principal }: Caller): Promise<Result<LogTree, 'INTERNAL_ERROR'>> {
  const tree = await services.auditLog.tree(principal.organization)
  if (!('broken' in tree)) return succeed(tree)
  return refuse('INTERNAL_ERROR', `The audit log is broken at entry ${tree.broken}: see /api/audit-logs/verify`)
}

/** Serializes signing by log: each checkpoint is compared with the one before it. */
const inTurn = keyedMutex()

/**
 * Signs the first `size` entries, where the log continues the last checkpoint that was signed. A larger one is on disk
 * before anybody sees it.
 */
export function signCheckpoint(
  services: Services,
  caller: Caller,
  tree: LogTree,
  size = tree.size,
): Promise<Result<SignedCheckpoint, 'CHECKPOINT_CONFLICT' | 'UNAVAILABLE'>> {
  const { lastCheckpoints } = services
  const { organization } = caller.principal
  return inTurn(organization, async () => {
    const last = lastCheckpoints.last(organization)
    const problem = last && (await contradiction(services, caller, tree, last))
    lastCheckpoints.tell(organization, problem)
    if (problem !== undefined) return refuse('CHECKPOINT_CONFLICT', `The audit log cannot be signed: ${problem}`)
    const signed = signedCheckpoint(services, caller, tree, size)
    const kept = last === undefined || last === 'unreadable' ? 0 : last.size
    if (size > kept && !(await lastCheckpoints.keep(organization, signed.checkpoint)))
      return refuse('UNAVAILABLE', UNKEPT)
    return succeed(signed)
  })
}

const UNKEPT = 'The checkpoint cannot be kept on disk, so it is not signed'

/** Why a log with this tree is not the one of which the last checkpoint was signed, grown; undefined when it is. */
async function contradiction(
  services: Services,
  caller: Caller,
  known: LogTree,
  last: Checkpoint | 'unreadable',
): Promise<string | undefined> {
  if (last === 'unreadable') return 'what is kept as its last checkpoint is not what the service signed'
  // Another request may have signed a larger tree meanwhile.
  const found = last.size > known.size ? await findTree(services, caller) : succeed(known)
  if (!found.ok) return found.refusal.message
  const { size, subtree } = found.value
  if (size < last.size) return `it has ${size} entries, and a checkpoint of ${last.size} was signed`
  if (isSameHash(rootOf(last.size, subtree), last.root)) return undefined
  return `its first ${last.size} entries are not those of which a checkpoint was signed`
}

function signedCheckpoint(services: Services, caller: Caller, tree: LogTree, size: number): SignedCheckpoint {
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
): Promise<Result<SignedCheckpoint, 'CHECKPOINT_CONFLICT' | 'INTERNAL_ERROR' | 'UNAVAILABLE'>> {
  const found = await findTree(services, caller)
  return found.ok ? signCheckpoint(services, caller, found.value) : found
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
  entry: StoredEntry
  proof: Inclusion
  signed: SignedCheckpoint
}

/** Proves that the entry is among the first `size`, by default among all. */
export async function findProof(
  services: Services,
  caller: Caller,
  sequence: number,
  size: number | undefined,
): Promise<
  Result<Proven, 'CHECKPOINT_CONFLICT' | 'INTERNAL_ERROR' | 'NOT_FOUND' | 'UNAVAILABLE' | 'VALIDATION_ERROR'>
> {
  const found = await findTree(services, caller)
  if (!found.ok) return found
  const tree = found.value
  const within = size ?? tree.size
  const entry = await services.auditLog.entry(caller.principal.organization, sequence)
  if (!entry || sequence > tree.size) return refuse('NOT_FOUND', `There is no audit entry ${sequence}`)
  if (within > tree.size || within < sequence) return wrongSize('size', `from ${sequence} to ${tree.size}`)
  const done = await signCheckpoint(services, caller, tree, within)
  return done.ok ? succeed({ entry, proof: proveEntry(tree, sequence, within), signed: done.value }) : done
}

export interface Consistency {
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
): Promise<Result<Consistency, 'CHECKPOINT_CONFLICT' | 'INTERNAL_ERROR' | 'UNAVAILABLE' | 'VALIDATION_ERROR'>> {
  const found = await findTree(services, caller)
  if (!found.ok) return found
  const tree = found.value
  const until = to ?? tree.size
  if (until > tree.size || until < from) return wrongSize('to', `from ${from} to ${tree.size}`)
  const hashes = consistencyProof(from, until, tree.subtree).map(hexOf)
  const older = { size: from, root: hexOf(rootOf(from, tree.subtree)) }
  const done = await signCheckpoint(services, caller, tree, until)
  return done.ok ? succeed({ from: older, hashes, signed: done.value }) : done
}

function wrongSize(path: string, range: string): Refused<'VALIDATION_ERROR'> {
  return refuseField(path, `must be a number of entries ${range}`)
}
