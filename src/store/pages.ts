// Checks the structure of an LMDB data file page by page and without LMDB, which follows whatever a damaged page says
// and takes the process with it. It writes nothing, and what the records hold is not its business.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const MAGIC = 0xbeefc0de
const VERSION = 2
const META_PAGES = 2
const HEADER_BYTES = 24
const NODE_BYTES = 8
const TREE_BYTES = 48
const NOWHERE = 0xffff_ffff_ffff_ffffn

const BRANCH = 0x01
const LEAF = 0x02
const OVERFLOW = 0x04
const PAGE_KIND = 0x0f
const ON_OVERFLOW_PAGES = 0x01
const IS_TREE = 0x02

/** A tree as its record describes it. */
interface Tree {
  depth: number
  branchPages: number
  leafPages: number
  overflowPages: number
  entries: number
  /** Undefined where the tree is empty. */
  root: number | undefined
}

interface Meta {
  pageBytes: number
  free: Tree
  main: Tree
  lastPage: number
}

/** What a walk through one tree has met. */
type Met = Omit<Tree, 'depth' | 'root'>

/**
 * Throws when a page that the data file's transaction `txnId` reaches is missing, damaged, reached twice or listed as
 * free. A file of another version of the format passes unseen.
 */
export function checkPages(path: string, txnId: number): void {
  const file = openSync(path, 'r')
  try {
    const meta = metaOf(file, txnId)
    if (meta) new Walk(file, meta).check()
  } finally {
    closeSync(file)
  }
}

function whole(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at))
}

function treeAt(bytes: Buffer, at: number): Tree {
  return {
    depth: bytes.readUInt16LE(at + 6),
    branchPages: whole(bytes, at + 8),
    leafPages: whole(bytes, at + 16),
    overflowPages: whole(bytes, at + 24),
    entries: whole(bytes, at + 32),
    root: bytes.readBigUInt64LE(at + 40) === NOWHERE ? undefined : whole(bytes, at + 40),
  }
}

/** The description of this transaction: LMDB writes them in turn at two pages, and after a sync in between. */
function metaOf(file: number, txnId: number): Meta | undefined {
  const head = Buffer.alloc(HEADER_BYTES + 152)
  let known = false
  for (const at of metaOffsets(file)) {
    if (readSync(file, head, 0, head.length, at) < head.length) continue
    if (head.readUInt32LE(HEADER_BYTES) !== MAGIC) continue
    known ||= (head.readUInt32LE(HEADER_BYTES + 4) & 0xffff) === VERSION
    const body = head.subarray(HEADER_BYTES + 24)
    if (whole(body, 2 * TREE_BYTES + 8) !== txnId) continue
    const [free, main] = [treeAt(body, 0), treeAt(body, TREE_BYTES)]
    return { pageBytes: body.readUInt32LE(0), free, main, lastPage: whole(body, 2 * TREE_BYTES) }
  }
  if (known) throw new Error(`there is no description of transaction ${txnId}`)
  return undefined
}

function metaOffsets(file: number): number[] {
  const bytes = Buffer.alloc(4)
  readSync(file, bytes, 0, 4, HEADER_BYTES + 24)
  const pageBytes = bytes.readUInt32LE(0)
  return [0, pageBytes, pageBytes / 2]
}

class Walk {
  readonly #file: number
  readonly #meta: Meta
  readonly #fileBytes: number
  readonly #page: Buffer
  /** One bit a page, set when it is reached or free. */
  readonly #taken: Uint8Array

  constructor(file: number, meta: Meta) {
    this.#file = file
    this.#meta = meta
    this.#fileBytes = fstatSync(file).size
    this.#page = Buffer.alloc(meta.pageBytes)
    this.#taken = new Uint8Array((meta.lastPage >> 3) + 1)
  }

  check(): void {
    this.#tree(this.#meta.main, (value, flags) => {
      if (flags & IS_TREE) this.#tree(treeAt(value, 0), () => {})
    })
    this.#tree(this.#meta.free, (value) => this.#freeList(value))
  }

  #tree({ root, depth, ...counts }: Tree, each: Each): void {
    const met: Counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 }
    if (root !== undefined) this.#subtree(root, depth, met, each)
    for (const name of Object.keys(met) as (keyof Counts)[]) {
      if (met[name] !== counts[name]) throw new Error(`a tree has ${met[name]} ${name} and should have ${counts[name]}`)
    }
  }

  #subtree(number: number, depth: number, met: Counts, each: Each): void {
    const nodes = this.#nodes(number, depth > 1 ? BRANCH : LEAF)
    if (depth > 1) {
      met.branchPages += 1
      const children = nodes.map((at) => this.#page.readUIntLE(at, 6))
      for (const child of children) this.#subtree(child, depth - 1, met, each)
      return
    }
    met.leafPages += 1
    met.entries += nodes.length
    // Values may lead to other pages, which are read into the same buffer.
    const large = nodes.filter((at) => this.#leaf(number, at, each)).map((at) => Buffer.from(this.#page.subarray(at)))
    for (const node of large) this.#large(node, met, each)
  }

  /** Where the nodes of a branch or leaf page begin; the page is in the buffer then. */
  #nodes(number: number, kind: number): number[] {
    this.#read(number, kind)
    const page = this.#page
    const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)]
    const room = page.length - HEADER_BYTES
    if (lower === 0 || lower % 2 !== 0 || lower > upper || upper > room) throw damaged(number)
    return Array.from({ length: lower / 2 }, (_, index) => {
      const at = page.readUInt16LE(HEADER_BYTES + 2 * index)
      const end = at + NODE_BYTES
      if (at < upper || end > room || end + page.readUInt16LE(HEADER_BYTES + at + 6) > room) throw damaged(number)
      return HEADER_BYTES + at
    })
  }

  /** Checks a record of the leaf page in the buffer; true when its value is on pages of its own. */
  #leaf(number: number, at: number, each: Each): boolean {
    const flags = this.#page.readUInt16LE(at + 4)
    if (flags & LARGE) return true
    const from = at + NODE_BYTES + this.#page.readUInt16LE(at + 6)
    const to = from + this.#page.readUInt32LE(at)
    if (to > this.#page.length) throw damaged(number)
    each(this.#page.subarray(from, to), flags)
    return false
  }
