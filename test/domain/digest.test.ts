// Digests of text agree with Node's.
import test from 'ava'
import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { sha256Hex } from '../../src/domain/values/digest.js'
import '../support/depth.js'

test('a digest is the SHA-256 of the UTF-8 text', (t) => {
  t.is(sha256Hex('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      t.is(sha256Hex(text), createHash('sha256').update(text, 'utf8').digest('hex'))
    }),
  )
})
