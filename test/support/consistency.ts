// Verifies consistency proofs of the audit log as its readers do.
import { createHash } from 'node:crypto'
import { isSameHash, type Hash } from '../../src/domain/audit/merkle.js'

function interiorHash(left: Hash, right: Hash): Hash {
  return createHash('sha256').update(Uint8Array.of(1)).update(left).update(right).digest()
}

interface MerkleTree {
  size: number
  root: Hash
}

/** True when the proof shows that `older` is a prefix of `newer` (RFC 9162, 2.1.4.2). */
export function isConsistent(older: MerkleTree, newer: MerkleTree, proof: readonly Hash[]): boolean {
  if (older.size === newer.size) return proof.length === 0 && isSameHash(older.root, newer.root)
  if (!(older.size > 0 && older.size < newer.size)) return false
  const path = Number.isInteger(Math.log2(older.size)) ? [older.root, ...proof] : proof
  const [first, ...rest] = path
  if (first === undefined) return false
  let [node, last] = [older.size - 1, newer.size - 1]
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)]
  let [old, young] = [first, first]
  for (const sibling of rest) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      old = interiorHash(sibling, old)
      young = interiorHash(sibling, young)
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)]
    } else {
      young = interiorHash(young, sibling)
    }
    node = Math.floor(node / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && isSameHash(old, older.root) && isSameHash(young, newer.root)
}
