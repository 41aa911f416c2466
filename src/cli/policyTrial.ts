// Runs the test cases of a policy file locally, with the service's own rules, so that a CI pipeline can check a change
// before it is applied.
import { problemsOf, casesFailing } from '../commands/policyTests.js'
import { createRules } from '../commands/rules.js'
import type { Rule } from '../../rules/rule.js'
import type { PolicyDefinition, PolicyTest } from '../domain/policy.js'
import type { PolicyFile } from './policyFile.js'

export interface FailingCase {
  path: string
  name: string
  message: string
}

/** The cases that the file's rules decide differently, and invalid cases. */
export async function failingCases(file: PolicyFile, timezone: string): Promise<FailingCase[]> {
  const { path } = file
  const tests = (file.tests ?? []) as unknown as PolicyTest[]
  const problems = tests.flatMap((test, at) => problemsOf(test, at).map((detail) => ({ test, detail })))
  if (problems.length > 0) {
    return problems.map(({ test, detail }) => ({ path, name: test.name, message: `${detail.path} ${detail.message}` }))
  }
  const rules = createRules({ cacheSize: 1, isChecked: () => true, onDifference: () => {} })
  const subject = { id: 'file', version: 1, definition: definitionOf(file) }
  const failing = await casesFailing({ rules, now: Date.now, timezone }, subject, tests)
  return failing.map((failure) => ({ path, ...failure }))
}

function definitionOf({ path: _path, tests: _tests, rules, ...fields }: PolicyFile): PolicyDefinition {
  return { ...fields, rules: rules.map((rule, at): Rule => ({ id: `rule-${at + 1}`, ...rule })) }
}
