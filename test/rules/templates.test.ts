// The policy templates have rules in their stored form, which compile.
import test from 'ava'
import { compilePolicySet } from '../../rules/compile.js'
import { checkRules } from '../../rules/rule.js'
import { TEMPLATES } from '../../rules/templates/index.js'
import { POLICY_TYPES } from '../../src/domain/parties/policy.js'
import { policyOf } from './policies.js'

test('there are eight templates with distinct ids and names', (t) => {
  t.deepEqual(
    TEMPLATES.map(({ id }) => id),
    [
      'daily-cap',
      'business-hours',
      'vendor-allow-list',
      'approval-above',
      'new-vendor-approval',
      'cloud-budget',
      'velocity-guard',
      'freeze-window',
    ],
  )
  t.is(new Set(TEMPLATES.map(({ name }) => name)).size, 8)
})

for (const { id, description, policyType, rules } of TEMPLATES) {
  test(`the template ${id} is accepted unchanged and compiles`, (t) => {
    t.deepEqual(checkRules(rules, 'rules'), { ok: true, value: rules })
    t.is(compilePolicySet([policyOf(rules)], 'Europe/Berlin').rules.length, rules.length)
    t.true(POLICY_TYPES.includes(policyType))
    t.regex(description, /\.$/)
  })
}
