// The auditor's side of a consistency proof, as RFC 9162 describes it. The service only makes proofs.
import { foldHashes, isSameHash, type Hash } from '../../src/domain/audit/merkle.js'

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
      old = foldHashes([sibling, old])
      young = foldHashes([sibling, young])
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)]
    } else {
      young = foldHashes([young, sibling])
    }
    node = Math.floor(node / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && isSameHash(old, older.root) && isSameHash(young, newer.root)
}
