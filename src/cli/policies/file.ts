// Reads policy files: JSON with the fields, rules and test cases of one policy, identified by its name. Errors in a
// file are found before any request to the service.
import type { Result } from '../../domain/outcomes/result.js'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { checkRules, type RuleContent } from '../../../rules/rule.js'
import type { Definition } from '../../../rules/diff.js'
import type { Policy, PolicyTests } from '../../../sdk/index.js'
import { problemsOf } from '../../commands/policies/tests.js'
import { parseExactly } from '../../domain/values/exactJson.js'
import { OUTCOMES } from '../../domain/payment/terms.js'
import { POLICY_SCOPES, POLICY_TYPES, type PolicyTest } from '../../domain/parties/policy.js'
import { cleanName, cleanText } from '../../domain/values/text.js'
import { Failure } from '../../config/failure.js'

export type Tests = PolicyTests['tests']

/** The content of a file; `tests` is undefined when the file leaves the stored cases unchanged. */
export interface PolicyFile extends Definition {
  path: string
  policyType: Policy['policyType']
  scope: Policy['scope']
  rules: RuleContent[]
  tests: Tests | undefined
}

const FIELDS = ['name', 'description', 'policyType', 'scope', 'priority', 'isActive', 'rules', 'tests']

/** The file, or every JSON file directly in the folder, sorted by name; throws when two are of the same policy. */
export function readPolicyFiles(path: string): PolicyFile[] {
  const files = pathsIn(path).map(readPolicyFile)
  if (files.length === 0) throw new Failure(`${path} contains no .json file`)
  const places = new Map<string, string>()
  for (const file of files) {
    const other = places.get(file.name)
    if (other !== undefined) throw new Failure(`${other} and ${file.path} are both for the policy ${file.name}`)
    places.set(file.name, file.path)
  }
  return files
}

function pathsIn(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new Failure(`${path} does not exist`)
  if (!found.isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(path, name))
}

function readPolicyFile(path: string): PolicyFile {
  const given = recordIn(path)
  const unknown = Object.keys(given).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined) {
    throw new Failure(`${path}: ${unknown} is not a known field, known are ${FIELDS.join(', ')}`)
  }
  const { name, description = null, policyType, scope, priority = 50, isActive = true } = kept(given, path)
  if (typeof name !== 'string' || typeof policyType !== 'string') {
    throw new Failure(`${path}: name and policyType are required, as text`)
  }
  if (given['rules'] === undefined || given['scope'] === undefined) {
    throw new Failure(`${path}: rules and scope are required: a policy on the service gets those of its file`)
  }
  const rules = checkRules(given['rules'], 'rules')
  if (!rules.ok)
    throw new Failure(rules.refusal.details!.map((wrong) => `${path}: ${wrong.path} ${wrong.message}`).join('\n'))
  const fields = { name, description, policyType, scope, priority, isActive } as PolicyFile
  const wrong = wrongIn(fields)
  if (wrong !== undefined) throw new Failure(`${path}: ${wrong}`)
  const tests = given['tests'] === undefined ? undefined : testsIn(given['tests'], path)
  return { ...fields, path, rules: rules.value, tests }
}

const MAX_PRIORITY = 100
const MAX_TESTS = 100

/** Why the service would refuse the policy; undefined when it would not. */
function wrongIn({ description, policyType, scope, priority, isActive }: PolicyFile): string | undefined {
  if (description !== null && typeof description !== 'string') return 'description must be text'
  if (!POLICY_TYPES.includes(policyType)) return `policyType must be one of ${POLICY_TYPES.join(', ')}`
  if (!POLICY_SCOPES.includes(scope)) return `scope must be one of ${POLICY_SCOPES.join(', ')}`
  const inRange = Number.isInteger(priority) && priority >= 0 && priority <= MAX_PRIORITY
  if (!inRange) return `priority must be a whole number from 0 to ${MAX_PRIORITY}`
  return typeof isActive === 'boolean' ? undefined : 'isActive must be true or false'
}

const MAX_NAME = 100
const DESCRIPTION = { max: 500 }

/** Normalizes texts as the service does, so that equal texts compare as equal. */
function kept(given: { [field: string]: unknown }, path: string): { [field: string]: unknown } {
  const { name, description } = given
  return {
    ...given,
    ...(typeof name === 'string' && { name: nameIn(name, `${path}: name`) }),
    ...(typeof description === 'string' && {
      description: accepted(cleanText(description, DESCRIPTION), `${path}: description`),
    }),
  }
}

const nameIn = (name: string, at: string): string => accepted(cleanName(name, MAX_NAME), at)

function accepted(clean: Result<string>, at: string): string {
  if (!clean.ok) throw new Failure(`${at} ${clean.refusal.message}`)
  return clean.value
}

function isRecord(given: unknown): given is { [field: string]: unknown } {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

function recordIn(path: string): { [field: string]: unknown } {
  try {
    const given = parseExactly(readFileSync(path, 'utf8'))
    if (isRecord(given)) return given
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${(error as Error).message}`)
  }
  throw new Failure(`${path} does not contain a policy`)
}

/** Normalizes test cases as the service does: absent facts become empty. */
function testsIn(given: unknown, path: string): Tests {
  if (!Array.isArray(given)) throw new Failure(`${path}: tests must be a list`)
  if (given.length > MAX_TESTS) throw new Failure(`${path}: tests must have at most ${MAX_TESTS} entries`)
  return given.map((test, at) => testIn(test, at, path))
}

function testIn(given: Partial<Tests[number]> | null, at: number, path: string): Tests[number] {
  const { name, payment, expect } = given ?? {}
  if (typeof name !== 'string' || !isRecord(payment) || expect === undefined) {
    throw new Failure(`${path}: each test needs the fields name, payment and expect`)
  }
  const place = `${path}: tests.${at}`
  const facts = given?.facts ?? {}
  if (!isRecord(facts)) throw new Failure(`${place}.facts must be an object`)
  if (!OUTCOMES.includes(expect)) throw new Failure(`${place}.expect must be one of ${OUTCOMES.join(', ')}`)
  const test = { name: nameIn(name, `${place}.name`), payment, facts, expect }
  const problems = problemsOf(test as PolicyTest, at)
  if (problems.length > 0) throw new Failure(problems.map((one) => `${path}: ${one.path} ${one.message}`).join('\n'))
  return test
}

/** The policy file that `apply` would need for a policy of the service. */
export function fileOf({ name, description, policyType, scope, priority, isActive, rules }: Policy, tests: Tests) {
  const contents = rules.map(({ ruleType, operator, value, action }) => ({ ruleType, operator, value, action }))
  return { name, description, policyType, scope, priority, isActive, rules: contents, tests }
}
