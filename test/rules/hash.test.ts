// Equal content has an equal hash, whatever the order and the ids; different content has a different hash.
import test from 'ava'
import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { contentHash, policySetHash } from '../../rules/hash.js'
import '../support/depth.js'
import { ruleInput } from './arbitraries.js'
import { kept } from './policies.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const EMPTY = '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'

const rules = fc.array(ruleInput.map(kept), { maxLength: 8 })
const shuffled = rules.chain((list) =>
  fc.record({ list: fc.constant(list), other: fc.shuffledSubarray(list, { minLength: list.length }) }),
)

test('equal content in any order and with any ids has an equal hash', (t) => {
  fc.assert(
    fc.property(shuffled, fc.string(), ({ list, other }, id) => {
      const hash = contentHash(list)
      t.is(contentHash(other), hash)
      t.is(contentHash(other.map((rule, at) => ({ ...rule, id: `${id}${at}` }))), hash)
    }),
  )
})

test('adding, removing or repeating a rule changes the hash', (t) => {
  const one = kept({ ruleType: 'TRUST_SCORE', value: 50 })
  const other = kept({ ruleType: 'TRUST_SCORE', value: 51 })
  const sets = [[], [one], [other], [one, one], [one, other], [one, one, other]]
  t.is(new Set(sets.map(contentHash)).size, sets.length)
})

test('the hash of rules is the SHA-256 of their sorted RFC 8785 texts', (t) => {
  const first = '{"action":"ALLOW","operator":"GTE","ruleType":"TRUST_SCORE","value":50}'
  const second = '{"action":"ALLOW","operator":"LTE","ruleType":"MAX_AMOUNT","value":0.1}'
  const set = [
    kept({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 0.1 }),
    kept({ ruleType: 'TRUST_SCORE', value: 50 }),
  ]
  t.is(contentHash(set), sha256(`[${first},${second}]`))
  t.is(contentHash([]), EMPTY)
})

test('the same content written in two ways has one hash', (t) => {
  const plain = kept({ ruleType: 'BLOCKED_CATEGORIES', value: ['CLOUD'] })
  const other = kept({ action: 'DENY', value: '["cloud"]', operator: 'IN_LIST', ruleType: 'BLOCKED_CATEGORIES' })
  t.is(contentHash([plain]), contentHash([other]))
})

test('the hash of a set is over id, version, content hash and priority, sorted by id', (t) => {
  const a = { id: 'a', version: 2, contentHash: 'ff', priority: 1, name: 'A' }
  const b = { id: 'b', version: 1, contentHash: 'ee', priority: 9, name: 'B' }
  const text =
    '[{"contentHash":"ff","id":"a","priority":1,"version":2},{"contentHash":"ee","id":"b","priority":9,"version":1}]'
  t.is(policySetHash([a, b]), sha256(text))
  t.is(policySetHash([b, a]), sha256(text))
  t.is(policySetHash([]), EMPTY)
  for (const change of [{ id: 'c' }, { version: 3 }, { contentHash: '00' }, { priority: 2 }]) {
    t.not(policySetHash([{ ...a, ...change }, b]), sha256(text))
  }
})
