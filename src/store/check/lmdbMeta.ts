// Reads the meta pages of an LMDB data file: where its trees begin, as of its last transactions. LMDB trusts these few
// numbers whatever they are, so everything that can be known of them is checked here. Writes nothing.
import { readSync } from 'node:fs'
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

const INTEGER_KEYS = 0x08
/** Files of earlier schemas may have it on the tree of free pages. */
const UNSYNCED = 0x1000

export interface Counts {
  branchPages: number
  leafPages: number
  overflowPages: number
  entries: number
}

/** A tree as its own record describes it. */
export interface LmdbTree extends Counts {
  depth: number
  /** Undefined when the tree is empty. */
  root: number | undefined
}

export interface LmdbMeta {
  pageBytes: number
  free: LmdbTree
  main: LmdbTree
  lastPage: number
  txnId: number
}

interface Description extends LmdbMeta {
  mapBytes: number
}

export function uint64At(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at))
}

/** Throws when the tree is of a kind that this service does not use. */
export function treeIn(bytes: Buffer, flags = 0): LmdbTree {
  const root = bytes.readBigUInt64LE(40)
  if (bytes.readUInt16LE(4) !== flags) throw new Error('a tree is of an unknown kind')
  return {
    depth: bytes.readUInt16LE(6),
    branchPages: uint64At(bytes, 8),
    leafPages: uint64At(bytes, 16),
    overflowPages: uint64At(bytes, 24),
    entries: uint64At(bytes, 32),
    root: root === NOWHERE ? undefined : Number(root),
  }
}

/** `bytes` begin after magic, version and address. */
function description(bytes: Buffer): Description {
  const trees = bytes.subarray(8)
  const rest = trees.subarray(2 * TREE_BYTES)
  return {
    mapBytes: uint64At(bytes, 0),
    pageBytes: trees.readUInt32LE(0),
    free: treeIn(trees, INTEGER_KEYS | (trees.readUInt16LE(4) & UNSYNCED)),
    main: treeIn(trees.subarray(TREE_BYTES)),
    lastPage: uint64At(rest, 0),
    txnId: uint64At(rest, 8),
  }
}

/** The snapshot that LMDB will open: the last one, because its pages were on disk before it was described. */
export function readLmdbMeta(file: number): LmdbMeta {
  const first = metaPage(file, 0, 0)
  const second = metaPage(file, 1, first.pageBytes)
  const latest = first.txnId >= second.txnId ? first : second
  const isPair = first.txnId % 2 === 0 && (Math.abs(first.txnId - second.txnId) === 1 || latest.txnId === 0)
  if (!isPair || second.pageBytes !== first.pageBytes) throw new Error('its two descriptions contradict each other')
  return latest
}

function metaPage(file: number, number: number, at: number): Description {
  const bytes = read(file, at)
  const body = bytes.subarray(HEADER_BYTES)
  const isMeta = uint64At(bytes, 0) === number && bytes.readUInt16LE(18) === META_PAGE
  const isKnown = body.readUInt32LE(0) === MAGIC && body.readUInt32LE(4) === VERSION && uint64At(body, 8) === 0
  if (!isMeta || !isKnown) throw new Error('it is no data file of a known kind')
  const found = description(body.subarray(16))
  checkSizes(found)
  return found
}

function checkSizes({ pageBytes, mapBytes }: Description): void {
  const isPower = pageBytes >= 512 && pageBytes <= 32_768 && (pageBytes & (pageBytes - 1)) === 0
  if (!isPower || mapBytes % pageBytes !== 0 || mapBytes > LARGEST_MAP) throw new Error('it describes impossible sizes')
}

function read(file: number, at: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + DESCRIPTION_BYTES)
  if (readSync(file, bytes, 0, bytes.length, at) < bytes.length) throw new Error('it ends early')
  return bytes
}
