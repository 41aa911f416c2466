// What an organization may do with its policies. Rules are checked here before they reach the policy; the policy
// itself numbers the versions and refuses what would bend its history.
import type { PolicyContext } from '../../machines/policy.js'
import { contentHash } from '../../rules/hash.js'
import { checkRule, type Rule } from '../../rules/rule.js'
import type { Actor } from '../actor/actor.js'
import type { Page } from '../actor/query.js'
import type { Json } from '../domain/canonical.js'
import { newId } from '../domain/ids.js'
import type { PolicyDefinition, PolicyRule, PolicyScope, PolicyType } from '../domain/policy.js'
import { refuse, type Detail, type Refused } from '../domain/refusal.js'
import { find, outcome, tell, type Done } from './ask.js'
import { failingTests } from './policyTests.js'
import type { Caller, Services } from './ports.js'

export interface NewPolicy {
  name: string
  description?: string | null | undefined
  policyType: PolicyType
  scope: PolicyScope
  priority: number
  isActive: boolean
  rules: readonly Json[]
  agentIds?: readonly string[] | undefined
}

/** How an edit is to be made. */
export interface EditOptions {
  /** Refused unless this is still the version. */
  ifVersion?: number | undefined
  /** Carry it out even though it makes the policy's own tests fail. */
  force?: boolean | undefined
}

const SAY = {
  VERSION_CONFLICT: 'The policy has another version by now: read it and apply the change to that',
  POLICY_HAS_ASSIGNMENTS: "Remove the policy's assignments first",
  VALIDATION_ERROR: 'A policy has at most 100 rules',
  NOT_FOUND: 'The policy has no such rule',
}

/** Checks rules as they came; each gets an id, or all that is wrong with them is told. */
function checkedRules(services: Services, given: readonly Json[], path: string): PolicyRule[] | Refused {
  const details: Detail[] = []
  const rules: PolicyRule[] = []
  for (const [index, input] of given.entries()) {
    const checked = checkRule(input, `${path}.${index}`)
    if (checked.ok) rules.push({ id: newId(services.random), ...checked.rule })
    else details.push(...checked.details)
  }
  const [first] = details
  return first ? refuse('VALIDATION_ERROR', `${first.path} ${first.message}`, { details }) : rules
}

const sharesBudget = (rules: readonly PolicyRule[]): boolean =>
  JSON.stringify(rules.map(({ ruleType, value }) => [ruleType, value])).includes('"of":"POLICY"')

/** What every edit tells beside what it changes. */
function editOf({ principal }: Caller, rules: readonly PolicyRule[], { ifVersion }: EditOptions = {}) {
  const { type, id, name } = principal
  return { by: { type, id, name }, budgeted: sharesBudget(rules), ...(ifVersion !== undefined && { ifVersion }) }
}

export async function createPolicy(services: Services, caller: Caller, given: NewPolicy): Promise<Done | Refused> {
  const rules = checkedRules(services, given.rules, 'rules')
  if ('refusal' in rules) return rules
  const agentIds = [...new Set(given.agentIds ?? [])]
  for (const agentId of agentIds) {
    const agent = await find(services, caller, 'agent', agentId)
    if (!agent.ok) return agent
  }
  const { name, policyType, scope, priority, isActive } = given
  if (scope === 'organization' && agentIds.length > 0) {
    return refuse('VALIDATION_ERROR', 'agentIds: a policy of scope organization applies to all agents')
  }
  const definition: PolicyDefinition = {
    name,
    description: given.description ?? null,
    policyType,
    scope,
    priority,
    isActive,
    rules,
  }
  const id = newId(services.random)
  const created = { id, definition, order: services.nextOrder(), ...editOf(caller, rules) }
  const silent = { principal: caller.principal }
  const made = outcome(await tell(services, agentIds.length > 0 ? silent : caller, `policy/${id}`, 'CREATE', created))
  let last: Done | Refused = made
  for (const [index, agentId] of agentIds.entries()) {
    const assigner = index === agentIds.length - 1 ? caller : silent
    last = await assign(services, assigner, id, 'agents', agentId)
  }
  return last
}

export function findPolicy(services: Services, caller: Caller, id: string): Promise<Done | Refused> {
  return find(services, caller, 'policy', id)
}

export interface PolicyList {
  isActive?: boolean | undefined
  policyType?: PolicyType | undefined
  limit: number
  offset: number
  cursor?: string | undefined
}

export function listPolicies(services: Services, caller: Caller, query: PolicyList): Promise<Page | undefined> {
  const { isActive, policyType, limit, offset, cursor } = query
  const list = `policies/${caller.principal.organization}`
  const wanted = { list, limit, offset, ...(cursor !== undefined && { cursor }) }
  return services.query.filtered(wanted, (actor) => {
    const { definition } = policyContext(actor)
    if (isActive !== undefined && definition.isActive !== isActive) return false
    return policyType === undefined || definition.policyType === policyType
  })
}

/** Tells the policy an edit, unless its own tests speak against what it would become. */
async function edit(
  services: Services,
  caller: Caller,
  policy: Actor,
  next: Partial<PolicyDefinition>,
  command: { type: string; [field: string]: unknown },
  options: EditOptions,
): Promise<Done | Refused> {
  const definition = { ...policyContext(policy).definition, ...next }
  const failing = await failingTests(services, policy, definition)
  if (failing.length > 0 && options.force !== true) {
    const details = failing.map(({ name, message }) => ({ path: name, message }))
    return refuse('POLICY_TESTS_FAILED', `${failing.length} of the policy's tests would fail`, { details })
  }
  const { type, ...fields } = command
  const forced = failing.length > 0 ? { note: `forced past ${failing.length} failing tests` } : {}
  const told = { ...forced, ...fields, ...editOf(caller, definition.rules, options) }
  return outcome(await tell(services, caller, policy.ref, type, told), SAY)
}

export async function updatePolicy(
  services: Services,
  caller: Caller,
  id: string,
  given: { [Field in keyof PolicyDefinition]?: PolicyDefinition[Field] | undefined },
  options: EditOptions,
): Promise<Done | Refused> {
  const found = await findPolicy(services, caller, id)
  if (!found.ok) return found
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return edit(services, caller, found.actor, changes, { type: 'UPDATE', changes }, options)
}

export async function addRules(
  services: Services,
  caller: Caller,
  id: string,
  given: readonly Json[],
  options: EditOptions,
): Promise<Done | Refused> {
  const found = await findPolicy(services, caller, id)
  if (!found.ok) return found
  const rules = checkedRules(services, given, 'rules')
  if ('refusal' in rules) return rules
  const next = { rules: [...policyContext(found.actor).definition.rules, ...rules] }
  return edit(services, caller, found.actor, next, { type: 'ADD_RULES', rules }, options)
}

export async function replaceRules(
  services: Services,
  caller: Caller,
  id: string,
  given: readonly Json[],
  options: EditOptions,
): Promise<Done | Refused> {
  const found = await findPolicy(services, caller, id)
  if (!found.ok) return found
  const rules = checkedRules(services, given, 'rules')
  if ('refusal' in rules) return rules
  return edit(services, caller, found.actor, { rules }, { type: 'REPLACE_RULES', rules }, options)
}

export async function editRule(
  services: Services,
  caller: Caller,
  id: string,
  ruleId: string,
  given: { [field: string]: Json | undefined },
  options: EditOptions,
): Promise<Done | Refused> {
  const found = await findPolicy(services, caller, id)
  if (!found.ok) return found
  const { rules } = policyContext(found.actor).definition
  const old = rules.find((rule) => rule.id === ruleId)
  if (!old) return refuse('NOT_FOUND', SAY.NOT_FOUND)
  const { id: _id, ...current } = old
  const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const checked = checkRule({ ...current, ...changed }, 'rule')
  if (!checked.ok) {
    const [first] = checked.details
    return refuse('VALIDATION_ERROR', first && `${first.path} ${first.message}`, { details: checked.details })
  }
  const rule = { id: ruleId, ...checked.rule }
  const next = { rules: rules.map((one) => (one.id === ruleId ? rule : one)) }
  return edit(services, caller, found.actor, next, { type: 'EDIT_RULE', rule }, options)
}

export async function removeRule(
  services: Services,
  caller: Caller,
  id: string,
  ruleId: string,
  options: EditOptions,
): Promise<Done | Refused> {
  const found = await findPolicy(services, caller, id)
  if (!found.ok) return found
  const { rules } = policyContext(found.actor).definition
  const next = { rules: rules.filter((rule) => rule.id !== ruleId) }
  return edit(services, caller, found.actor, next, { type: 'REMOVE_RULE', ruleId }, options)
}

export async function deletePolicy(services: Services, caller: Caller, id: string): Promise<Done | Refused> {
  const found = await findPolicy(services, caller, id)
  if (!found.ok) return found
  return outcome(await tell(services, caller, found.actor.ref, 'DELETE', editOf(caller, [])), SAY)
}

type Subjects = 'agents' | 'wallets'
const KINDS: Record<Subjects, string> = { agents: 'agent', wallets: 'wallet' }

/** Puts an agent or a wallet under a policy; again is the same. `existed` says that it was. */
export async function assign(
  services: Services,
  caller: Caller,
  policyId: string,
  to: Subjects,
  subjectId: string,
): Promise<(Done & { existed?: true }) | Refused> {
  const subject = await find(services, caller, KINDS[to], subjectId)
  if (!subject.ok) return subject
  const policy = await findPolicy(services, caller, policyId)
  if (!policy.ok) return policy
  if (policyContext(policy.actor)[to].some((one) => one.subjectId === subjectId)) return { ...policy, existed: true }
  const assignment = { id: newId(services.random), subjectId, at: services.now() }
  const reply = await tell(services, caller, policy.actor.ref, 'ASSIGN', { to, assignment })
  return outcome(reply, { INVALID_STATUS: 'A policy of scope organization applies to all agents already' })
}

export async function unassign(
  services: Services,
  caller: Caller,
  policyId: string,
  from: Subjects,
  subjectId: string,
): Promise<Done | Refused> {
  const subject = await find(services, caller, KINDS[from], subjectId)
  if (!subject.ok) return subject
  const policy = await findPolicy(services, caller, policyId)
  if (!policy.ok) return policy
  const reply = await tell(services, caller, policy.actor.ref, 'UNASSIGN', { from, subjectId })
  return outcome(reply, { NOT_FOUND: 'The policy is not assigned there' })
}

/** A policy as its chart keeps it. */
export function policyContext(actor: Actor): PolicyContext {
  return actor.context as unknown as PolicyContext
}

const hashes = new WeakMap<readonly PolicyRule[], string>()

/** The hash of a rule set by content; rule sets never change, so that it is computed once each. */
export function rulesHash(rules: readonly PolicyRule[]): string {
  const known = hashes.get(rules)
  if (known !== undefined) return known
  const hash = contentHash(rules as readonly Rule[])
  hashes.set(rules, hash)
  return hash
}
