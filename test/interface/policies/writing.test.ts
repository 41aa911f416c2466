// Creating, reading, listing, changing and deleting policies, and the refusal of invalid input with its path.
import test from 'ava'
import type { Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { another, startStage, type Pagination, type Policy, type Stage } from '../../support/policies.js'
import type { PolicyList } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const MOST = (value: unknown) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })
const read = (id: string) => stage.must<Policy>('GET', `/api/policies/${id}`)
const create = (body: unknown) => stage.admin<Policy & Failure>('POST', '/api/policies', body)
const TYPES = ['SPEND_LIMIT', 'TIME_WINDOW', 'CATEGORY', 'VELOCITY', 'APPROVAL_THRESHOLD', 'COUNTERPARTY']
const MORE_TYPES = [
  'BUDGET_ALLOCATION',
  'WHITELIST',
  'EXPIRATION',
  'CONTRACT_ALLOWLIST',
  'BLACKOUT_PERIOD',
  'COMPOSITE',
]
const ID = /^c[a-z0-9]{24}$/

test.serial('a policy is created with its defaults, and read as it was created', async (t) => {
  for (const policyType of [...TYPES, ...MORE_TYPES]) {
    const name = another('Plain')
    const { status, body } = await create({ name, policyType })
    t.is(status, 201)
    const { id, contentHash, createdAt, updatedAt, ...rest } = body
    t.deepEqual(rest, {
      name,
      description: null,
      policyType,
      scope: 'assigned',
      priority: 50,
      isActive: true,
      version: 1,
      rules: [],
      assignments: { agents: [], wallets: [], cards: [] },
    })
    t.regex(id, ID)
    t.regex(contentHash, /^[0-9a-f]{64}$/)
    t.is(createdAt, updatedAt)
    t.deepEqual(await read(id), body)
  }
})

test.serial('a policy stores every field that it is created with', async (t) => {
  const given = {
    name: another('Full'),
    description: 'What it is for',
    policyType: 'SPEND_LIMIT',
    scope: 'organization',
    priority: 0,
    isActive: false,
    rules: [MOST(5), { ruleType: 'DAY_OF_WEEK', operator: 'IN_LIST', value: ['Mon'], action: 'DENY' }],
  }
  const { body } = await create(given)
  const { rules, ...metadata } = given
  t.like(body, metadata)
  t.deepEqual(
    body.rules.map(({ id: _id, ...rule }) => rule),
    [{ ...rules[0], action: 'ALLOW' }, rules[1]] as never,
  )
  body.rules.forEach(({ id }) => t.regex(id, ID))
  await stage.must('DELETE', `/api/policies/${body.id}`)
})

test.serial('the value of a rule may be a string that contains JSON', async (t) => {
  const written = [
    MOST('200'),
    { ruleType: 'ALLOWED_CATEGORIES', value: '["CLOUD","tools"]' },
    { ruleType: 'BUDGET_CAP', value: '{"amount":10,"period":"DAILY"}' },
    { ruleType: 'NEW_COUNTERPARTY', value: 'true' },
    { ruleType: 'COUNTERPARTY_STATUS', value: '"TRUSTED"' },
    { ruleType: 'ANY_OF', value: '[{"ruleType":"MAX_AMOUNT","operator":"LTE","value":"1"}]' },
  ]
  const plain = [
    MOST(200),
    { ruleType: 'ALLOWED_CATEGORIES', value: ['CLOUD', 'TOOLS'] },
    { ruleType: 'BUDGET_CAP', value: { amount: 10, period: 'DAILY' } },
    { ruleType: 'NEW_COUNTERPARTY', value: true },
    { ruleType: 'COUNTERPARTY_STATUS', value: 'TRUSTED' },
    { ruleType: 'ANY_OF', value: [MOST(1)] },
  ]
  const [one, other] = [await stage.policy(written), await stage.policy(plain)]
  t.deepEqual(
    one.rules.map(({ value }) => value),
    other.rules.map(({ value }) => value),
  )
  t.is(one.contentHash, other.contentHash)
})

test.serial('PATCH changes single fields of a policy, and never its type', async (t) => {
  const policy = await stage.policy([MOST(1)], { description: 'Before' })
  const path = `/api/policies/${policy.id}`
  const changes: Partial<Policy>[] = [
    { name: another('Renamed') },
    { description: null },
    { priority: 100 },
    { isActive: false },
    { scope: 'organization' },
  ]
  let expected: Partial<Policy> = { ...policy }
  for (const [index, change] of changes.entries()) {
    expected = { ...expected, ...change, version: index + 2 }
    const changed = await stage.must<Policy>('PATCH', path, change)
    t.deepEqual({ ...changed, updatedAt: '' }, { ...(expected as Policy), updatedAt: '' })
    t.deepEqual(await read(policy.id), changed)
  }
  const refused = await stage.admin<Failure>('PATCH', path, { policyType: 'CATEGORY' })
  t.like(refused, { status: 400, body: { code: 'VALIDATION_ERROR' } })
  t.is(refused.body.details![0]!.path, 'policyType')
  t.is((await read(policy.id)).policyType, 'COMPOSITE')
  await stage.must('DELETE', path)
})

test.serial('rules are added, replaced, edited and removed', async (t) => {
  const policy = await stage.policy([MOST(1)])
  const path = `/api/policies/${policy.id}/rules`
  const [first] = policy.rules
  const one = await stage.admin<Policy>('POST', path, MOST(2))
  t.is(one.status, 201)
  t.deepEqual(
    one.body.rules.map(({ value }) => value),
    [1, 2],
  )
  const two = await stage.admin<Policy>('POST', path, { rules: [MOST(3), MOST(4)] })
  t.is(two.status, 201)
  t.is(two.body.version, 3)
  t.deepEqual(
    two.body.rules.map(({ value }) => value),
    [1, 2, 3, 4],
  )
  const edited = await stage.must<Policy>('PATCH', `${path}/${first!.id}`, { operator: 'LT', value: 9 })
  t.deepEqual(edited.rules[0], { ...first!, operator: 'LT', value: 9 })
  const typed = await stage.must<Policy>('PATCH', `${path}/${first!.id}`, {
    ruleType: 'ALL_OF',
    operator: null,
    value: [MOST(7)],
  })
  t.like(typed.rules[0], { id: first!.id, ruleType: 'ALL_OF', operator: null })
  const fewer = await stage.must<Policy>('DELETE', `${path}/${first!.id}`)
  t.deepEqual(
    fewer.rules.map(({ value }) => value),
    [2, 3, 4],
  )
  t.deepEqual(await stage.must<Policy>('GET', path), fewer)
  const [second, third] = fewer.rules
  const replaced = await stage.must<Policy>('PUT', path, { rules: [third, MOST(8), { ...second, value: 6 }] })
  t.deepEqual(
    replaced.rules.map(({ value }) => value),
    [3, 8, 6],
  )
  t.deepEqual([replaced.rules[0]!.id, replaced.rules[2]!.id], [third!.id, second!.id])
  t.is(new Set(replaced.rules.map(({ id }) => id)).size, 3)
  const doubled = await stage.must<Policy>('PUT', path, { rules: [third, third, { ...MOST(1), id: 'mine' }] })
  t.is(new Set(doubled.rules.map(({ id }) => id)).size, 3)
  t.true(doubled.rules.every(({ id }) => ID.test(id)))
  t.deepEqual((await stage.must<Policy>('PUT', path, { rules: [] })).rules, [])
  for (const method of ['PATCH', 'DELETE']) {
    const gone = await stage.admin<Failure>(
      method,
      `${path}/${first!.id}`,
      method === 'PATCH' ? { value: 1 } : undefined,
    )
    t.like(gone, { status: 404, body: { code: 'NOT_FOUND' } })
  }
})

test.serial('If-Match permits an edit only of the version that it names', async (t) => {
  const policy = await stage.policy([MOST(1)])
  const path = `/api/policies/${policy.id}`
  const rule = `${path}/rules/${policy.rules[0]!.id}`
  const edits: [string, string, unknown][] = [
    ['PATCH', path, { priority: 1 }],
    ['PUT', `${path}/rules`, { rules: [{ ...MOST(2), id: policy.rules[0]!.id }] }],
    ['PATCH', rule, { value: 3 }],
  ]
  let version = 1
  for (const [method, at, body] of edits) {
    for (const stale of [version - 1, version + 1]) {
      const refused = await stage.admin<Failure>(method, at, body, { 'If-Match': String(stale) })
      t.like(refused, { status: 412, body: { code: 'VERSION_CONFLICT' } })
    }
    t.is((await read(policy.id)).version, version)
    // The first edit makes a version, and the others change nothing.
    for (const match of [String(version), `"${version + 1}"`, '*']) {
      t.is((await stage.admin(method, at, body, { 'If-Match': match })).status, 200, `${method} ${at} ${match}`)
    }
    version += 1
    const refused = await stage.admin<Failure>(method, at, body, { 'If-Match': 'latest' })
    t.like(refused, { status: 400, body: { code: 'VALIDATION_ERROR' } })
    t.is(refused.body.details![0]!.path, 'If-Match')
  }
  for (const [method, at, body] of [
    ['POST', `${path}/rules`, MOST(4)],
    ['DELETE', rule],
  ] as const) {
    const refused = await stage.admin<Failure>(method, at, body, { 'If-Match': String(version - 1) })
    t.like(refused, { status: 412, body: { code: 'VERSION_CONFLICT' } })
  }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      stage.admin('PATCH', path, { priority: index + 2 }, { 'If-Match': String(version) }),
    ),
  )
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(19).fill(412)])
})

test.serial('If-Match permits the deletion only of the version that it names', async (t) => {
  const { id } = await stage.policy([])
  const path = `/api/policies/${id}`
  await stage.must('PATCH', path, { priority: 1 })
  const remove = (match: string) => stage.admin<Failure>('DELETE', path, undefined, { 'If-Match': match })
  t.like(await remove('1'), { status: 412, body: { code: 'VERSION_CONFLICT' } })
  t.like(await remove('latest'), { status: 400, body: { code: 'VALIDATION_ERROR' } })
  t.is((await read(id)).version, 2)
  t.is((await remove('2')).status, 200)
  const other = await stage.policy([])
  t.is((await stage.admin('DELETE', `/api/policies/${other.id}`, undefined, { 'If-Match': '*' })).status, 200)
})

test.serial('a deleted policy is gone from reads and lists', async (t) => {
  const policy = await stage.policy([])
  const path = `/api/policies/${policy.id}`
  t.deepEqual(await stage.must('DELETE', path), { success: true })
  for (const [method, at, body] of [
    ['GET', path],
    ['DELETE', path],
    ['PATCH', path, { priority: 1 }],
    ['GET', `${path}/rules`],
    ['POST', `${path}/rules`, MOST(1)],
    ['PUT', `${path}/rules`, { rules: [] }],
    ['GET', `${path}/tests`],
    ['GET', `${path}?format=json-rules-engine`],
  ] as const) {
    const answer = await stage.admin<Failure>(method, at, body)
    t.like(answer, { status: 404, body: { code: 'NOT_FOUND' } }, `${method} ${at}`)
  }
  const { policies } = await stage.must<PolicyList>('GET', '/api/policies?limit=100')
  t.false(policies.some(({ id }) => id === policy.id))
})

test.serial('the list filters by type and isActive, and pages by cursor and by offset', async (t) => {
  const other = await startStage(t)
  const made: Policy[] = []
  for (let index = 0; index < 12; index += 1) {
    made.push(
      await other.policy([], { policyType: index % 3 === 0 ? 'VELOCITY' : 'CATEGORY', isActive: index % 2 === 0 }),
    )
  }
  interface List {
    policies: Policy[]
    pagination: Pagination
  }
  const list = (query: string) => other.must<List>('GET', `/api/policies?${query}`)
  const newest = [...made].reverse()
  const filters: [string, (policy: Policy) => boolean][] = [
    ['', () => true],
    ['isActive=true', ({ isActive }) => isActive],
    ['isActive=false', ({ isActive }) => !isActive],
    ['policyType=VELOCITY', ({ policyType }) => policyType === 'VELOCITY'],
    ['policyType=CATEGORY&isActive=true', ({ policyType, isActive }) => policyType === 'CATEGORY' && isActive],
    ['policyType=WHITELIST', () => false],
  ]
  for (const [filter, keeps] of filters) {
    const expected = newest.filter(keeps)
    t.deepEqual((await list(filter)).policies, expected, filter)
    for (const limit of [1, 2, 5]) {
      const found: Policy[] = []
      let cursor: string | undefined = ''
      while (cursor !== undefined) {
        const { policies, pagination }: List = await list(`${filter}&limit=${limit}${cursor && `&cursor=${cursor}`}`)
        t.is(pagination.total, expected.length)
        found.push(...policies)
        cursor = pagination.nextCursor
      }
      t.deepEqual(found, expected)
      const second = await list(`${filter}&limit=${limit}&offset=${limit}`)
      t.deepEqual(second.policies, expected.slice(limit, 2 * limit))
      t.is(second.pagination.hasMore, expected.length > 2 * limit)
    }
  }
  for (const bad of [
    'limit=0',
    'limit=101',
    'offset=-1',
    'isActive=yes',
    'policyType=NONE',
    'cursor=x',
    'status=1',
    'limit=1&limit=2',
  ]) {
    t.like(
      await other.admin<Failure>('GET', `/api/policies?${bad}`),
      { status: 400, body: { code: 'VALIDATION_ERROR' } },
      bad,
    )
  }
})

test.serial('an invalid policy is refused with the path of the error', async (t) => {
  const base = { name: 'Wrong', policyType: 'CATEGORY' }
  const cases: [object, string][] = [
    [{ policyType: 'CATEGORY' }, 'name'],
    [{ name: 'Wrong' }, 'policyType'],
    [{ ...base, name: '' }, 'name'],
    [{ ...base, name: 'x'.repeat(101) }, 'name'],
    [{ ...base, name: 'a\u0000b' }, 'name'],
    [{ ...base, policyType: 'category' }, 'policyType'],
    [{ ...base, description: 'x'.repeat(501) }, 'description'],
    [{ ...base, scope: 'everybody' }, 'scope'],
    [{ ...base, priority: 101 }, 'priority'],
    [{ ...base, priority: -1 }, 'priority'],
    [{ ...base, priority: 1.5 }, 'priority'],
    [{ ...base, priority: '5' }, 'priority'],
    [{ ...base, isActive: 'yes' }, 'isActive'],
    [{ ...base, rules: {} }, 'rules'],
    [{ ...base, version: 4 }, 'version'],
    [{ ...base, id: 'c'.repeat(25) }, 'id'],
    [{ ...base, rules: [{ ...MOST(1), action: 'DENY' }] }, 'rules.0.action'],
  ]
  const malformed: [object, string, string][] = [
    [{ ...base, rules: [MOST(1), MOST(-1)] }, 'rules.1.value', 'INVALID_AMOUNT'],
    [
      { ...base, rules: [{ ruleType: 'ALLOWED_COUNTERPARTIES', operator: 'IN_LIST', value: ['0x12'] }] },
      'rules.0.value.0',
      'INVALID_ADDRESS',
    ],
  ]
  for (const [body, path, code = 'VALIDATION_ERROR'] of [...cases, ...malformed]) {
    const answer = await create(body)
    t.like(answer, { status: 400, body: { code } }, JSON.stringify(body).slice(0, 200))
    t.is(answer.body.details![0]!.path, path)
    t.truthy(answer.body.details![0]!.message)
  }
  t.like(await create(undefined), { status: 400, body: { code: 'INVALID_JSON' } })
  t.like(await create('{'), { status: 400, body: { code: 'INVALID_JSON' } })
})

test.serial('all errors in a list of rules are reported at once, each with its path', async (t) => {
  const rules = [MOST('x'), MOST(1), { ruleType: 'NONE' }, { ruleType: 'ALLOWED_CATEGORIES', value: [] }]
  const { body } = await create({ name: 'Wrong', policyType: 'CATEGORY', rules })
  t.deepEqual(
    body.details!.map(({ path }) => path),
    ['rules.0.value', 'rules.2.ruleType', 'rules.3.value'],
  )
  const policy = await stage.policy([MOST(1)])
  const path = `/api/policies/${policy.id}/rules`
  const single = await stage.admin<Failure>('POST', path, MOST('x'))
  t.is(single.body.details![0]!.path, 'value')
  const edited = await stage.admin<Failure>('PATCH', `${path}/${policy.rules[0]!.id}`, { value: 'x' })
  t.is(edited.body.details![0]!.path, 'value')
  for (const wrong of [{ rules: [] }, { rules: MOST(1) }, { rules: [MOST(1)], ...MOST(1) }]) {
    const answer = await stage.admin<Failure>('POST', path, wrong)
    t.like(answer, { status: 400, body: { code: 'VALIDATION_ERROR' } })
    t.is(answer.body.details![0]!.path, 'rules')
  }
  t.is((await read(policy.id)).version, 1)
})

test.serial('an invalid rule is refused before its policy is looked up', async (t) => {
  const path = `/api/policies/c${'0'.repeat(24)}`
  const NOPE = { ruleType: 'NOPE', value: 1 }
  const tries: [method: string, path: string, wrong: unknown, at: string, right: unknown][] = [
    ['POST', `${path}/rules`, NOPE, 'ruleType', MOST(1)],
    ['POST', `${path}/rules`, { rules: [NOPE] }, 'rules.0.ruleType', { rules: [MOST(1)] }],
    ['PUT', `${path}/rules`, { rules: [NOPE] }, 'rules.0.ruleType', { rules: [MOST(1)] }],
    ['PATCH', `${path}/rules/1`, { ruleType: 'NOPE' }, 'ruleType', { ruleType: 'MAX_AMOUNT' }],
    ['PATCH', `${path}/rules/1`, { operator: 'NOPE' }, 'operator', { operator: null }],
    ['PATCH', `${path}/rules/1`, { action: 'NOPE' }, 'action', { action: null }],
    ['POST', `${path}/impact`, { rules: [NOPE] }, 'rules.0.ruleType', { rules: [MOST(1)] }],
  ]
  for (const [method, to, wrong, at, right] of tries) {
    const refused = await stage.admin<Failure>(method, to, wrong)
    t.like(refused, { status: 400, body: { code: 'VALIDATION_ERROR' } }, `${method} ${to}`)
    t.is(refused.body.details![0]!.path, at)
    const missing = await stage.admin<Failure>(method, to, right)
    t.like(missing, { status: 404, body: { code: 'NOT_FOUND' } }, `${method} ${to}`)
  }
})

test.serial('editing a rule with action null restores the default action of its type', async (t) => {
  const days = { ruleType: 'DAY_OF_WEEK', operator: 'IN_LIST', value: ['Mon'], action: 'DENY' }
  const { id, rules } = await stage.policy([days])
  const path = `/api/policies/${id}/rules/${rules[0]!.id}`
  t.is((await stage.must<Policy>('PATCH', path, { action: null })).rules[0]!.action, 'ALLOW')
  const other = { ruleType: 'NEW_COUNTERPARTY', operator: null, value: true }
  t.is((await stage.must<Policy>('PATCH', path, { ...other, action: null })).rules[0]!.action, 'REQUIRE_APPROVAL')
})

const categories = (count: number) => Array.from({ length: count }, (_, index) => `CATEGORY ${index}`)
const nested = (depth: number): unknown =>
  depth === 0 ? MOST(1) : { ruleType: depth % 2 === 0 ? 'ANY_OF' : 'ALL_OF', value: [nested(depth - 1)] }

test.serial('a policy has up to 100 rules, a list up to 1,000 entries, and conditions nest up to 5 deep', async (t) => {
  const hundred = Array.from({ length: 100 }, (_, index) => MOST(index))
  const full = await stage.policy(hundred)
  const path = `/api/policies/${full.id}/rules`
  const tooMany: [string, string, unknown][] = [
    ['POST', '/api/policies', { name: 'Much', policyType: 'CATEGORY', rules: [...hundred, MOST(1)] }],
    ['PUT', path, { rules: [...hundred, MOST(1)] }],
    ['POST', path, MOST(1)],
    ['POST', path, { rules: [MOST(1)] }],
    ['POST', path, { rules: [...hundred, MOST(1)] }],
  ]
  for (const [method, at, body] of tooMany) {
    const answer = await stage.admin<Failure>(method, at, body)
    t.like(answer, { status: 400, body: { code: 'VALIDATION_ERROR' } }, `${method} ${at}`)
    t.true(answer.body.details!.length > 0)
  }
  t.is((await stage.policy([{ ruleType: 'ALLOWED_CATEGORIES', value: categories(1000) }])).rules.length, 1)
  const long = await create({
    name: 'Long',
    policyType: 'CATEGORY',
    rules: [{ ruleType: 'ALLOWED_CATEGORIES', value: categories(1001) }],
  })
  t.is(long.body.details![0]!.path, 'rules.0.value')
  t.is((await stage.policy([nested(5)])).rules.length, 1)
  for (const depth of [6, 12, 20]) {
    const deep = await create({ name: 'Deep', policyType: 'CATEGORY', rules: [nested(depth)] })
    t.is(deep.status, 400, `${depth} deep`)
  }
})

test.serial('30 concurrent additions never give a policy more than 100 rules', async (t) => {
  const { id } = await stage.policy(Array.from({ length: 90 }, (_, index) => MOST(index)))
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => stage.admin('POST', `/api/policies/${id}/rules`, MOST(1))),
  )
  t.is(answers.filter(({ status }) => status === 201).length, 10)
  t.is(answers.filter(({ status }) => status === 400).length, 20)
  t.like(await read(id), { version: 11, rules: { length: 100 } })
})

test.serial('concurrent additions never give a policy more than 2,000 conditions', async (t) => {
  const { id } = await stage.policy([])
  const large = { ruleType: 'ALL_OF', value: Array.from({ length: 1_000 }, (_, index) => MOST(index)) }
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => stage.admin('POST', `/api/policies/${id}/rules`, large)),
  )
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 400, 400])
  t.like(await read(id), { rules: { length: 2 } })
})

test.serial('the same idempotency key creates one policy, and the answer contains no secret', async (t) => {
  const body = { name: another('Once'), policyType: 'CATEGORY', agentIds: [(await stage.agent()).agentId] }
  const send = () => stage.client.post<Policy>('/api/policies', ORGANIZATION_KEY, body, { 'Idempotency-Key': 'once' })
  const [first, again] = [await send(), await send()]
  t.is(first.status, 201)
  t.deepEqual(again.body, first.body)
  t.is(again.headers['idempotency-replayed'], 'true')
  t.notRegex(JSON.stringify(first.body), /service_|whsec_/)
})
