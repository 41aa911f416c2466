// Concurrent changes by administrators never lead to a state for which either change alone would be refused.
import test from 'ava'
import { createPolicy, deletePolicy, findPolicy, updatePolicy } from '../../../src/commands/policies/policies.js'
import { rollBack } from '../../../src/commands/policies/versions.js'
import { done, newOrganization, openBare } from '../../support/commands.js'
import { wholeFile } from '../../support/process.js'
import { interrupted } from '../../support/interrupted.js'
import { startStage, type Policy, type Stage } from '../../support/policies.js'
import type { PolicyTests } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const MOST = (value: number) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })
const EMPTY = {
  name: 'A',
  policyType: 'SPEND_LIMIT',
  scope: 'assigned',
  priority: 50,
  isActive: true,
  rules: [],
} as const
const TIMES = 20
const many = <Made>(make: (index: number) => Promise<Made>): Promise<Made[]> =>
  Promise.all(Array.from({ length: TIMES }, (_, index) => make(index)))

test('a rollback is carried out only on the version that If-Match names', async (t) => {
  const bare = openBare(t)
  const { admin } = await newOrganization(bare)
  const actor = done(await createPolicy(bare.services, admin, EMPTY))
  const id = String(actor.context['id'])
  const meanwhile = () => updatePolicy(bare.services, admin, id, { name: 'B' }, {})
  const refused = await interrupted(bare.services, { before: 'policy ROLL_BACK' }, meanwhile, (services) =>
    rollBack(services, admin, id, 1, { note: 'Back', ifVersion: 1 }),
  )
  t.like(refused, { ok: false, refusal: { code: 'VERSION_CONFLICT' } })
  t.like(done(await findPolicy(bare.services, admin, id)).context, { version: 2, definition: { name: 'B' } })
})

test('a deletion is carried out only on the version that If-Match names', async (t) => {
  const bare = openBare(t)
  const { admin } = await newOrganization(bare)
  const actor = done(await createPolicy(bare.services, admin, EMPTY))
  const id = String(actor.context['id'])
  const meanwhile = () => updatePolicy(bare.services, admin, id, { name: 'B' }, {})
  const refused = await interrupted(bare.services, { before: 'policy DELETE' }, meanwhile, (services) =>
    deletePolicy(services, admin, id, { ifVersion: 1 }),
  )
  t.like(refused, { ok: false, refusal: { code: 'VERSION_CONFLICT' } })
  t.is(done(await findPolicy(bare.services, admin, id)).state, 'kept')
})

test('of a concurrent edit and tests that contradict it, only one is accepted', async (t) => {
  const tests = [{ name: 'ten', payment: { amount: 10 }, expect: 'APPROVED' }]
  await many(async (index) => {
    const path = `/api/policies/${(await stage.policy([MOST(10)])).id}`
    const edit = () => stage.admin('PUT', `${path}/rules`, { rules: [MOST(5)] })
    const keep = () => stage.admin('PUT', `${path}/tests`, tests)
    const both = index % 2 === 0 ? [edit(), keep()] : [keep(), edit()]
    const statuses = (await Promise.all(both)).map(({ status }) => status)
    t.deepEqual(statuses.toSorted(), [200, 409])
    const { tests: kept } = await stage.must<PolicyTests>('GET', `${path}/tests`)
    const [rule] = (await stage.must<Policy>('GET', path)).rules
    t.true(kept.length === 0 || rule!.value === 10)
  })
})

test('tests are stored only if the policy has the version that If-Match names', async (t) => {
  const { id } = await stage.policy([MOST(10)])
  const path = `/api/policies/${id}/tests`
  t.is((await stage.admin('PUT', path, [], { 'if-match': '2' })).status, 412)
  t.is((await stage.admin('PUT', path, [], { 'if-match': 'x' })).status, 400)
  t.is((await stage.admin('PUT', path, [], { 'if-match': '1' })).status, 200)
})

test('two concurrent changes of hours never leave a delegation without allowed hours', async (t) => {
  await many(async () => {
    const { agentId, walletId } = await stage.agent()
    const path = `/api/agents/${agentId}/wallets/${walletId}`
    const changes = [{ allowedHoursStart: 5 }, { allowedHoursEnd: 5 }]
    const answers = await Promise.all(changes.map((change) => stage.admin('PATCH', path, change)))
    t.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
    const refused = answers.find(({ status }) => status === 400)!
    t.like(refused.body, { code: 'VALIDATION_ERROR', details: [{ path: 'allowedHoursEnd' }] })
  })
})
