// Tokens: 256 bits as text that fits into a cookie and a URL.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { isToken, mintToken } from '../../src/domain/access/sessionToken.js'

test('a token encodes 32 bytes in base64url', (t) => {
  const bytes = randomBytes(32)
  const token = mintToken((count) => bytes.subarray(0, count))
  t.true(isToken(token))
  t.deepEqual(Buffer.from(token, 'base64url'), bytes)
})

for (const text of [
  '',
  'A'.repeat(42),
  'A'.repeat(44),
  `${'A'.repeat(42)}/`,
  `${'A'.repeat(42)}\n`,
  `${'A'.repeat(43)}\n`,
]) {
  test(`${JSON.stringify(text)} is not a token`, (t) => t.false(isToken(text)))
}
