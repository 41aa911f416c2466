// The guide's table of rules lists all rule types, and its values are valid.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { checkRule } from '../../rules/rule.js'
import { RULE_TYPES } from '../../rules/ruleTypes/index.js'
import { projectRoot } from '../support/root.js'

const guide = readFileSync(join(projectRoot, 'docs/guides/policies.md'), 'utf8')
const rows = [...guide.matchAll(/^\| `([A-Z0-9_]+)` \|([^|]*)\|(.*)\|([^|]*)\|$/gm)].map(([, ...cells]) =>
  cells.map((cell) => cell.trim()),
)

test('The guide shows every rule type with its operators and actions, the default first', (t) => {
  const expected = Object.entries(RULE_TYPES).map(([name, { operators, actions }]) => [
    name,
    operators.join(', '),
    actions.join(', '),
  ])
  t.deepEqual(
    rows.map(([name, operators, , actions]) => [name, operators, actions]),
    expected,
  )
})

test('The values in the table are valid for their rules', (t) => {
  const written = rows.flatMap(([ruleType, operators, value]) => {
    const [, json] = /^`([^`]+)`/.exec(value!) ?? []
    const [operator] = operators!.split(', ')
    return json === undefined ? [] : [{ ruleType, operator, value: JSON.parse(json) as unknown }]
  })
  t.true(written.length >= 15)
  for (const rule of written) t.like(checkRule(rule, ''), { ok: true }, JSON.stringify(rule))
})
