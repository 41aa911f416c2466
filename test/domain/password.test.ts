// Which passwords are accepted, and the normal form in which they are hashed.
import test from 'ava'
import { normalPassword, passwordProblem } from '../../src/domain/values/password.js'

for (const password of ['twelve chars', 'x'.repeat(125) + 'abc', '🔐🔑🗝️ and words', 'ﬁﬁﬁﬁﬁabc']) {
  test(`${password.slice(0, 20)} is accepted`, (t) => t.is(passwordProblem(password), undefined))
}

const REFUSED: [password: string, because: RegExp][] = [
  ['', /12 to 128/],
  ['eleven char', /12 to 128/],
  ['x'.repeat(126) + 'abc', /12 to 128/],
  ['🔐🔑🗝🔐🔑🗝🔐🔑🗝🔐🔑', /12 to 128/],
  ['aaaaaaaaaaaa', /different/],
  ['abcabcabcabc', /different/],
  ['twelve chars \ud800', /well-formed/],
]

for (const [password, because] of REFUSED) {
  test(`${JSON.stringify(password).slice(0, 30)} is refused: ${because.source}`, (t) => {
    t.regex(passwordProblem(password) ?? '', because)
  })
}

test('equivalent encodings of a character have the same hashed form', (t) => {
  t.is(normalPassword('é'.normalize('NFD') + 'ﬁ'), 'éfi')
})
