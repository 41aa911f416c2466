// Checks a data file page by page and without LMDB, which follows whatever a damaged page says and takes the process
// with it (SIGBUS, SIGSEGV). It writes nothing.
import { closeSync, openSync, readSync } from 'node:fs'
import { HEADER_BYTES, metaOf, treeIn, whole, type Counts, type Meta, type Tree } from './meta.js'

const NODE_BYTES = 8
const BRANCH = 0x01
const LEAF = 0x02
const OVERFLOW = 0x04
const KIND = 0x0f
const IS_LARGE = 0x01
const IS_TREE = 0x02
/** Pages to check before others get a turn. */
const AT_ONCE = 1000

interface Leaf {
  key: Buffer
  value: Buffer
  isTree: boolean
}

/** Told of each record of a table; throws when it is not what was written. */
export type CheckRecord = (table: string, key: string, value: Buffer) => void

/**
 * Throws when a page that the file's current snapshot needs is missing, damaged, needed twice or listed as free.
 * `checkRecord` is told of the records of every `every`th leaf page.
 */
export async function checkPages(path: string, every: number, checkRecord: CheckRecord): Promise<void> {
  const file = openSync(path, 'r')
  try {
    const walk = new Walk(file, metaOf(file))
    await walk.check(every, checkRecord)
  } finally {
    closeSync(file)
  }
}

const turn = (): Promise<void> => new Promise(setImmediate)

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

  async check(every: number, checkRecord: CheckRecord): Promise<void> {
    const { main, free, txnId } = this.#meta
    const tables: Leaf[] = []
    await this.#tree(main, 1, (leaf) => void tables.push(leaf))
    if (main.root !== undefined && this.#written !== txnId) throw damaged(main.root, `is not of transaction ${txnId}`)
    for (const { key, value, isTree } of tables) {
      if (!isTree) throw new Error('a table is none')
      const name = key.toString().replace(/\0$/, '')
      await this.#tree(treeIn(value), every, (leaf) => checkRecord(name, leaf.key.toString(), leaf.value))
    }
    const lists: Leaf[] = []
    await this.#tree(free, 1, (leaf) => void lists.push(leaf))
    for (const { value } of lists) this.#freeList(value)
  }
}
