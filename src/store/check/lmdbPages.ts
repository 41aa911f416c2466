// Checks the structure of a data file page by page, without LMDB, which follows whatever a damaged page says and takes
// the process down with it (SIGBUS, SIGSEGV). It writes nothing and does not check what records say.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { HEADER_BYTES, readLmdbMeta, treeIn, uint64At, type Counts, type LmdbMeta, type LmdbTree } from './lmdbMeta.js'

const NODE_BYTES = 8
const BRANCH = 0x01
const LEAF = 0x02
const OVERFLOW = 0x04
const KIND = 0x0f
const IS_LARGE = 0x01
const IS_TREE = 0x02
/** lmdb's flag of a table whose rows have versions. */
const VERSIONS = 0x100

interface Leaf {
  flags: number
  value: Buffer
}

/** Called with how many pages of how many are known to be in order. */
type OnPage = (done: number, total: number) => void

/**
 * Throws when a page that the file's current snapshot needs is missing, damaged, needed twice or listed as free. Other
 * pages may be missing: LMDB does not write pages that a transaction took and gave back. At `deadline` the check ends
 * with what it has read of each table, unless the file lacks pages that are not free. True when all was checked.
 */
export function checkPages(path: string, deadline = Infinity, onPage: OnPage = () => {}): boolean {
  const file = openSync(path, 'r')
  try {
    const meta = readLmdbMeta(file)
    const { size } = fstatSync(file)
    return new Walk(file, meta, size, onPage).check(deadline)
  } finally {
    closeSync(file)
  }
}

function damaged(page: number, what: string): Error {
  return new Error(`page ${page} ${what}`)
}

function treeOf({ flags, value }: Leaf): LmdbTree {
  if ((flags & IS_TREE) === 0) throw new Error('a record is outside of all tables')
  return treeIn(value, value.readUInt16LE(4) & VERSIONS)
}

const pagesOf = ({ branchPages, leafPages, overflowPages }: Counts): number => branchPages + leafPages + overflowPages

class Walk {
  readonly #file: number
  readonly #meta: LmdbMeta
  readonly #fileBytes: number
  /** The branch or leaf page that was read last. */
  readonly #page: Buffer
  /** Header of the overflow value that was read last. */
  readonly #header = Buffer.alloc(HEADER_BYTES)
  /** One bit a page, set when the page is needed or free. */
  readonly #taken: Uint8Array
  #takenPages = 0
  readonly #onPage: OnPage

  constructor(file: number, meta: LmdbMeta, fileBytes: number, onPage: OnPage) {
    this.#file = file
    this.#meta = meta
    this.#fileBytes = fileBytes
    this.#page = Buffer.alloc(meta.pageBytes)
    this.#taken = new Uint8Array((meta.lastPage >> 3) + 1)
    this.#onPage = onPage
  }

  check(deadline: number): boolean {
    const { main, free, txnId } = this.#meta
    const tables = this.#records(main)
    if (main.root !== undefined && this.#transactionOf(main.root) !== txnId) {
      throw damaged(main.root, `is not of transaction ${txnId}`)
    }
    for (const { value } of this.#records(free)) this.#freeList(value)
    const trees = tables.map(treeOf)
    let left = trees.reduce((sum, tree) => sum + pagesOf(tree), 0)
    const end = this.#lacksNothing() ? deadline : Infinity
    let isWhole = true
    for (const tree of trees) {
      const now = performance.now()
      isWhole = this.#tree(tree, now + ((end - now) * pagesOf(tree)) / left) && isWhole
      left -= pagesOf(tree)
    }
    return isWhole
  }

  /** True when all pages after the end of the file are known to be free. */
  #lacksNothing(): boolean {
    let page = Math.floor(this.#fileBytes / this.#meta.pageBytes)
    while (page <= this.#meta.lastPage && this.#isTaken(page)) page += 1
    return page > this.#meta.lastPage
  }

  /** The records of a small tree. */
  #records(tree: LmdbTree): Leaf[] {
    const found: Leaf[] = []
    this.#tree(tree, Infinity, (leaf) => void found.push(leaf))
    return found
  }

  /** Checks a tree as far as time allows, which is whole if true; passes its records to `each`, if given. */
  #tree({ root, depth, ...counts }: LmdbTree, until: number, each?: (leaf: Leaf) => void): boolean {
    const met: Counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 }
    const pending = root === undefined ? [] : [{ number: root, depth }]
    for (let next = pending.pop(); next; next = pending.pop()) {
      if (performance.now() > until) return false
      const { number, depth } = next
      const nodes = this.#nodes(number, depth > 1 ? BRANCH : LEAF)
      if (depth > 1) {
        met.branchPages += 1
        for (const at of nodes) pending.push({ number: this.#page.readUIntLE(at, 6), depth: depth - 1 })
      } else {
        met.leafPages += 1
        met.entries += nodes.length
        for (const at of nodes) this.#leaf(number, at, met, each)
      }
    }
    for (const name of Object.keys(met) as (keyof Counts)[]) {
      if (met[name] !== counts[name]) throw new Error(`a table has ${met[name]} ${name}, not ${counts[name]}`)
    }
    return true
  }

  /** Offsets of the nodes of a branch or leaf page. */
  #nodes(number: number, kind: number): number[] {
    const page = this.#page
    this.#read(number, kind, page)
    const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)]
    const room = page.length - HEADER_BYTES
    if (lower === 0 || lower % 2 === 1 || lower > upper || upper > room) throw damaged(number, 'has impossible bounds')
    const nodes: number[] = []
    for (let at = HEADER_BYTES; at < HEADER_BYTES + lower; at += 2) {
      const from = page.readUInt16LE(at)
      const end = from + NODE_BYTES
      const fits = from >= upper && end <= room && end + page.readUInt16LE(HEADER_BYTES + from + 6) <= room
      if (!fits) throw damaged(number, 'has a node out of bounds')
      nodes.push(HEADER_BYTES + from)
    }
    return nodes
  }

  #leaf(number: number, at: number, met: Counts, each: ((leaf: Leaf) => void) | undefined): void {
    const page = this.#page
    const [bytes, flags] = [page.readUInt32LE(at), page.readUInt16LE(at + 4)]
    const isLarge = (flags & IS_LARGE) !== 0
    const from = at + NODE_BYTES + page.readUInt16LE(at + 6)
    const to = from + (isLarge ? HEADER_BYTES : bytes)
    if (to > page.length || flags > (IS_LARGE | IS_TREE)) throw damaged(number, 'has an impossible record')
    const value = page.subarray(from, to)
    if (isLarge) met.overflowPages += this.#large(number, bytes, value)
    each?.({ flags, value: isLarge ? this.#content(uint64At(value, 0), bytes) : Buffer.from(value) })
  }

  /**
   * Checks an overflow value and returns its number of pages. `reference` holds the first page, a transaction and that
   * number.
   */
  #large(from: number, bytes: number, reference: Buffer): number {
    const [first, pages] = [uint64At(reference, 0), uint64At(reference, 16)]
    const room = pages * this.#page.length
    if (pages === 0 || HEADER_BYTES + bytes > room) throw damaged(from, 'has a value without room')
    for (let next = first + 1; next < first + pages; next += 1) this.#take(next)
    this.#read(first, OVERFLOW, this.#header)
    if (this.#header.readUInt32LE(20) !== pages) throw damaged(first, 'is of another length')
    if (first * this.#page.length + HEADER_BYTES + bytes > this.#fileBytes) throw damaged(first, 'ends early')
    return pages
  }

  #content(first: number, bytes: number): Buffer {
    const value = Buffer.alloc(bytes)
    readSync(this.#file, value, 0, bytes, first * this.#page.length + HEADER_BYTES)
    return value
  }

  /**
   * A list is a count, then page numbers. A negative number is the length of a run whose first page follows; zeros are
   * gaps.
   */
  #freeList(list: Buffer): void {
    const end = 8 * (1 + uint64At(list, 0))
    if (end > list.length) throw new Error('a list of free pages is longer than its record')
    let run = 1
    for (let at = 8; at < end; at += 8) {
      const entry = Number(list.readBigInt64LE(at))
      if (entry < 0) run = -entry
      if (entry <= 0) continue
      for (let page = entry; page < entry + run; page += 1) this.#take(page)
      run = 1
    }
  }

  /** Reads a page, or as much of its beginning as `into` holds. */
  #read(number: number, kind: number, into: Buffer): void {
    this.#take(number)
    const read = readSync(this.#file, into, 0, into.length, number * this.#page.length)
    if (read < into.length) throw damaged(number, 'is missing')
    if (uint64At(into, 0) !== number || (into.readUInt16LE(18) & KIND) !== kind)
      throw damaged(number, 'is another page')
  }

  /** Id of the transaction that wrote the page. */
  #transactionOf(number: number): number {
    const bytes = Buffer.alloc(8)
    readSync(this.#file, bytes, 0, 8, number * this.#page.length + 8)
    return uint64At(bytes, 0)
  }

  #take(number: number): void {
    if (!(number > 1 && number <= this.#meta.lastPage)) throw damaged(number, 'does not exist')
    if (this.#isTaken(number)) throw damaged(number, 'is needed twice')
    this.#taken[number >> 3]! |= 1 << (number & 7)
    this.#takenPages += 1
    this.#onPage(this.#takenPages, this.#meta.lastPage)
  }

  #isTaken(number: number): boolean {
    return (this.#taken[number >> 3]! & (1 << (number & 7))) !== 0
  }
}
