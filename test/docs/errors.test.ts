// docs/errors.md agrees with the table of codes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { CODES } from '../../src/domain/outcomes/codes.js'
import { errorReference } from '../../src/cli/docs/errorReference.js'
import { projectRoot } from '../support/root.js'

test('docs/errors.md is up to date: npm run error-reference writes it', (t) => {
  t.is(readFileSync(join(projectRoot, 'docs', 'errors.md'), 'utf8'), errorReference())
})

test('Every code has a meaning, a sentence without a full stop', (t) => {
  for (const [code, { meaning }] of Object.entries(CODES)) t.regex(meaning, /^[A-Z][^\n|]{10,129}[^.\n|]$/, code)
})
