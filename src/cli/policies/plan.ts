// Plans and applies the changes of policy files. Policies are matched by name; those without a file are left unchanged.
import { isDeepStrictEqual } from 'node:util'
import { diffFields, diffRules, type FieldChange } from '../../../rules/diff.js'
import type { RuleContent } from '../../../rules/rule.js'
import type { BursarAdmin, Policy } from '../../../sdk/index.js'
import { comparableName } from '../../domain/values/text.js'
import { Failure } from '../../config/failure.js'
import type { PolicyFile, Tests } from './file.js'
import type { FailingCase, Subject } from './trial.js'

export interface Plan {
  file: PolicyFile
  /** The policy on the service; undefined for a new one. */
  policy: Policy | undefined
  fields: FieldChange[]
  rulesAdded: RuleContent[]
  rulesRemoved: RuleContent[]
  /** True when only the order of the rules differs. */
  reordered: boolean
  /** The test cases stored with the policy; none for a new one. */
  stored: Tests
  /** The test cases that replace the stored ones; undefined when they stay. */
  tests: Tests | undefined
}

export type PlanOutcome = 'created' | 'changed' | 'unchanged'

export async function planOf(bursar: BursarAdmin, files: readonly PolicyFile[]): Promise<Plan[]> {
  const known = new Map<string, string>()
  const twice = new Set<string>()
  for await (const { id, name } of bursar.policies.list()) {
    const key = comparableName(name)
    if (known.has(key)) twice.add(key)
    known.set(key, id)
  }
  const plans: Plan[] = []
  for (const file of files) {
    const name = comparableName(file.name)
    if (twice.has(name)) throw new Failure(`${file.path}: several policies are named ${file.name}, rename them`)
    const id = known.get(name)
    plans.push(id === undefined ? created(file) : await changed(bursar, file, id))
  }
  return plans
}

function created(file: PolicyFile): Plan {
  const changes = { fields: [], rulesAdded: file.rules, rulesRemoved: [], reordered: false }
  return { file, policy: undefined, ...changes, stored: [], tests: replacing([], file.tests) }
}

async function changed(bursar: BursarAdmin, file: PolicyFile, id: string): Promise<Plan> {
  const policy = await bursar.policies.get(id)
  if (policy.policyType !== file.policyType) {
    throw new Failure(
      `${file.path}: ${file.name} has the policyType ${policy.policyType}, which cannot become ${file.policyType}`,
    )
  }
  const stored = (await bursar.policies.tests.get(id)).tests
  const current = policy.rules.map(({ id: _id, ...rule }) => rule as RuleContent)
  const rules = diffRules(current, file.rules)
  const same = rules.rulesAdded.length + rules.rulesRemoved.length === 0
  return {
    file,
    policy,
    fields: diffFields(policy, file),
    ...rules,
    reordered: same && !isDeepStrictEqual(plain(current), plain(file.rules)),
    stored,
    tests: replacing(stored, file.tests),
  }
}

/** The wanted test cases; undefined when they are not given or are the stored ones. */
function replacing(stored: Tests, wanted: Tests | undefined): Tests | undefined {
  return isDeepStrictEqual(plain(stored), plain(wanted)) ? undefined : wanted
}

/** Drops differences that JSON does not have, such as undefined members. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

export function planOutcome({ policy, fields, rulesAdded, rulesRemoved, reordered, tests }: Plan): PlanOutcome {
  if (!policy) return 'created'
  const same = fields.length + rulesAdded.length + rulesRemoved.length === 0 && !reordered && tests === undefined
  return same ? 'unchanged' : 'changed'
}

/** The cases that the policy has to pass: those of the file, or the stored ones if the plan is an edit without any. */
export function subjectOf(plan: Plan): Subject {
  const { file, policy, stored } = plan
  const cases = file.tests ?? (planOutcome(plan) === 'unchanged' ? [] : stored)
  return { file, cases, policyId: policy?.id ?? 'file' }
}

/** The plan without those of the file's tests that fail, because the service stores none that fails. */
export function withoutFailing(plan: Plan, failing: readonly FailingCase[]): Plan {
  const { file, stored } = plan
  const names = new Set(failing.filter(({ path }) => path === file.path).map(({ name }) => name))
  return {
    ...plan,
    tests: replacing(
      stored,
      file.tests?.filter(({ name }) => !names.has(name)),
    ),
  }
}

/** Throws for a plan that the service would refuse after its first change. */
export function checkPlanScope({ file, policy, fields }: Plan): void {
  const widens = fields.some(({ field, to }) => field === 'scope' && to === 'organization')
  if (!policy || !widens) return
  const { agents, wallets } = policy.assignments
  if (agents.length + wallets.length === 0) return
  throw new Failure(
    `${file.path}: ${file.name} is assigned to agents or wallets, remove its assignments before you widen its scope`,
  )
}

/**
 * Applies the plan, and reports each change that others follow. Refused with VERSION_CONFLICT if the policy has changed
 * since.
 */
export async function applyPlan(
  bursar: BursarAdmin,
  plan: Plan,
  force: boolean,
  onChange: (what: string) => void,
): Promise<void> {
  const { file, policy, tests } = plan
  if (policy) return change(bursar, plan, policy, force, onChange)
  const { name, description, policyType, scope, priority, isActive, rules } = file
  const made = await bursar.policies.create({ name, description, policyType, scope, priority, isActive, rules })
  onChange('the policy was created')
  if (tests !== undefined) await bursar.policies.tests.replace(made.id, { tests })
}

async function change(
  bursar: BursarAdmin,
  plan: Plan,
  { id, version }: Policy,
  force: boolean,
  onChange: (what: string) => void,
): Promise<void> {
  const { file, fields, tests } = plan
  // Forced, because stored cases that the file replaces must not block rules written for the new ones.
  const forced = { force: force || tests !== undefined || undefined }
  let current = version
  // Rules first, so that a policy never becomes active with its old rules.
  if (plan.rulesAdded.length + plan.rulesRemoved.length > 0 || plan.reordered) {
    // Forced before fields, too: stored cases apply to both changes together.
    const step = { force: forced.force ?? (fields.length > 0 || undefined) }
    current = (await bursar.policies.rules.replace(id, file.rules, step, { ifMatch: current })).version
    onChange('its rules were replaced')
  }
  if (fields.length > 0) {
    const changes = Object.fromEntries(fields.map(({ field, to }) => [field, to]))
    current = (await bursar.policies.update(id, changes, forced, { ifMatch: current })).version
    onChange('its fields were changed')
  }
  if (tests !== undefined) await bursar.policies.tests.replace(id, { tests }, { ifMatch: current })
}
