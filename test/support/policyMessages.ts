// The messages that the walk sends to a policy: every edit, accepted and refused, and the assignments that prevent
// some.
import type { Message } from '../../src/actor/actor.js'
import type { PolicyDefinition, PolicyRule } from '../../src/domain/parties/policy.js'
import { message } from './gateMessages.js'
import { fieldsIn, type World } from './walk.js'

const by = { type: 'USER', id: 'u1', name: 'Ada' }

const ruleOf = (id: string, limit: number): PolicyRule => ({
  id,
  ruleType: 'DAILY_LIMIT',
  operator: 'LTE',
  value: limit,
  action: 'ALLOW',
})
const TOO_MANY = Array.from({ length: 101 }, (_, index) => ruleOf(`r${index}`, index))

const definition: PolicyDefinition = {
  name: 'Limits',
  description: null,
  policyType: 'SPEND_LIMIT',
  scope: 'assigned',
  priority: 50,
  isActive: true,
  rules: [ruleOf('r1', 100)],
}

const edit = (type: string, fields: object): Message => message(type, { by, ...fields })

const edits: Message[] = [
  edit('UPDATE', { changes: { name: 'Other limits' } }),
  edit('UPDATE', { changes: { scope: 'organization' } }),
  edit('ADD_RULES', { rules: [ruleOf('r2', 200)], budgeted: true }),
  edit('REPLACE_RULES', { rules: [ruleOf('r3', 300)], ifVersion: 1 }),
  edit('EDIT_RULE', { rule: ruleOf('r1', 400), note: 'More' }),
  edit('REMOVE_RULE', { ruleId: 'r1' }),
  edit('REPLACE_RULES', { rules: [ruleOf('r1', 100)] }),
  edit('EDIT_RULE', { rule: ruleOf('r1', 100) }),
  edit('ROLL_BACK', { definition: { ...definition, policyType: 'COMPOSITE' } }),
  edit('ROLL_BACK', { definition: { ...definition, scope: 'organization' } }),
]

const refused: Message[] = [
  edit('UPDATE', { changes: { name: 'Lost' }, ifVersion: 9 }),
  edit('ADD_RULES', { rules: [ruleOf('r2', 200)], ifVersion: 9 }),
  edit('REPLACE_RULES', { rules: [], ifVersion: 9 }),
  edit('EDIT_RULE', { rule: ruleOf('r1', 400), ifVersion: 9 }),
  edit('REMOVE_RULE', { ruleId: 'r1', ifVersion: 9 }),
  edit('ROLL_BACK', { definition, ifVersion: 9 }),
  edit('DELETE', { ifVersion: 9 }),
  edit('UPDATE', { changes: { name: 'Lost' }, ifTestsVersion: 9 }),
  message('TEST', { tests: [], ifVersion: 9 }),
  edit('ADD_RULES', { rules: TOO_MANY }),
  edit('REPLACE_RULES', { rules: TOO_MANY }),
  edit('EDIT_RULE', { rule: ruleOf('r9', 400) }),
  edit('REMOVE_RULE', { ruleId: 'r9' }),
]

const assign = (to: string, subjectId: string): Message =>
  message('ASSIGN', { to, assignment: { id: `${subjectId}.y1`, subjectId, at: 1 } })

const always: Message[] = [
  edit('CREATE', { id: 'y1', order: 1, definition, agents: [] }),
  edit('DELETE', { gone: ['a1'] }),
  ...refused,
  message('UNASSIGN', { from: 'agents', subjectId: 'a1' }),
  message('UNASSIGN', { from: 'wallets', subjectId: 'w1' }),
]

const assignments = [assign('agents', 'a1'), assign('wallets', 'w1')]

/**
 * Versions and joins have no upper bound: three edits in a row are enough to reach every definition here with a
 * history, and three joins every combination of assignments. The tests are replaced once.
 */
export function policyMessages({ actor }: World): Message[] {
  const { version = 0, testsVersion = 0, joins = 0 } = fieldsIn(actor)
  const tests = testsVersion === 0 ? [message('TEST', { tests: [] })] : []
  const some = [...always, ...(Number(joins) < 3 ? assignments : [])]
  return Number(version) < 4 ? [...some, ...tests, ...edits] : some
}
