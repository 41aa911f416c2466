// Runs the test cases of a policy file locally, with the service's own rules, so that a CI pipeline can check a change
// before it is applied.
import { casesFailing } from '../../commands/policies/tests.js'
import { createRules } from '../../commands/rules.js'
import type { Rule } from '../../../rules/rule.js'
import type { PolicyDefinition, PolicyTest } from '../../domain/parties/policy.js'
import type { PolicyFile, Tests } from './file.js'

export interface FailingCase {
  path: string
  name: string
  message: string
}

/** Cases to decide by the rules of a file, and the id of its policy, which their facts may name. */
export interface Subject {
  file: PolicyFile
  cases: Tests
  policyId: string
}

/** The cases that the files' rules decide differently. */
export async function failingCases(subjects: readonly Subject[], timezone: string): Promise<FailingCase[]> {
  const found: FailingCase[] = []
  for (const { file, cases, policyId } of subjects) {
    const rules = createRules({ cacheSize: 1, isChecked: () => true, onDifference: () => {} })
    const subject = { id: policyId, version: 1, definition: definitionOf(file) }
    const failing = await casesFailing({ rules, now: Date.now, timezone }, subject, cases as PolicyTest[])
    found.push(...failing.map((failure) => ({ path: file.path, ...failure })))
  }
  return found
}

function definitionOf({ path: _path, tests: _tests, rules, ...fields }: PolicyFile): PolicyDefinition {
  return { ...fields, rules: rules.map((rule, at): Rule => ({ id: `rule-${at + 1}`, ...rule })) }
}
