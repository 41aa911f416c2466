// Reads the meta pages of an LMDB data file: where its trees begin, as of its last transactions. LMDB trusts these few
// numbers whatever they are, so everything that can be known of them is checked here. Writes nothing.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { endianness } from 'node:os'

/** LMDB writes numbers as the machine stores them; only files of 64-bit little-endian machines are read here. */
export const isKnownLayout = endianness() === 'LE' && process.arch.includes('64')

const MAGIC = 0xbeefc0de
const VERSION = 2
const META_PAGE = 0x08
export const HEADER_BYTES = 24
const DESCRIPTION_BYTES = 144
const TREE_BYTES = 48
const LARGEST_MAP = 2 ** 46
const NOWHERE = 0xffff_ffff_ffff_ffffn

/** Flag of the free pages' tree: the transaction was not synced when its meta page was written. */
const UNSYNCED = 0x1000
const INTEGER_KEYS = 0x08

/** Size of a tree. */
export interface Counts {
  branchPages: number
  leafPages: number
  overflowPages: number
  entries: number
}

/** A tree as its own record describes it. */
export interface Tree extends Counts {
  depth: number
  /** Undefined when the tree is empty. */
  root: number | undefined
}

export interface Meta {
  pageBytes: number
  free: Tree
  main: Tree
  lastPage: number
  txnId: number
}

interface Description extends Meta {
  mapBytes: number
  synced: boolean
  boot: number
}

export function whole(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at))
}

/** Throws when the tree is of a kind that this service does not use. */
export function treeIn(bytes: Buffer, flags = 0): Tree {
  const root = bytes.readBigUInt64LE(40)
  if (bytes.readUInt16LE(4) !== flags) throw new Error('a tree is of an unknown kind')
  return {
    depth: bytes.readUInt16LE(6),
    branchPages: whole(bytes, 8),
    leafPages: whole(bytes, 16),
    overflowPages: whole(bytes, 24),
    entries: whole(bytes, 32),
    root: root === NOWHERE ? undefined : Number(root),
  }
}

/** `bytes` begin after magic, version and address. */
function description(bytes: Buffer): Description {
  const trees = bytes.subarray(8)
  const flags = trees.readUInt16LE(4)
  const rest = trees.subarray(2 * TREE_BYTES)
  return {
    mapBytes: whole(bytes, 0),
    pageBytes: trees.readUInt32LE(0),
    synced: (flags & UNSYNCED) === 0,
    free: treeIn(trees, INTEGER_KEYS | (flags & UNSYNCED)),
    main: treeIn(trees.subarray(TREE_BYTES)),
    lastPage: whole(rest, 0),
    txnId: whole(rest, 8),
    boot: whole(rest, 16),
  }
}

/**
 * The snapshot that LMDB will open: the last one; after a restart of the machine, the last one that was synced, provided
 * that no other process has the file open.
 */
export function metaOf(file: number): Meta {
  const { first, second, latest, flushed } = descriptionsIn(file)
  const isPair = first.txnId % 2 === 0 && (Math.abs(first.txnId - second.txnId) === 1 || latest.txnId === 0)
  if (!isPair || second.pageBytes !== first.pageBytes) throw new Error('its two descriptions contradict each other')
  if (!flushed) return latest
  if (flushed.txnId > latest.txnId) throw new Error(`transaction ${flushed.txnId} is not described where it should be`)
  if (isLost(latest, flushed)) return flushed
  if (flushed.txnId === latest.txnId && !isSame(flushed, latest)) {
    throw new Error(`transaction ${latest.txnId} is described in two ways`)
  }
  return latest
}

/**
 * True until LMDB has gone back to the last snapshot that was synced, after a restart of the machine; false where restarts
 * cannot be told.
 */
export function mustGoBack(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const { latest, flushed } = descriptionsIn(file)
    return flushed !== undefined && bootId() !== undefined && isLost(latest, flushed)
  } finally {
    closeSync(file)
  }
}

interface Descriptions {
  first: Description
  second: Description
  latest: Description
  flushed: Description | undefined
}

function descriptionsIn(file: number): Descriptions {
  const first = metaPage(file, 0, 0)
  const second = metaPage(file, 1, first.pageBytes)
  return { first, second, latest: first.txnId >= second.txnId ? first : second, flushed: synced(file, first) }
}

/** Whether the restart may have lost pages of the last snapshot. */
function isLost(latest: Description, flushed: Description): boolean {
  return flushed.txnId < latest.txnId && !latest.synced && latest.boot !== bootId()
}

function metaPage(file: number, number: number, at: number): Description {
  const bytes = read(file, at)
  const body = bytes.subarray(HEADER_BYTES)
  const isMeta = whole(bytes, 0) === number && bytes.readUInt16LE(18) === META_PAGE
  const isKnown = body.readUInt32LE(0) === MAGIC && body.readUInt32LE(4) === VERSION && whole(body, 8) === 0
  if (!isMeta || !isKnown) throw new Error('it is no data file of a known kind')
  const found = description(body.subarray(16))
  checkSizes(found)
  return found
}

/**
 * The last synced description, in the middle of the first page; undefined before anything was synced. It has no page
 * header, magic or version.
 */
function synced(file: number, { pageBytes }: Meta): Description | undefined {
  const body = read(file, pageBytes / 2).subarray(HEADER_BYTES + 16)
  if (body.every((byte) => byte === 0)) return undefined
  const found = description(body)
  checkSizes(found)
  return found
}

function checkSizes({ pageBytes, mapBytes }: Description): void {
  const isPower = pageBytes >= 512 && pageBytes <= 32_768 && (pageBytes & (pageBytes - 1)) === 0
  if (!isPower || mapBytes % pageBytes !== 0 || mapBytes > LARGEST_MAP) throw new Error('it describes impossible sizes')
}

/** Compares everything but sync state, boot id and map size. */
function isSame(one: Meta, other: Meta): boolean {
  const comparable = ({ free, main, lastPage }: Meta): string => JSON.stringify([free, main, lastPage])
  return comparable(one) === comparable(other)
}

function read(file: number, at: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + DESCRIPTION_BYTES)
  if (readSync(file, bytes, 0, bytes.length, at) < bytes.length) throw new Error('it ends early')
  return bytes
}

/** The first part of the machine's boot id, as LMDB stores it; undefined when it is not known. */
function bootId(): number | undefined {
  try {
    return Number.parseInt(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), 16)
  } catch {
    return undefined
  }
}
