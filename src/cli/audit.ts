// bursar audit verify: verifies the chain of an exported audit log, and that it still contains the log of a saved
// checkpoint. It needs neither a service nor a data folder, and keeps one line in memory.
import { readFileSync, statSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import type { AuditEntry } from '../domain/audit/entry.js'
import { entryLeaf, faultOf, START, type Link } from '../domain/audit/chain.js'
import { canonicalJson, type Json } from '../domain/values/canonical.js'
import {
  isSignedBy,
  readCheckpoint,
  readVerifierKey,
  type Checkpoint,
  type NoteKey,
} from '../domain/audit/checkpoint.js'
import { GrowingRoot, isSameHash } from '../domain/audit/merkle.js'
import { showing, type Shown } from './terminal/asking.js'
import { EXIT, UsageError } from './terminal/command.js'
import { readLines } from './terminal/lines.js'
import { clean } from './terminal/show.js'
import { verifyEd25519 } from '../config/ed25519.js'
import { keyIn } from './terminal/arguments.js'

export const auditCommands = {
  'audit verify': showing({
    usage: 'audit verify FILE [--checkpoint FILE] [--key KEY]',
    summary: 'verify an export of the audit log; exits with 1 if it is broken',
    run: async ({ words: [file], text }) => {
      const checkpoint = text('checkpoint')
      const [kept, key] = [checkpoint === undefined ? undefined : readKept(checkpoint), keyIn(text('key'))]
      const found = await verifyExport(file!, kept?.checkpoint)
      const fault = (kept && signatureFault(kept, key)) ?? found.fault
      if (fault !== undefined) return broken([fault])
      const { sequence: entries, hash: head } = found.link
      const remarks = remarksOn(kept, key)
      const json = { valid: true, entries, head, remarks }
      return { json, lines: () => [`valid: ${entries} entries, head ${head}`, ...remarks].map(clean) }
    },
  }),
}

/** The output of a failed verification. */
export function broken(faults: string[]): Shown {
  const lines = faults.map((fault) => clean(`BROKEN: ${fault}`))
  return { json: { valid: false, faults }, lines: () => lines, exit: EXIT.refused }
}

interface Kept {
  note: string
  checkpoint: Checkpoint
  /** The key that the file names. */
  named: NoteKey | undefined
}

/** Reads a checkpoint: the route's answer, or the signed note alone. */
function readKept(path: string): Kept {
  const text = readText(path)
  const answer = jsonIn(text) as { checkpoint?: unknown; verifierKey?: unknown } | undefined
  const note = String(answer?.checkpoint ?? text)
  const checkpoint = readCheckpoint(note)
  if (!checkpoint) throw new UsageError(`${path} does not contain a checkpoint`)
  return { note, checkpoint, named: readVerifierKey(String(answer?.verifierKey ?? '')) }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** Undefined for text that is no JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function signatureFault({ note, named, checkpoint }: Kept, key: NoteKey | undefined): string | undefined {
  const signer = key ?? named
  // One key signs for all organizations: the name of the key says whose log it is.
  if (!signer || (signer.name === checkpoint.origin && isSignedBy(note, signer, verifyEd25519))) return undefined
  return `the checkpoint is not signed by ${signer.name}`
}

function remarksOn(kept: Kept | undefined, key: NoteKey | undefined): string[] {
  if (!kept) return ['entries missing at the end show only with --checkpoint and a checkpoint that you saved']
  const { origin, size } = kept.checkpoint
  const signer = key ?? kept.named
  const signed = signer ? 'which is signed' : 'whose signature was not checked (use --key)'
  const trust =
    key || !signer ? [] : [`the signature was checked with the key from the checkpoint's own file: ${signer.name}`]
  return [`its first ${size} entries match the checkpoint of ${origin}, ${signed}`, ...trust]
}

interface Found {
  /** The state of the chain after the last valid entry. */
  link: Link
  fault: string | undefined
}

/** Reads lines as long as each is the next valid entry. */
async function verifyExport(path: string, checkpoint: Checkpoint | undefined): Promise<Found> {
  const tree = new GrowingRoot()
  let link = START
  for await (const line of readLines((await opened(path)).createReadStream())) {
    const sequence = link.sequence + 1
    const entry = entryIn(line)
    const fault = entry === undefined ? 'it is not a line of JSON in the form of an export' : faultOf(entry, link)
    if (fault !== undefined && sequence === 1) refuseOther(path)
    if (fault !== undefined) return { link, fault: `entry ${sequence} is the first broken one: ${fault}` }
    link = { sequence, hash: (entry as AuditEntry).hash }
    tree.add(entryLeaf(link))
    if (sequence === checkpoint?.size && !isSameHash(tree.root(), checkpoint.root)) {
      return { link, fault: `the first ${sequence} entries do not match the checkpoint: history was rewritten` }
    }
  }
  // Every log has at least one entry: the organization's creation.
  const least = checkpoint?.size ?? 1
  const cut = `entry ${link.sequence + 1} is the first missing one: there were at least ${least}`
  return { link, fault: link.sequence < least ? cut : undefined }
}

/** A larger file holds more than one answer. */
const LARGEST_ANSWER_BYTES = 16 * 1024 * 1024
const OF_ENTRIES = ['sequence', 'previousHash', 'hash']

/** Throws for a file that is no log, such as a saved refusal: to call it broken would be a false alarm. */
function refuseOther(path: string): void {
  if (statSync(path).size > LARGEST_ANSWER_BYTES) return
  const text = readText(path)
  const answer = jsonIn(text)
  const isOther = typeof answer === 'object' && answer !== null && !OF_ENTRIES.some((name) => name in answer)
  if (!isOther && !readCheckpoint(text)) return
  const { code, error } = (answer ?? {}) as { code?: unknown; error?: unknown }
  const said = [code, error].filter((part) => typeof part === 'string').join(': ')
  throw new UsageError(clean(`${path} is not an export of the audit log${said && `, but says ${said}`}`))
}

async function opened(path: string): Promise<FileHandle> {
  try {
    const file = await open(path)
    if ((await file.stat()).isFile()) return file
    await file.close()
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
  throw new UsageError(`${path} is not a file`)
}

/**
 * The entry of a line; undefined unless it is compact JSON without duplicate members, so that every reader sees exactly
 * what is hashed.
 */
function entryIn(line: string): unknown {
  const entry = jsonIn(line) as Json | undefined
  if (entry === undefined) return undefined
  return JSON.stringify(entry) === line || isCanonical(entry, line) ? entry : undefined
}

function isCanonical(entry: Json, line: string): boolean {
  try {
    return canonicalJson(entry) === line
  } catch {
    return false
  }
}
