// docs/cli.md lists every command with the usage and summary that the command itself shows.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { ROWS } from '../../src/cli/bursar.js'
import { projectRoot } from '../support/root.js'

const line = ({ usage, summary }: (typeof ROWS)[number]): string => {
  const shown = usage.replace(/ \[--(key-stdin|json)\]/g, '').replaceAll('|', '\\|')
  return `| \`bursar ${shown}\` | ${summary} |`
}

test('docs/cli.md lists all commands', (t) => {
  const rows = readFileSync(join(projectRoot, 'docs/cli.md'), 'utf8')
    .split('\n')
    .filter((text) => text.startsWith('| `bursar '))
  t.deepEqual(rows, ROWS.map(line))
})
