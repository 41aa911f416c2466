// The form of API keys.
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import test from 'ava'
import fc from 'fast-check'
import { formKey, KEY_PREFIX, mintKey, parseKey, type KeyKind } from '../../src/domain/access/apiKey.js'
import { runs } from '../support/depth.js'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KINDS: KeyKind[] = ['organization', 'agent']
const kinds = fc.constantFrom(...KINDS)
const randoms = fc.string({ unit: fc.constantFrom(...BASE62), minLength: 40, maxLength: 40 })

/** An independent implementation of the checksum: zlib's CRC-32 and BigInt. */
function checksum(text: string): string {
  const digits: string[] = []
  for (let rest = BigInt(crc32(text)); digits.length < 6; rest /= 62n) digits.unshift(BASE62.charAt(Number(rest % 62n)))
  return digits.join('')
}

// Kind, random part, checksum.
const KNOWN: [KeyKind, string, string][] = [
  ['organization', '0000000000000000000000000000000000000000', '1UUine'],
  ['agent', '0000000000000000000000000000000000000000', '3pQJhY'],
  ['organization', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd', '4JtPwR'],
  ['agent', 'MNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '17IdLS'],
  ['organization', 'ajVP0OZkZrlSAbbN3rkNqMSFifgYJs5SmtMCA8Sx', '003nBZ'],
]

test('Known keys have known checksums', (t) => {
  for (const [kind, random, end] of KNOWN) t.is(formKey(kind, random), KEY_PREFIX[kind] + random + end)
})

test('A key is its prefix, its random part and the checksum of both', (t) => {
  const property = fc.property(kinds, randoms, (kind, random) => {
    const signed = KEY_PREFIX[kind] + random
    return formKey(kind, random) === signed + checksum(signed)
  })
  t.notThrows(() => fc.assert(property))
})

test('A well-formed key parses to its kind and display prefix', (t) => {
  const property = fc.property(kinds, randoms, (kind, random) => {
    const parsed = parseKey(formKey(kind, random))
    return parsed?.kind === kind && parsed.prefix === KEY_PREFIX[kind] + random.slice(0, 6)
  })
  t.notThrows(() => fc.assert(property))
})

test('A key with any one character changed is refused', (t) => {
  const property = fc.property(kinds, randoms, fc.nat(), fc.constantFrom(...BASE62), (kind, random, at, other) => {
    const key = formKey(kind, random)
    const index = at % key.length
    const changed = key.slice(0, index) + other + key.slice(index + 1)
    return changed === key || parseKey(changed) === undefined
  })
  t.notThrows(() => fc.assert(property, { numRuns: runs(2000) }))
})

test('Wrong lengths, alphabets and prefixes are refused even with a right checksum', (t) => {
  const signed = (text: string): string => text + checksum(text)
  t.truthy(parseKey(signed(`service_${'a'.repeat(40)}`)))
  const wrong = [
    ['39 characters', signed(`service_${'a'.repeat(39)}`)],
    ['41 characters', signed(`service_${'a'.repeat(41)}`)],
    ['a character outside base62', signed(`service_${'a'.repeat(39)}-`)],
    ['an agent key of 34 characters, long enough for the other kind', signed(`service_agent_${'a'.repeat(34)}`)],
    ['another prefix', signed(`servicE_${'a'.repeat(40)}`)],
    ['no prefix', signed('a'.repeat(40))],
    ['a leading space', ` ${signed(`service_${'a'.repeat(40)}`)}`],
    ['a trailing newline', `${signed(`service_${'a'.repeat(40)}`)}\n`],
    ['the prefix alone', 'service_'],
    ['nothing', ''],
  ]
  for (const [name, text] of wrong) t.is(parseKey(text ?? ''), undefined, name)
})

test('Forming a key of anything but 40 base62 characters throws', (t) => {
  for (const random of ['', 'a'.repeat(39), 'a'.repeat(41), `${'a'.repeat(39)}_`, `${'a'.repeat(40)}\n`]) {
    t.throws(() => formKey('agent', random), { instanceOf: RangeError })
  }
})

test('Minted keys are well formed', (t) => {
  for (const kind of KINDS) t.is(parseKey(mintKey(kind, randomBytes))?.kind, kind)
  t.not(mintKey('agent', randomBytes), mintKey('agent', randomBytes))
})

test('Minting skips the bytes that would favour some characters', (t) => {
  const favouring = Uint8Array.from({ length: 64 }, (_, at) => (at < 24 ? 255 - (at % 8) : at - 24))
  t.is(
    mintKey('organization', () => favouring),
    formKey('organization', BASE62.slice(0, 40)),
  )
  const every = Uint8Array.from({ length: 248 }, (_, byte) => byte)
  const counts = new Map<string, number>()
  for (let at = 0; at < 248; at += 1) {
    const character = mintKey('agent', () => new Uint8Array(40).fill(every[at] ?? 0)).charAt('service_agent_'.length)
    counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  t.deepEqual([...counts.keys()].toSorted(), [...BASE62])
  t.true([...counts.values()].every((count) => count === 4))
})

test('Too few random bytes throw', (t) => {
  t.throws(() => mintKey('agent', () => new Uint8Array(39)), { instanceOf: RangeError, message: /too few/ })
  t.throws(() => mintKey('agent', () => new Uint8Array(64).fill(248)), { instanceOf: RangeError, message: /too few/ })
  const leaving39 = Uint8Array.from({ length: 64 }, (_, at) => (at < 25 ? 250 : 0))
  t.throws(() => mintKey('agent', () => leaving39), { instanceOf: RangeError, message: /too few/ })
})
