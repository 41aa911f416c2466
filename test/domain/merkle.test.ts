// The tree of RFC 6962 against published vectors and against the RFC's own recursive definition.
import { createHash } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import {
  consistencyProof,
  foldHashes,
  GrowingRoot,
  inclusionProof,
  isIncluded,
  leafHash,
  rootOf,
  type Hash,
  type Subtree,
} from '../../src/domain/audit/merkle.js'
import { isConsistent } from '../support/consistency.js'
import '../support/depth.js'

const sha256 = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
const hexes = (hashes: readonly Hash[]): string[] => hashes.map((hash) => Buffer.from(hash).toString('hex'))

/** Section 2.1, literally. */
function naiveRoot(data: readonly Uint8Array[]): Buffer {
  if (data.length === 0) return sha256()
  if (data.length === 1) return sha256(bytes('00'), data[0]!)
  const split = splitOf(data.length)
  return sha256(bytes('01'), naiveRoot(data.slice(0, split)), naiveRoot(data.slice(split)))
}

function splitOf(count: number): number {
  return 2 ** Math.floor(Math.log2(count - 1))
}

/** Section 2.1.1. */
function naivePath(index: number, data: readonly Uint8Array[]): Buffer[] {
  if (data.length === 1) return []
  const split = splitOf(data.length)
  const [left, right] = [data.slice(0, split), data.slice(split)]
  if (index < split) return [...naivePath(index, left), naiveRoot(right)]
  return [...naivePath(index - split, right), naiveRoot(left)]
}

/** Section 2.1.2. */
function naiveSubproof(size: number, data: readonly Uint8Array[], isWhole: boolean): Buffer[] {
  if (size === data.length) return isWhole ? [] : [naiveRoot(data)]
  const split = splitOf(data.length)
  const [left, right] = [data.slice(0, split), data.slice(split)]
  if (size <= split) return [...naiveSubproof(size, left, isWhole), naiveRoot(right)]
  return [...naiveSubproof(size - split, right, false), naiveRoot(left)]
}

const subtreeOf =
  (data: readonly Uint8Array[]): Subtree =>
  (level, index) => {
    const width = 2 ** level
    return foldHashes(data.slice(index * width, (index + 1) * width).map(leafHash))
  }

// The leaves and hashes that implementations of Certificate Transparency test themselves with.
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const PATHS: [index: number, size: number, hashes: string[]][] = [
  [
    0,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      ROOTS[4]!,
    ],
  ],
  [2, 3, [ROOTS[2]!]],
  [
    1,
    5,
    [
      ROOTS[1]!,
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
]
const CONSISTENCY: [from: number, to: number, hashes: string[]][] = [
  [1, 1, []],
  [1, 8, PATHS[0]![2]],
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      ROOTS[4]!,
    ],
  ],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
]

test('roots equal the published ones', (t) => {
  const data = LEAVES.map(bytes)
  const growing = new GrowingRoot()
  ROOTS.forEach((root, size) => {
    const found = [rootOf(size, subtreeOf(data)), growing.root(), naiveRoot(data.slice(0, size))]
    t.deepEqual(hexes(found), [root, root, root])
    if (size < data.length) growing.add(leafHash(data[size]!))
  })
})

test('inclusion proofs equal the published ones', (t) => {
  const data = LEAVES.map(bytes)
  for (const [index, size, path] of PATHS) t.deepEqual(hexes(inclusionProof(index, size, subtreeOf(data))), path)
})

test('consistency proofs equal the published ones', (t) => {
  const data = LEAVES.map(bytes)
  for (const [from, to, path] of CONSISTENCY) t.deepEqual(hexes(consistencyProof(from, to, subtreeOf(data))), path)
})

const dataOf = (size: number): Buffer[] => Array.from({ length: size }, (_, at) => Buffer.from(`leaf ${at}`))

test('proofs for every leaf and size up to 70 equal the recursive definition and verify', (t) => {
  const all = dataOf(70)
  for (let size = 1; size <= all.length; size += 1) {
    const data = all.slice(0, size)
    const root = naiveRoot(data)
    for (let index = 0; index < size; index += 1) {
      const proof = inclusionProof(index, size, subtreeOf(data))
      if (hexes(proof).join() !== hexes(naivePath(index, data)).join()) t.fail(`path of ${index} in ${size}`)
      if (!isIncluded({ leaf: leafHash(data[index]!), index, size, proof }, root)) t.fail(`${index} in ${size}`)
    }
    for (let from = 1; from <= size; from += 1) {
      const proof = consistencyProof(from, size, subtreeOf(data))
      const older = { size: from, root: naiveRoot(data.slice(0, from)) }
      if (hexes(proof).join() !== hexes(naiveSubproof(from, data, true)).join()) t.fail(`proof from ${from} to ${size}`)
      if (!isConsistent(older, { size, root }, proof)) t.fail(`from ${from} to ${size}`)
    }
  }
  t.pass()
})

const sizes = fc.integer({ min: 2, max: 300 })
const tree = sizes.chain((size) => fc.tuple(fc.constant(size), fc.integer({ min: 0, max: size - 1 })))

test('an inclusion proof verifies for no other leaf, index, size, root or path', (t) => {
  fc.assert(
    fc.property(tree, sizes, fc.nat(), (of, otherSize, seed) => {
      const [size, index] = of
      const data = dataOf(size)
      const root = rootOf(size, subtreeOf(data))
      const proof = inclusionProof(index, size, subtreeOf(data))
      const right = { leaf: leafHash(data[index]!), index, size, proof }
      t.true(isIncluded(right, root))
      const other = (index + 1 + (seed % (size - 1))) % size
      t.false(isIncluded({ ...right, leaf: leafHash(data[other]!) }, root))
      t.false(isIncluded({ ...right, leaf: sha256(data[index]!) }, root), 'without its domain')
      t.false(isIncluded({ ...right, index: other }, root))
      t.false(isIncluded({ ...right, index: size + index }, root))
      const otherRoot = rootOf(otherSize, subtreeOf(dataOf(otherSize)))
      if (otherSize !== size) t.false(isIncluded(right, otherRoot))
      t.false(isIncluded({ ...right, proof: proof.slice(1) }, root))
      t.false(isIncluded({ ...right, proof: [...proof, proof[0]!] }, root))
      const flipped = proof.with(
        seed % proof.length,
        proof[seed % proof.length]!.map((byte) => byte ^ 1),
      )
      t.false(isIncluded({ ...right, proof: flipped }, root))
    }),
  )
})

test('a consistency proof verifies for no other trees and no other path', (t) => {
  fc.assert(
    fc.property(tree, fc.nat(), ([to, before], seed) => {
      const from = before + 1
      fc.pre(from < to)
      const data = dataOf(to)
      const proof = consistencyProof(from, to, subtreeOf(data))
      const older = { size: from, root: rootOf(from, subtreeOf(data)) }
      const newer = { size: to, root: rootOf(to, subtreeOf(data)) }
      t.true(isConsistent(older, newer, proof))
      const rewritten = data.map((leaf, at) => (at === seed % from ? Buffer.from('rewritten') : leaf))
      t.false(isConsistent(older, { size: to, root: rootOf(to, subtreeOf(rewritten)) }, proof))
      const honest = consistencyProof(from, to, subtreeOf(rewritten))
      t.false(isConsistent(older, { size: to, root: rootOf(to, subtreeOf(rewritten)) }, honest))
      t.false(isConsistent({ ...older, root: newer.root }, newer, proof))
      t.false(isConsistent(newer, older, proof))
      t.false(isConsistent(older, newer, proof.slice(1)))
      t.false(isConsistent(older, newer, [...proof, proof[0]!]))
    }),
  )
})

test('proofs outside of the tree are a RangeError', (t) => {
  const subtree = subtreeOf(dataOf(8))
  for (const [index, size] of [
    [8, 8],
    [-1, 8],
    [NaN, 8],
    [0, 0],
  ] as const) {
    t.throws(() => inclusionProof(index, size, subtree), { instanceOf: RangeError })
  }
  for (const [from, to] of [
    [0, 8],
    [8, 7],
    [-1, 8],
  ] as const) {
    t.throws(() => consistencyProof(from, to, subtree), { instanceOf: RangeError })
  }
})
