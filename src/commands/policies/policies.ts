// Commands on policies. Rules are checked here before they reach the policy; the policy itself numbers its versions and
// refuses edits that would break its history.
import { checkRule, checkRules, checkTogether, sharesBudget, type RuleContent } from '../../../rules/rule.js'
import type { Actor } from '../../actor/actor.js'
import type { Json } from '../../domain/values/canonical.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import { newId } from '../../domain/values/ids.js'
import {
  isSameDefinition,
  MAX_RULES,
  POLICY_SUBJECTS,
  type PolicyAssignment,
  type PolicyDefinition,
  type PolicyRule,
  type PolicyScope,
  type PolicyType,
} from '../../domain/parties/policy.js'
import type { Code } from '../../domain/outcomes/codes.js'
import { refuse, refuseField, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import { find, newIdFor, outcome, send, sendIf, type Sent } from '../send.js'
import { fullPlace, type PolicyPlace } from './room.js'
import { rulesHash } from '../payments/policySnapshot.js'
import { failingTests, type FailingTest } from './tests.js'
import type { Caller, Services } from '../ports.js'

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

export interface EditOptions {
  /** Refused unless this is the current version. */
  ifVersion?: number | undefined
  /** Carry the edit out even where the policy's own tests fail under it. */
  force?: boolean | undefined
}

const SAY = {
  VERSION_CONFLICT: 'The policy has another version by now: read it and apply the change to that',
  POLICY_HAS_ASSIGNMENTS: "Remove the policy's assignments first",
  NOT_FOUND: 'The policy has no such rule',
}
const TOO_MANY = `must leave the policy at most ${MAX_RULES} rules`

/** Rules that are valid by themselves, before the policy they are for is read. */
export interface ReadRules {
  given: readonly Json[]
  /** Path of the list in the body; empty when the body is a single rule. */
  path: string
  rules: readonly RuleContent[]
}

export async function readRules(
  services: Services,
  given: readonly Json[],
  path: string,
): Promise<Result<ReadRules, 'INVALID_ADDRESS' | 'INVALID_AMOUNT' | 'VALIDATION_ERROR'>> {
  await services.breathe()
  if (path !== '') {
    const rules = checkRules(given, path)
    return rules.ok ? succeed({ given, path, rules: rules.value }) : rules
  }
  const rule = checkRule(given[0], path)
  return rule.ok ? succeed({ given, path, rules: [rule.value] }) : rule
}

/** Checks them together with the rules that stay, and gives each an id; one that names a rule of the policy keeps its id. */
export async function joinRules(
  services: Services,
  { given, path, rules: read }: ReadRules,
  { staying = [], replaced = [] }: { staying?: readonly PolicyRule[]; replaced?: readonly PolicyRule[] } = {},
): Promise<Result<PolicyRule[], 'VALIDATION_ERROR'>> {
  if (staying.length + given.length > MAX_RULES) return refuseField(path, TOO_MANY)
  const together = checkTogether([...staying, ...read], 'rules')
  if (together) return together
  const free = new Set(replaced.map(({ id }) => id))
  const kept = (input: Json | undefined): string | undefined => {
    const id = (input as { id?: unknown }).id
    return typeof id === 'string' && free.delete(id) ? id : undefined
  }
  const rules = read.map((rule, at) => ({ id: kept(given[at]) ?? newId(services.random), ...rule }))
  await services.breathe()
  // Computes the hash ahead, between two yields: the answer shows it and is built without yielding.
  rulesHash(rules)
  await services.breathe()
  return succeed(rules)
}

/** The fields that every edit carries besides its changes. */
function editOf({ principal }: Caller, rules: readonly PolicyRule[]) {
  const { type, id, name } = principal
  return { by: { type, id, name }, budgeted: sharesBudget(rules) }
}

/** What a policy that does not exist yet would say. */
export function definitionOf(given: NewPolicy, rules: PolicyRule[]): PolicyDefinition {
  const { name, policyType, scope, priority, isActive } = given
  return { name, description: given.description ?? null, policyType, scope, priority, isActive, rules }
}

/** Agents that are not there, or that a policy of all need not name. */
export async function wrongSubjects(
  services: Services,
  caller: Caller,
  { scope, agentIds = [] }: Pick<NewPolicy, 'scope' | 'agentIds'>,
): Promise<Refused<'NOT_FOUND' | 'VALIDATION_ERROR'> | undefined> {
  for (const agentId of agentIds) {
    const agent = await find(services, caller, 'agent', agentId)
    if (!agent.ok) return agent
  }
  if (scope !== 'organization' || agentIds.length === 0) return undefined
  return refuseField('agentIds', 'must be left out: a policy of scope organization applies to all')
}

export async function createPolicy(
  services: Services,
  caller: Caller,
  given: NewPolicy,
): Promise<
  Result<Actor<'policy'>, 'INVALID_ADDRESS' | 'INVALID_AMOUNT' | 'LIMIT_REACHED' | 'NOT_FOUND' | 'VALIDATION_ERROR'>
> {
  const read = await readRules(services, given.rules, 'rules')
  if (!read.ok) return read
  const rules = await joinRules(services, read.value)
  if (!rules.ok) return rules
  const agentIds = given.agentIds ?? []
  const wrong = await wrongSubjects(services, caller, given)
  if (wrong) return wrong
  const { scope } = given
  const id = newIdFor(services, caller)
  const at = services.now()
  const definition = definitionOf(given, rules.value)
  const agents = agentIds.map((subjectId): PolicyAssignment => ({ id: newId(services.random), subjectId, at }))
  const created = { id, definition, agents, order: services.nextOrder(), ...editOf(caller, definition.rules) }
  const places = scope === 'organization' ? [ofOrganization(caller)] : agentIds.map((agentId) => ofAgent(agentId))
  return createWithRoom(services, caller, places, created)
}

const ofOrganization = ({ principal }: Caller): PolicyPlace => ({ of: 'organization', id: principal.organization })
const ofAgent = (id: string): PolicyPlace => ({ of: 'agents', id })

/** While there is room in all of these places, also among those that others make at once. */
async function createWithRoom(
  services: Services,
  caller: Caller,
  places: readonly PolicyPlace[],
  created: { id: string },
): Promise<Result<Actor<'policy'>, 'LIMIT_REACHED'>> {
  let full: Refused<'LIMIT_REACHED'> | undefined
  const hasRoom = (): boolean => (full = fullPlace(services, places)) === undefined
  const reply = await sendIf(services, caller, hasRoom, `policy/${created.id}`, 'CREATE', created)
  return reply ? outcome(reply) : full!
}

export function findPolicy(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'policy'>, 'NOT_FOUND'>> {
  return find(services, caller, 'policy', id)
}

/** The next definition of a policy, and the command that leads to it. */
interface Plan {
  next: Partial<PolicyDefinition>
  type: string
  fields: { [field: string]: unknown }
  /** The plan builds on the current definition and must not be carried out on any other. */
  merges?: true
}

/** With which an edit is refused, whatever it changes. */
type EditCode = 'INVALID_STATUS' | 'NOT_FOUND' | 'POLICY_TESTS_FAILED' | 'VALIDATION_ERROR' | 'VERSION_CONFLICT'

/** With which an edit is refused where it may change the scope. */
export type ScopeCode = 'LIMIT_REACHED' | 'POLICY_HAS_ASSIGNMENTS'

/** With which an edit is refused that is given rules. */
type RulesCode = EditCode | 'INVALID_ADDRESS' | 'INVALID_AMOUNT'

/**
 * Carries out a plan, unless the policy's own tests fail under it. A plan bound to the version or the tests is made
 * again when another edit comes first. `C` are the codes of the plan, and `ScopeCode` where it may change the scope.
 */
export async function edit<C extends Code>(
  services: Services,
  caller: Caller,
  id: string,
  plan: (definition: PolicyDefinition) => Result<Plan, C> | Promise<Result<Plan, C>>,
  options: EditOptions,
): Promise<Result<Actor<'policy'>, C | EditCode>> {
  for (;;) {
    const found = await findPolicy(services, caller, id)
    if (!found.ok) return found
    const { definition, version, tests, testsVersion } = found.value.context
    const outdated = outdatedBy(options, version)
    if (outdated) return outdated
    const made = await plan(definition)
    if (!made.ok) return made
    const planned = made.value
    const next = { ...definition, ...planned.next }
    const failing = isSameDefinition(next, definition) ? [] : await failingTests(services, found.value, next)
    if (failing.length > 0 && options.force !== true) return testsFail(failing)
    const isBound = planned.merges === true || tests.length > 0 || options.ifVersion !== undefined
    const seen = { ifTestsVersion: testsVersion, ...(isBound && { ifVersion: version }) }
    const covers = next.scope === 'organization' && definition.scope !== 'organization'
    const gone = covers ? await goneSubjects(services, caller, found.value) : []
    const edited = { ...editOf(caller, next.rules), ...seen, gone }
    const fields = { ...planned.fields, ...forcedNote(planned, failing), ...edited }
    let full: Refused<C> | undefined
    const placed = (): boolean => (full = fullPlace(services, [ofOrganization(caller)]) as typeof full) === undefined
    const hasRoom = (): boolean => !covers || placed()
    const reply = await sendIf(services, caller, hasRoom, found.value.ref, planned.type, fields)
    if (!reply) return full!
    if (!isOvertaken(reply)) return policyOutcome<C | EditCode>(reply, id)
  }
}

export function outdatedBy({ ifVersion }: EditOptions, version: number): Refused<'VERSION_CONFLICT'> | undefined {
  if (ifVersion === undefined || ifVersion === version) return undefined
  return refuse('VERSION_CONFLICT', SAY.VERSION_CONFLICT)
}

/** The policy has changed since the command was planned; plan it again. */
export function isOvertaken(reply: Sent): boolean {
  return !reply.ok && reply.code === 'VERSION_CONFLICT'
}

function testsFail(failing: readonly FailingTest[]): Refused<'POLICY_TESTS_FAILED'> {
  const details = failing.map(({ name, message }) => ({ path: name, message }))
  return refuse('POLICY_TESTS_FAILED', `${failing.length} of the policy's tests would fail`, { details })
}

/** A note for the version that names the failing tests it was forced past. */
function forcedNote({ fields }: Plan, failing: readonly FailingTest[]): { note?: string } {
  if (failing.length === 0) return {}
  const names = failing.slice(0, MAX_NAMED).map(({ name }) => name)
  const more = failing.length > MAX_NAMED ? ' and more' : ''
  const forced = `forced past ${failing.length} failing tests: ${names.join(', ')}${more}`
  return { note: fields['note'] === undefined ? forced : `${String(fields['note'])} (${forced})` }
}

const MAX_NAMED = 5

/** A policy deleted meanwhile answers NOT_FOUND. */
export function policyOutcome<C extends Code>(
  reply: Sent<'policy'>,
  id: string,
  say: Partial<Record<string, string>> = SAY,
): Result<Actor<'policy'>, C | 'NOT_FOUND'> {
  if (!reply.ok && reply.actor.state === 'deleted') return refuse('NOT_FOUND', `There is no policy ${id}`)
  return outcome(reply, say)
}

export function updatePolicy(
  services: Services,
  caller: Caller,
  id: string,
  given: { [Field in keyof PolicyDefinition]?: PolicyDefinition[Field] | undefined },
  options: EditOptions,
): Promise<Result<Actor<'policy'>, EditCode | ScopeCode>> {
  const changes = omitUndefined(given)
  const plan = succeed({ next: changes, type: 'UPDATE', fields: { changes } })
  return edit<ScopeCode>(services, caller, id, () => plan, options)
}

/** `path` is where the rules stand in the body. */
export async function addRules(
  services: Services,
  caller: Caller,
  id: string,
  { given, path }: { given: readonly Json[]; path: string },
  options: EditOptions,
): Promise<Result<Actor<'policy'>, RulesCode>> {
  const read = await readRules(services, given, path)
  if (!read.ok) return read
  const plan = async ({ rules: staying }: PolicyDefinition): Promise<Result<Plan, 'VALIDATION_ERROR'>> => {
    const joined = await joinRules(services, read.value, { staying })
    if (!joined.ok) return joined
    const rules = joined.value
    return succeed({ next: { rules: [...staying, ...rules] }, type: 'ADD_RULES', fields: { rules }, merges: true })
  }
  return edit(services, caller, id, plan, options)
}

export async function replaceRules(
  services: Services,
  caller: Caller,
  id: string,
  given: readonly Json[],
  options: EditOptions,
): Promise<Result<Actor<'policy'>, RulesCode>> {
  const read = await readRules(services, given, 'rules')
  if (!read.ok) return read
  const plan = async ({ rules: replaced }: PolicyDefinition): Promise<Result<Plan, 'VALIDATION_ERROR'>> => {
    const joined = await joinRules(services, read.value, { replaced })
    if (!joined.ok) return joined
    const rules = joined.value
    return succeed({ next: { rules }, type: 'REPLACE_RULES', fields: { rules } })
  }
  return edit(services, caller, id, plan, options)
}

export function editRule(
  services: Services,
  caller: Caller,
  id: string,
  ruleId: string,
  given: { [field: string]: Json | undefined },
  options: EditOptions,
): Promise<Result<Actor<'policy'>, RulesCode>> {
  const { action, ...rest } = omitUndefined(given)
  // Without one, the rule has the action that is its type's.
  const changed = { ...rest, ...(action !== undefined && { action: action ?? undefined }) }
  const plan = ({ rules }: PolicyDefinition): Result<Plan, RulesCode> => {
    const old = rules.find((rule) => rule.id === ruleId)
    if (!old) return refuse('NOT_FOUND', SAY.NOT_FOUND)
    const checked = checkRule({ ...old, ...changed }, '')
    if (!checked.ok) return checked
    const rule = { id: ruleId, ...checked.value }
    const next = rules.map((one) => (one.id === ruleId ? rule : one))
    const together = checkTogether(next, '')
    if (together) return together
    return succeed({ next: { rules: next }, type: 'EDIT_RULE', fields: { rule }, merges: true })
  }
  return edit(services, caller, id, plan, options)
}

export function removeRule(
  services: Services,
  caller: Caller,
  id: string,
  ruleId: string,
  options: EditOptions,
): Promise<Result<Actor<'policy'>, EditCode>> {
  const plan = ({ rules }: PolicyDefinition): Result<Plan, never> =>
    succeed({
      next: { rules: rules.filter((rule) => rule.id !== ruleId) },
      type: 'REMOVE_RULE',
      fields: { ruleId },
    })
  return edit(services, caller, id, plan, options)
}

export async function deletePolicy(
  services: Services,
  caller: Caller,
  id: string,
  { ifVersion }: Pick<EditOptions, 'ifVersion'>,
): Promise<Result<Actor<'policy'>, 'INVALID_STATUS' | 'NOT_FOUND' | 'POLICY_HAS_ASSIGNMENTS' | 'VERSION_CONFLICT'>> {
  const found = await findPolicy(services, caller, id)
  if (!found.ok) return found
  const gone = await goneSubjects(services, caller, found.value)
  const fields = { gone, ...editOf(caller, []), ...(ifVersion !== undefined && { ifVersion }) }
  return policyOutcome(await send(services, caller, found.value.ref, 'DELETE', fields), id)
}

export const KINDS = { agents: 'agent', wallets: 'wallet', cards: 'card' } as const

/** The ids of the assigned agents and wallets that are deleted. */
async function goneSubjects(services: Services, caller: Caller, policy: Actor<'policy'>): Promise<string[]> {
  const gone: string[] = []
  for (const from of POLICY_SUBJECTS) {
    for (const { subjectId } of policy.context[from] ?? []) {
      const subject = await find(services, caller, KINDS[from], subjectId)
      if (!subject.ok) gone.push(subjectId)
    }
  }
  return gone
}
