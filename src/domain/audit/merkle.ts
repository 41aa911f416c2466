// The Merkle tree of RFC 6962: roots, inclusion and consistency proofs, and the verification of the first. It stores
// nothing; callers supply the hashes of complete subtrees.
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'

export type Hash = Uint8Array

/** The hash of the complete subtree of 2^level leaves, from leaf `index * 2^level` on. */
export type Subtree = (level: number, index: number) => Hash

const LEAF = Uint8Array.of(0)
const INTERIOR = Uint8Array.of(1)

export function leafHash(data: Uint8Array): Hash {
  return sha256(concatBytes(LEAF, data))
}

function interiorHash(left: Hash, right: Hash): Hash {
  return sha256(concatBytes(INTERIOR, left, right))
}

/** The root of the complete subtree over these hashes; throws RangeError unless their number is a power of two. */
export function foldHashes(hashes: readonly Hash[]): Hash {
  if (!isPowerOfTwo(hashes.length)) throw new RangeError(`${hashes.length} hashes make no complete subtree`)
  let level = hashes
  while (level.length > 1) {
    level = Array.from({ length: level.length / 2 }, (_, at) => interiorHash(level[2 * at]!, level[2 * at + 1]!))
  }
  return level[0]!
}

/** The root of a tree of `size` leaves. */
export function rootOf(size: number, subtree: Subtree): Hash {
  return size === 0 ? sha256(new Uint8Array()) : rangeHash(0, size, subtree)
}

/** Proves that the leaf at `index` (from 0) is in the tree of `size` leaves; throws RangeError when it is not. */
export function inclusionProof(index: number, size: number, subtree: Subtree): Hash[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`A tree of ${size} leaves has none at ${index}`)
  const proof: Hash[] = []
  let [start, end] = [0, size]
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    proof.push(index < middle ? rangeHash(middle, end, subtree) : rangeHash(start, middle, subtree))
    if (index < middle) end = middle
    else start = middle
  }
  return proof.reverse()
}

/** Proves that the tree of `from` leaves is a prefix of the one of `to`; throws RangeError unless 0 < from <= to. */
export function consistencyProof(from: number, to: number, subtree: Subtree): Hash[] {
  if (!(from > 0 && from <= to)) throw new RangeError(`There is no consistency proof from ${from} to ${to}`)
  const proof: Hash[] = []
  let [start, end] = [0, to]
  while (from < end) {
    const middle = start + splitOf(end - start)
    proof.push(from <= middle ? rangeHash(middle, end, subtree) : rangeHash(start, middle, subtree))
    if (from <= middle) end = middle
    else start = middle
  }
  // A subtree at the left edge is the old tree itself; the verifier has its root.
  if (start > 0) proof.push(rangeHash(start, end, subtree))
  return proof.reverse()
}

/** The largest power of two below `count`, which is above 1. */
function splitOf(count: number): number {
  let split = 1
  while (split * 2 < count) split *= 2
  return split
}

function isPowerOfTwo(count: number): boolean {
  return splitOf(count + 1) === count
}

/** The hash of the leaves from `start` to `end`, a range at which the tree itself splits. */
function rangeHash(start: number, end: number, subtree: Subtree): Hash {
  const count = end - start
  if (isPowerOfTwo(count)) return subtree(Math.log2(count), start / count)
  const middle = start + splitOf(count)
  return interiorHash(rangeHash(start, middle, subtree), rangeHash(middle, end, subtree))
}

export interface Included {
  leaf: Hash
  index: number
  size: number
  proof: readonly Hash[]
}

/** True when the proof leads from the leaf to the root (RFC 9162, 2.1.3.2). */
export function isIncluded({ leaf, index, size, proof }: Included, root: Hash): boolean {
  if (!(index >= 0 && index < size)) return false
  let [node, last, hash] = [index, size - 1, leaf]
  for (const sibling of proof) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      hash = interiorHash(sibling, hash)
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, half(last)]
    } else {
      hash = interiorHash(hash, sibling)
    }
    node = half(node)
    last = half(last)
  }
  return last === 0 && isSameHash(hash, root)
}

function half(number: number): number {
  return Math.floor(number / 2)
}

export function isSameHash(one: Hash, other: Hash): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** The root of a tree that grows leaf by leaf; only its right edge is in memory. */
export class GrowingRoot {
  /** Complete subtrees, largest first, with their levels. */
  readonly #peaks: { level: number; hash: Hash }[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  add(leaf: Hash): void {
    let peak = { level: 0, hash: leaf }
    while (this.#peaks.at(-1)?.level === peak.level) {
      peak = { level: peak.level + 1, hash: interiorHash(this.#peaks.pop()!.hash, peak.hash) }
    }
    this.#peaks.push(peak)
    this.#size += 1
  }

  root(): Hash {
    const hashes = this.#peaks.map(({ hash }) => hash)
    if (hashes.length === 0) return sha256(new Uint8Array())
    return hashes.reduceRight((right, left) => interiorHash(left, right))
  }
}
