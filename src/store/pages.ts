// Checks the structure of a data file page by page and without LMDB, which follows whatever a damaged page says and
// takes the process with it (SIGBUS, SIGSEGV). It writes nothing, and what the records say is not its business.
import { closeSync, openSync, readSync } from 'node:fs'
import { HEADER_BYTES, metaOf, treeIn, whole, type Counts, type Meta, type Tree } from './meta.js'

const NODE_BYTES = 8
const BRANCH = 0x01
const LEAF = 0x02
const OVERFLOW = 0x04
const KIND = 0x0f
const IS_LARGE = 0x01
const IS_TREE = 0x02

interface Leaf {
  flags: number
  value: Buffer
}

/**
 * Throws when a page that the file's current snapshot needs is missing, damaged, needed twice or listed as free.
 * Pages that it does not need may be missing: LMDB does not write what a transaction took and gave back.
 */
export function checkPages(path: string): void {
  const file = openSync(path, 'r')
  try {
    new Walk(file, metaOf(file)).check()
  } finally {
    closeSync(file)
  }
}

function damaged(page: number, what: string): Error {
  return new Error(`page ${page} ${what}`)
}

class Walk {
  readonly #file: number
  readonly #meta: Meta
  /** The page that was read last. */
  readonly #page: Buffer
  /** One bit a page, set when it is needed or free. */
  readonly #taken: Uint8Array

  constructor(file: number, meta: Meta) {
    this.#file = file
    this.#meta = meta
    this.#page = Buffer.alloc(meta.pageBytes)
    this.#taken = new Uint8Array((meta.lastPage >> 3) + 1)
  }

  check(): void {
    const { main, free, txnId } = this.#meta
    const tables = this.#records(main)
    if (main.root !== undefined && this.#transactionOf(main.root) !== txnId) {
      throw damaged(main.root, `is not of transaction ${txnId}`)
    }
    for (const { flags, value } of tables) {
      if ((flags & IS_TREE) === 0) throw new Error('a record is outside of all tables')
      this.#tree(treeIn(value))
    }
    for (const { value } of this.#records(free)) this.#freeList(value)
  }

  /** The records of a small tree. */
  #records(tree: Tree): Leaf[] {
    const found: Leaf[] = []
    this.#tree(tree, (leaf) => void found.push(leaf))
    return found
  }

  /** Checks a tree; its records are given to `each`, where they are wanted. */
  #tree({ root, depth, ...counts }: Tree, each?: (leaf: Leaf) => void): void {
    const met: Counts = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 }
    const pending = root === undefined ? [] : [{ number: root, depth }]
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { number, depth } = next
      const nodes = this.#nodes(number, depth > 1 ? BRANCH : LEAF)
      if (depth > 1) {
        met.branchPages += 1
        for (const at of nodes) pending.push({ number: this.#page.readUIntLE(at, 6), depth: depth - 1 })
      } else {
        met.leafPages += 1
        met.entries += nodes.length
        this.#leaves(number, nodes, met, each)
      }
    }
    for (const name of Object.keys(met) as (keyof Counts)[]) {
      if (met[name] !== counts[name]) throw new Error(`a table has ${met[name]} ${name}, not ${counts[name]}`)
    }
  }

  #leaves(number: number, nodes: number[], met: Counts, each: ((leaf: Leaf) => void) | undefined): void {
    // Values on pages of their own are read into the same buffer: what is wanted of this page is copied first.
    const leaves = nodes.map((at) => this.#leaf(number, at, each !== undefined)).filter((leaf) => leaf !== undefined)
    for (const { flags, value } of leaves) {
      const content = flags & IS_LARGE ? this.#large(number, value, met) : value
      each?.({ flags, value: content })
    }
  }

  /** Where the nodes of a branch or leaf page begin. */
  #nodes(number: number, kind: number): number[] {
    this.#read(number, kind)
    const page = this.#page
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

  /** A copy of a value; where it is on pages of its own, of its size and what leads there. */
  #leaf(number: number, at: number, wanted: boolean): Leaf | undefined {
    const page = this.#page
    const flags = page.readUInt16LE(at + 4)
    const isLarge = (flags & IS_LARGE) !== 0
    const from = at + NODE_BYTES + page.readUInt16LE(at + 6)
    const to = from + (isLarge ? HEADER_BYTES : page.readUInt32LE(at))
    if (to > page.length || flags > (IS_LARGE | IS_TREE)) throw damaged(number, 'has an impossible record')
    if (isLarge) return { flags, value: Buffer.concat([page.subarray(at, at + 4), page.subarray(from, to)]) }
    return wanted ? { flags, value: Buffer.from(page.subarray(from, to)) } : undefined
  }

  /** The value that `reference` leads to: its size, first page, transaction, number of pages. */
  #large(from: number, reference: Buffer, met: Counts): Buffer {
    const [bytes, first, pages] = [reference.readUInt32LE(0), whole(reference, 4), whole(reference, 20)]
    if (pages === 0 || HEADER_BYTES + bytes > pages * this.#page.length) throw damaged(from, 'has a value without room')
    for (let next = first + 1; next < first + pages; next += 1) this.#take(next)
    this.#read(first, OVERFLOW)
    met.overflowPages += pages
    const value = Buffer.alloc(bytes)
    const read = readSync(this.#file, value, 0, bytes, first * this.#page.length + HEADER_BYTES)
    if (read < bytes) throw damaged(first, 'ends early')
    return value
  }

  /** Behind their count: pages, or a negative number and the first of so many in a row; zeros are gaps. */
  #freeList(list: Buffer): void {
    const end = 8 * (1 + whole(list, 0))
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

  #read(number: number, kind: number): void {
    this.#take(number)
    const page = this.#page
    const read = readSync(this.#file, page, 0, page.length, number * page.length)
    if (read < page.length) throw damaged(number, 'is missing')
    if (whole(page, 0) !== number || (page.readUInt16LE(18) & KIND) !== kind) throw damaged(number, 'is another page')
  }

  /** Which transaction wrote the page. */
  #transactionOf(number: number): number {
    const bytes = Buffer.alloc(8)
    readSync(this.#file, bytes, 0, 8, number * this.#page.length + 8)
    return whole(bytes, 0)
  }

  #take(number: number): void {
    if (!(number > 1 && number <= this.#meta.lastPage)) throw damaged(number, 'does not exist')
    const bit = 1 << (number & 7)
    if (this.#taken[number >> 3]! & bit) throw damaged(number, 'is needed twice')
    this.#taken[number >> 3]! |= bit
  }
}
