// The Merkle tree over an audit log, stored as tiles of 256 hashes: 256 leaves make a tile, the roots of 256 tiles make
// one of the next level. Only whole tiles are stored, when a tree is requested; a commit never waits for it.
import { base36 } from '../../domain/values/base36.js'
import { entryLeaf, faultOf, START, type Link } from '../../domain/audit/chain.js'
import { foldHashes, isSameHash, type Hash } from '../../domain/audit/merkle.js'
import { BoundedCache } from '../../domain/values/boundedCache.js'
import type { AuditEntries } from './entries.js'
import { rawEntry } from '../../domain/audit/forms.js'
import { Summary, type SummaryRow } from './summary.js'
import { sequenceIn, under } from '../records/keys.js'
import { Pace } from '../../async/pace.js'
import type { Store } from '../store.js'

export const TILE = 256
const TILE_LEVELS = 8
const HASH_BYTES = 32

export interface TileRow {
  /** Root hash of the tile's subtree, base64. */
  root: string
  /** 256 hashes, concatenated, base64. */
  hashes: string
}

/** The entry breaks the chain: no tree that contains it is signed. */
export class BrokenChain extends Error {
  constructor(readonly sequence: number) {
    super(`Audit entry ${sequence} is broken`)
  }
}

/**
 * The part of a tree that is not in whole tiles yet. A caller that grew a tree keeps its edge, because the cache here
 * may evict it.
 */
export interface Edge {
  link: Link
  /** For each level, the hashes after its last whole tile. */
  levels: Hash[][]
  summary: Summary
}

export class AuditTiles {
  readonly #store: Store
  readonly #entries: AuditEntries
  /** Edges of the trees that were requested last, by organization. */
  readonly #edges = new BoundedCache<string, Edge>(100)
  /** Whole tiles, which never change: one proof reads the same few again and again. */
  readonly #whole = new BoundedCache<string, Hash[]>(64)

  constructor(store: Store, entries: AuditEntries) {
    this.#store = store
    this.#entries = entries
  }

  /**
   * Adds entries up to `last`, and lets other work in between; throws BrokenChain at the first entry that breaks the
   * chain.
   */
  async grow(organization: string, last: number): Promise<Edge> {
    const edge = this.#edges.getOrInsertComputed(organization, () => this.#restored(organization))
    const pace = new Pace()
    while (edge.link.sequence < last) await pace.after(this.#takeNext(organization, edge))
    return edge
  }

  /** Number of entries in whole tiles: the log had at least as many, whatever it has now. */
  covered(organization: string): number {
    return this.#stored(organization) * TILE
  }

  /** The hash of a complete subtree over the entries up to this edge. */
  subtree(organization: string, edge: Edge, level: number, index: number): Hash {
    const tileLevel = Math.floor(level / TILE_LEVELS)
    const width = 2 ** (level % TILE_LEVELS)
    const first = index * width
    const tile = Math.floor(first / TILE)
    const hashes = this.hashes(organization, tileLevel, tile) ?? edge.levels[tileLevel] ?? []
    const within = hashes.slice(first % TILE, (first % TILE) + width)
    if (within.length !== width) throw new RangeError(`The tree has no complete subtree ${index} of level ${level}`)
    return foldHashes(within)
  }

  /** The hashes of a whole tile; undefined when it is not stored. */
  hashes(organization: string, level: number, tile: number): Hash[] | undefined {
    return this.#whole.getOrInsertComputed(tileKey(organization, level, tile), (key) => {
      const row = this.#store.auditTiles.get(key)
      return row && hashesIn(row)
    })
  }

  /** Summary of a whole tile's entries; undefined when there is none. */
  summary(organization: string, tile: number): SummaryRow | undefined {
    return this.#store.auditSummaries.get(tileKey(organization, 0, tile))
  }

  /** The edge after the whole tiles on disk. */
  #restored(organization: string): Edge {
    let tiles = this.#stored(organization)
    const levels: Hash[][] = [[]]
    const link = tiles === 0 ? START : this.#linkAt(organization, tiles * TILE)
    for (let level = 0; tiles > 0; level += 1) {
      const first = tiles - (tiles % TILE)
      levels.push(Array.from({ length: tiles - first }, (_, at) => this.#rootOf(organization, level, first + at)))
      tiles = Math.floor(tiles / TILE)
    }
    return { link, levels, summary: new Summary() }
  }

  #stored(organization: string): number {
    const { start: end, end: start } = under(`${organization}/0`)
    const bounds = { start, end, reverse: true, limit: 1 }
    for (const key of this.#store.auditTiles.keys(bounds)) return sequenceIn(key) + 1
    return 0
  }

  /** The last entry in whole tiles; throws BrokenChain when it no longer matches its leaf. */
  #linkAt(organization: string, sequence: number): Link {
    const entry = this.#entries.at(organization, sequence)
    const leaf = this.hashes(organization, 0, sequence / TILE - 1)!.at(-1)!
    if (!entry || !isSameHash(entryLeaf(entry), leaf)) throw new BrokenChain(sequence)
    return { sequence, hash: entry.hash }
  }

  #rootOf(organization: string, level: number, tile: number): Hash {
    return Buffer.from(this.#store.auditTiles.get(tileKey(organization, level, tile))!.root, 'base64')
  }

  /** Returns the size of the entry in bytes. */
  #takeNext(organization: string, edge: Edge): number {
    const sequence = edge.link.sequence + 1
    const found = this.#entries.read(organization, sequence)
    if (!found || faultOf(rawEntry(found.entry), edge.link) !== undefined) throw new BrokenChain(sequence)
    const { entry, bytes } = found
    edge.link = { sequence, hash: entry.hash }
    edge.summary.add(entry)
    if (sequence % TILE === 0) {
      this.#store.auditSummaries.put(tileKey(organization, 0, sequence / TILE - 1), edge.summary.row())
      edge.summary = new Summary()
    }
    this.#place(organization, edge, entryLeaf(entry))
    return bytes
  }

  /** Adds a leaf at the edge. A tile that it completes is stored, and the tile's root is added one level up. */
  #place(organization: string, { link, levels }: Edge, leaf: Hash): void {
    let hash = leaf
    for (let level = 0; ; level += 1) {
      const hashes = (levels[level] ??= [])
      hashes.push(hash)
      if (hashes.length < TILE) return
      hash = foldHashes(hashes)
      const row = { root: base64(hash), hashes: base64(Buffer.concat(hashes)) }
      this.#store.auditTiles.put(tileKey(organization, level, link.sequence / TILE ** (level + 1) - 1), row)
      levels[level] = []
    }
  }
}

function hashesIn(row: TileRow): Hash[] {
  const bytes = Buffer.from(row.hashes, 'base64')
  return Array.from({ length: TILE }, (_, at) => bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES))
}

function tileKey(organization: string, level: number, tile: number): string {
  return `${organization}/${level}/${base36(tile)}`
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
