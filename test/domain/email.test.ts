// E-mail addresses in their normal form, by which they are compared.
import test from 'ava'
import { emailKey, parseEmail } from '../../src/domain/values/email.js'

const TAKEN: [text: string, stored: string][] = [
  ['ada@example.com', 'ada@example.com'],
  ['Ada@Example.COM', 'ada@example.com'],
  ['a+b/c@x', 'a+b/c@x'],
  ['jose\u0301@x', 'jos\u00e9@x'],
  [`${'x'.repeat(252)}@b`, `${'x'.repeat(252)}@b`],
]

for (const [text, stored] of TAKEN) {
  test(`${text.slice(0, 30)} is compared as ${stored.slice(0, 30)}`, (t) => t.is(parseEmail(text), stored))
}

for (const text of ['', '@', 'a@', '@b', 'ab', 'a@b@c', ' a@b', 'a@b ', 'a\n@b', 'a@\ud800', `${'x'.repeat(253)}@b`]) {
  test(`${JSON.stringify(text).slice(0, 30)} is not an e-mail address`, (t) => t.is(parseEmail(text), undefined))
}

test('the key of an e-mail address has no slash and differs between addresses', (t) => {
  t.regex(emailKey('a/b@c'), /^[a-z0-9]+$/)
  t.not(emailKey('a@b'), emailKey('a@c'))
})
