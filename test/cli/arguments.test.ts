// Arguments are parsed according to the usage line.
import test from 'ava'
import { readArguments, integerOption } from '../../src/cli/terminal/arguments.js'
import { ROWS } from '../../src/cli/bursar.js'
import { UsageError } from '../../src/cli/terminal/command.js'

const USAGE = 'pay AMOUNT [ADDRESS] --note TEXT [--scope READ_ONLY|ADMIN] [--dry-run]'

test('words, options and flags are parsed according to the usage line', (t) => {
  const given = readArguments(USAGE, ['5', '--note', 'x', '--scope', 'ADMIN', '--dry-run'])
  t.deepEqual(given.words, ['5'])
  t.is(given.text('note'), 'x')
  t.is(given.text('scope'), 'ADMIN')
  t.true(given.has('dry-run'))
  t.deepEqual(readArguments(USAGE, ['5', '0x1', '--note=y']).words, ['5', '0x1'])
})

test('an option with dots may be repeated, others keep one value', (t) => {
  const given = readArguments('impact FILE [--agent AGENT ...] [--json]', ['f', '--agent', 'a', '--agent', 'b'])
  t.deepEqual([given.words, given.texts('agent')], [['f'], ['a', 'b']])
  t.deepEqual(readArguments('impact FILE [--agent AGENT ...]', ['f']).texts('agent'), [])
})

for (const args of [
  [],
  ['5'],
  ['--note', 'x'],
  ['5', '6', '7', '--note', 'x'],
  ['5', '--note'],
  ['5', '--note', 'x', '--key', 'y'],
  ['5', '--note', 'x', '--dry-run=1'],
]) {
  test(`${JSON.stringify(args)} is a usage error`, (t) => {
    t.throws(() => readArguments(USAGE, args), { instanceOf: UsageError })
  })
}

test('a whole number is refused below its least value, 1 unless another is named', (t) => {
  t.deepEqual([integerOption('--limit', '1'), integerOption('--limit', undefined)], [1, undefined])
  for (const text of ['0', '-1', '1.5', '', 'x', '1e3', '9999999999']) {
    t.throws(() => integerOption('--limit', text), { instanceOf: UsageError, message: /^--limit must be .* 1 / }, text)
  }
  t.is(integerOption('--port', '0', 0), 0)
  t.is(integerOption('--days', '3650', 1, 3650), 3650)
  t.throws(() => integerOption('--days', '3651', 1, 3650), {
    message: /^--days must be .* from 1 to 3650, not "3651"$/,
  })
})

const KNOWN = /^[a-z0-9-]+( [a-z-]+)?( \[?[A-Z][A-Z_|]*\]?| \[?--[a-z-]+( [A-Z][A-Z_|]*( \.\.\.)?)?\]?)*$/

for (const { usage } of ROWS) {
  test(`the usage line can be parsed: ${usage}`, (t) => {
    t.regex(usage, KNOWN)
    t.notRegex(usage, /--(secret|api-key|agent-key)\b/)
  })
}
