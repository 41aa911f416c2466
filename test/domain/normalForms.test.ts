// Text is not normalized when it is too long in every normal form: a long run of combining marks would take seconds.
import { refuse } from '../../src/domain/outcomes/result.js'
import test from 'ava'
import { checkFacts, type FactName } from '../../rules/facts.js'
import { problemsOf } from '../../src/commands/policies/tests.js'
import { parseEmail } from '../../src/domain/values/email.js'
import { passwordProblem } from '../../src/domain/values/password.js'
import { cleanText, isTooLong } from '../../src/domain/values/text.js'

/** A quarter of a megabyte, as a body may hold. */
const MARKS = 'e' + '\u0301\u0323'.repeat(60_000)

/** The longest text that is normalized in the course of `run`, in code units. */
function longestNormalized(run: () => void): number {
  const { normalize } = String.prototype
  let longest = 0
  String.prototype.normalize = function counted(this: string, form?: string): string {
    longest = Math.max(longest, this.length)
    // Not carried out on what is too long: the test would wait for it.
    return this.length < 10_000 ? normalize.call(this, form) : this.toString()
  }
  try {
    run()
  } finally {
    String.prototype.normalize = normalize
  }
  return longest
}

const kept = (payment: object, facts: object = {}) =>
  problemsOf({ name: 'a', payment: { amount: 1, ...payment }, facts, expect: 'APPROVED' } as never, 0)

const REFUSED: [what: string, problem: () => unknown, refusal: unknown][] = [
  [
    'a text',
    () => cleanText(MARKS, { min: 1, max: 200 }),
    refuse('VALIDATION_ERROR', 'must have 1 to 200 characters, has 120001'),
  ],
  ['an e-mail address', () => parseEmail(`${MARKS}@x`), undefined],
  ['a password', () => passwordProblem(MARKS), 'must have 12 to 128 characters'],
  [
    'the category of a kept test',
    () => kept({ category: MARKS }),
    [{ path: 'tests.0.payment.category', message: 'must have 1 to 100 characters, has 120001' }],
  ],
  [
    'the fact category',
    () => checkFacts(['category'] as FactName[], { category: MARKS }).map(({ path }) => path),
    ['category'],
  ],
  [
    "a kept test's fact counterpartyCategory",
    () => kept({}, { counterpartyCategory: MARKS }).map(({ path }) => path),
    ['tests.0.facts.counterpartyCategory'],
  ],
]

for (const [what, problem, refusal] of REFUSED) {
  test.serial(`${what} of very many combining marks is refused without being normalized`, (t) => {
    const longest = longestNormalized(() => t.deepEqual(problem(), refusal))
    t.true(longest < 10_000, String(longest))
  })
}

test('text that a normal form makes short enough is accepted', (t) => {
  const fourPoints = '\u03b1\u0313\u0300\u0345'
  t.deepEqual(cleanText(fourPoints.repeat(100), { max: 100 }), { ok: true, value: '\u1f82'.repeat(100) })
  t.deepEqual(kept({ category: fourPoints.repeat(100) }), [])
  t.is(passwordProblem('abcd' + fourPoints.repeat(124)), undefined)
})

test('no character of a normal form is made of more than four code points', (t) => {
  let most = 0
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code)
    if (character.normalize('NFC') === character) most = Math.max(most, [...character.normalize('NFD')].length)
  }
  t.is(most, 4)
  t.false(isTooLong('\u{1d400}'.repeat(4), 1))
  t.true(isTooLong('\u{1d400}'.repeat(4) + 'a', 1))
})
