// Signed notes against a note of another implementation, and texts that must not pass as one.
import { generateKeyPairSync, sign } from 'node:crypto'
import test from 'ava'
import { verifyEd25519 } from '../../src/config/ed25519.js'
import {
  checkpointText,
  isSignedBy,
  checkpointOrigin,
  readCheckpoint,
  readVerifierKey,
  signedNote,
  verifierKey,
} from '../../src/domain/audit/checkpoint.js'

// From the documentation of golang.org/x/mod/sumdb/note.
const PETER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const NOTE =
  'If you think cryptography is the answer to your problem,\n' +
  "then you don't know what your problem is.\n\n" +
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n'

const pair = generateKeyPairSync('ed25519')
const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
const key = { name: checkpointOrigin('corganization'), publicKey }
const checkpoint = { origin: key.name, size: 12, root: Buffer.alloc(32, 7), head: 'ab'.repeat(32) }
const note = signedNote(checkpointText(checkpoint), key, (message) => sign(null, message, pair.privateKey))

test('a note signed by another implementation verifies', (t) => {
  const peter = readVerifierKey(PETER)!
  t.is(verifierKey(peter), PETER)
  t.true(isSignedBy(NOTE, peter, verifyEd25519))
  t.false(isSignedBy(NOTE.replace('answer', 'Answer'), peter, verifyEd25519))
  t.false(isSignedBy(NOTE, key, verifyEd25519))
})

test('a checkpoint is three lines and its head, and parses to what was written', (t) => {
  const root = Buffer.alloc(32, 7).toString('base64')
  t.is(checkpointText(checkpoint), `bursar/audit/corganization\n12\n${root}\nhead ${'ab'.repeat(32)}\n`)
  const read = readCheckpoint(note)!
  t.deepEqual({ ...read, root: Buffer.from(read.root) }, checkpoint)
  t.true(isSignedBy(note, key, verifyEd25519))
})

test('a note still verifies when somebody else signs it too', (t) => {
  t.true(isSignedBy(`${note}— witness.example/w ${Buffer.alloc(68).toString('base64')}\n`, key, verifyEd25519))
})

const FORGED: [what: string, note: string][] = [
  ['another size', note.replace('\n12\n', '\n13\n')],
  ['another origin', note.replace('corganization\n12', 'corganisation\n12')],
  ['another head', note.replace('head ab', 'head ac')],
  ['an extra line', note.replace('\n\n', '\nmore\n\n')],
  ['no signature', note.slice(0, note.indexOf('—'))],
  ['another name', note.replace(`— ${key.name}`, '— other')],
  ['another dash', note.replace('—', '-')],
  ['a truncated signature', `${note.slice(0, -6)}\n`],
  ['no empty line', note.replace('\n\n', '\n')],
  ['trailing text', `${note}0`],
  ['nothing', ''],
]

for (const [what, forged] of FORGED) {
  test(`a note with ${what} does not verify`, (t) => t.false(isSignedBy(forged, key, verifyEd25519)))
}

test('verifier keys with a wrong id or a wrong form are refused', (t) => {
  const swapped = verifierKey(key).replace(key.name, 'other')
  for (const text of ['', 'a+b+c', swapped, PETER.slice(0, -4), PETER.replace('c74f20a3', 'c74f20a4')]) {
    t.is(readVerifierKey(text), undefined, text)
  }
})

test('texts that are not checkpoints are refused', (t) => {
  const root = Buffer.alloc(32).toString('base64')
  const head = `head ${'0'.repeat(64)}`
  for (const text of [
    '',
    NOTE,
    `o\n012\n${root}\n${head}\n\n— o x\n`,
    `o\n12\n${root.slice(4)}\n${head}\n\n— o x\n`,
    `o\n-1\n${root}\n${head}\n\n— o x\n`,
    `o\n12\n${root}\n\n— o x\n`,
    `\n12\n${root}\n${head}\n\n— o x\n`,
  ]) {
    t.is(readCheckpoint(text), undefined, text)
  }
})
