// The history of a policy: each change is one version, numbered without gaps, immutable and readable for ever.
import test from 'ava'
import type { Failure } from '../../support/client.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { OPERATOR_KEY } from '../../support/service.js'
import { startStage, type Policy, type Rule, type Stage, type Version } from '../../support/policies.js'
import type { VersionDiff as Diff, VersionList } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: Stage
test.before('the service runs', async () => {
  stage = await startStage(scope)
})

const MOST = (value: number) => ({ ruleType: 'MAX_AMOUNT', operator: 'LTE', value })
const CATEGORIES = (...value: string[]) => ({ ruleType: 'ALLOWED_CATEGORIES', value })

const list = (id: string, query = 'limit=100') =>
  stage.must<VersionList>('GET', `/api/policies/${id}/versions?${query}`)
const version = (id: string, number: number) => stage.must<Version>('GET', `/api/policies/${id}/versions/${number}`)
const compare = async (id: string, from: number, to: number) =>
  (await stage.must<Diff>('GET', `/api/policies/${id}/versions/compare?from=${from}&to=${to}`)).diff
const read = (id: string) => stage.must<Policy>('GET', `/api/policies/${id}`)
const rollBack = (id: string, number: number, body: unknown = { note: 'Back' }) =>
  stage.admin<Policy & Failure>('POST', `/api/policies/${id}/versions/${number}/rollback`, body)

/** A policy with a version of every kind, and its state after each. */
async function withHistory(): Promise<{ policy: Policy; states: Policy[] }> {
  const first = await stage.policy([MOST(100), CATEGORIES('CLOUD')], { description: 'First', priority: 10 })
  const path = `/api/policies/${first.id}`
  const states = [first]
  const change = async (method: string, at: string, body?: unknown): Promise<void> =>
    void states.push(await stage.must<Policy>(method, `${path}${at}`, body))
  await change('PATCH', '', { name: `${first.name}, renamed`, description: null, priority: 20 })
  await change('POST', '/rules', MOST(50))
  await change('PATCH', `/rules/${first.rules[0]!.id}`, { value: 90 })
  await change('DELETE', `/rules/${first.rules[1]!.id}`)
  await change('PUT', '/rules', { rules: [CATEGORIES('TOOLS')] })
  await change('POST', '/versions/1/rollback', { note: 'As it was' })
  await change('PATCH', '', { isActive: false })
  return { policy: first, states }
}

const TYPES = [
  'CREATED',
  'UPDATED',
  'RULES_UPDATED',
  'RULES_UPDATED',
  'RULES_UPDATED',
  'RULES_UPDATED',
  'ROLLED_BACK',
  'UPDATED',
]

test('every change is a version with its author, its kind and a snapshot of the policy', async (t) => {
  const { policy, states } = await withHistory()
  const { versions, pagination } = await list(policy.id)
  t.deepEqual(
    versions.map((one) => one.version),
    [8, 7, 6, 5, 4, 3, 2, 1],
  )
  t.deepEqual(versions.map(({ changeType }) => changeType).reverse(), TYPES)
  t.deepEqual(pagination, { total: 8, limit: 100, offset: 0, hasMore: false })
  for (const [index, state] of states.entries()) {
    const { snapshot, ...summary } = await version(policy.id, index + 1)
    t.deepEqual(summary, versions[7 - index])
    const { name, description, policyType, scope: reach, priority, isActive, rules } = state
    t.is(state.version, index + 1)
    t.deepEqual(snapshot, { name, description, policyType, scope: reach, priority, isActive, rules })
    t.like(summary, { ruleCount: rules.length, contentHash: state.contentHash })
    t.is(summary.changedBy.type, 'ORGANIZATION_KEY')
    t.deepEqual(Object.keys(summary.changedBy).sort(), ['id', 'name', 'type'])
    t.is(new Date(summary.createdAt).toISOString(), summary.createdAt)
    t.is(summary.note, index === 6 ? 'As it was' : null)
  }
})

test('a rollback restores content and hash, and keeps the type and the history', async (t) => {
  const { policy, states } = await withHistory()
  const before = await list(policy.id)
  const { status, body } = await rollBack(policy.id, 5)
  t.is(status, 200)
  const { name, description, priority, rules, contentHash } = states[4]!
  const { isActive } = states.at(-1)!
  t.like(body, { name, description, priority, isActive, contentHash, version: 9, policyType: 'COMPOSITE' })
  t.deepEqual(body.rules, rules)
  const after = await list(policy.id)
  t.like(after.versions[0], { changeType: 'ROLLED_BACK', note: 'Back', contentHash })
  t.deepEqual(after.versions.slice(1), before.versions)
})

test('compare shows changed fields, added rules and removed rules, by content', async (t) => {
  const { policy } = await withHistory()
  const { id } = policy
  const contents = (rules: Rule[]) => rules.map(({ ruleType, value }) => [ruleType, value])
  const metadata = await compare(id, 1, 2)
  t.deepEqual(metadata.fields, [
    { field: 'name', from: policy.name, to: `${policy.name}, renamed` },
    { field: 'description', from: 'First', to: null },
    { field: 'priority', from: 10, to: 20 },
  ])
  t.deepEqual([metadata.rulesAdded, metadata.rulesRemoved], [[], []])
  const edited = await compare(id, 3, 4)
  t.deepEqual(edited.fields, [])
  t.deepEqual(contents(edited.rulesAdded), [['MAX_AMOUNT', 90]])
  t.deepEqual(contents(edited.rulesRemoved), [['MAX_AMOUNT', 100]])
  const backwards = await compare(id, 4, 3)
  t.deepEqual([backwards.rulesAdded, backwards.rulesRemoved], [edited.rulesRemoved, edited.rulesAdded])
  t.deepEqual(await compare(id, 1, 7), { fields: [], rulesAdded: [], rulesRemoved: [] })
  t.deepEqual(await compare(id, 3, 3), { fields: [], rulesAdded: [], rulesRemoved: [] })
  t.deepEqual((await compare(id, 7, 8)).fields, [{ field: 'isActive', from: true, to: false }])
  const whole = await stage.must<Diff>('GET', `/api/policies/${id}/versions/compare?from=1&to=2`)
  t.like(whole, { policyId: id, from: 1, to: 2 })
})

test('reordering rules is no difference and keeps the content hash', async (t) => {
  const [a, b, c] = [MOST(1), MOST(2), CATEGORIES('CLOUD', 'TOOLS')]
  const policy = await stage.policy([a, b, c])
  const moved = await stage.must<Policy>('PUT', `/api/policies/${policy.id}/rules`, { rules: [c, a, b] })
  t.is(moved.version, 2)
  t.is(moved.contentHash, policy.contentHash)
  t.deepEqual(await compare(policy.id, 1, 2), { fields: [], rulesAdded: [], rulesRemoved: [] })
  const doubled = await stage.must<Policy>('PUT', `/api/policies/${policy.id}/rules`, { rules: [c, a, b, b] })
  t.not(doubled.contentHash, policy.contentHash)
  const { rulesAdded, rulesRemoved } = await compare(policy.id, 2, 3)
  t.deepEqual([rulesAdded.length, rulesRemoved.length], [1, 0])
  const elsewhere = await stage.policy([b, c, a])
  t.is(elsewhere.contentHash, policy.contentHash)
})

test('60 concurrent edits of all kinds make 60 consecutive versions', async (t) => {
  const policy = await stage.policy([MOST(1), ...Array.from({ length: 10 }, (_, index) => MOST(1000 + index))])
  const path = `/api/policies/${policy.id}`
  const kinds: ((index: number) => Promise<Policy>)[] = [
    (index) => stage.must('PATCH', path, { description: `Edit ${index}` }),
    (index) => stage.must('PATCH', path, { priority: index }),
    (index) => stage.must('POST', `${path}/rules`, MOST(index + 1)),
    (index) => stage.must('PATCH', `${path}/rules/${policy.rules[0]!.id}`, { value: index + 1 }),
    (index) => stage.must('DELETE', `${path}/rules/${policy.rules[1 + Math.floor(index / 6)]!.id}`),
    (index) => stage.must('PATCH', path, { name: `Renamed ${index}` }),
  ]
  const edited = await Promise.all(Array.from({ length: 60 }, (_, index) => kinds[index % 6]!(index)))
  const expected = Array.from({ length: 60 }, (_, index) => index + 2)
  t.deepEqual(
    edited.map((one) => one.version).sort((a, b) => a - b),
    expected,
  )
  const { versions } = await list(policy.id)
  t.deepEqual(versions.map((one) => one.version).reverse(), [1, ...expected])
  const now = await read(policy.id)
  t.is(now.version, 61)
  t.is(now.rules.length, 11)
  for (const one of edited) {
    const stored = await version(policy.id, one.version)
    t.deepEqual(stored.snapshot!.rules, one.rules)
    t.is(stored.contentHash, one.contentHash)
  }
})

test('60 concurrent rollbacks and replacements make 60 consecutive versions', async (t) => {
  const policy = await stage.policy([MOST(1)])
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      index % 2 === 0
        ? stage.must('POST', `/api/policies/${policy.id}/versions/1/rollback`, { note: `${index}` })
        : stage.must('PUT', `/api/policies/${policy.id}/rules`, { rules: [MOST(index + 1)] }),
    ),
  )
  const { versions } = await list(policy.id)
  t.deepEqual(
    versions.map((one) => one.version).reverse(),
    Array.from({ length: 61 }, (_, index) => index + 1),
  )
  t.is(versions.filter(({ changeType }) => changeType === 'ROLLED_BACK').length, 30)
})

test('concurrent edits of different fields of one rule are all kept', async (t) => {
  const policy = await stage.policy([{ ruleType: 'DAY_OF_WEEK', operator: 'IN_LIST', value: ['Mon'] }])
  const path = `/api/policies/${policy.id}/rules/${policy.rules[0]!.id}`
  const changes = [{ value: ['Tue'] }, { operator: 'NOT_IN_LIST' }, { action: 'DENY' }]
  await Promise.all(changes.map((change) => stage.must('PATCH', path, change)))
  t.like((await read(policy.id)).rules[0], { operator: 'NOT_IN_LIST', value: ['Tue'], action: 'DENY' })
})

test('the versions of a deleted policy stay readable', async (t) => {
  const { policy, states } = await withHistory()
  const { id } = policy
  const before = await list(id)
  t.deepEqual(await stage.must('DELETE', `/api/policies/${id}`), { success: true })
  const after = await list(id)
  t.deepEqual(after.versions.slice(1), before.versions)
  t.like(after.versions[0], { version: 9, changeType: 'DELETED', ruleCount: states[7]!.rules.length })
  t.like((await version(id, 9)).snapshot, { name: states[7]!.name, isActive: false })
  t.deepEqual((await version(id, 1)).snapshot!.rules, policy.rules)
  t.deepEqual((await compare(id, 1, 9)).fields, [{ field: 'isActive', from: true, to: false }])
  for (const answer of [
    await rollBack(id, 1),
    await stage.admin<Failure>('GET', `/api/policies/${id}`),
    await stage.admin<Failure>('PATCH', `/api/policies/${id}`, { name: 'Again' }),
    await stage.admin<Failure>('DELETE', `/api/policies/${id}`),
  ]) {
    t.like(answer, { status: 404, body: { code: 'NOT_FOUND' } })
  }
  t.is((await list(id)).versions.length, 9)
})

test('pages of versions are stable, by cursor and by offset', async (t) => {
  const { policy } = await withHistory()
  const all = (await list(policy.id)).versions
  for (const limit of [1, 3, 4, 8, 9]) {
    const byOffset: Version[] = []
    const byCursor: Version[] = []
    for (let offset = 0; offset < 8; offset += limit) {
      const { versions, pagination } = await list(policy.id, `limit=${limit}&offset=${offset}`)
      byOffset.push(...versions)
      t.like(pagination, { total: 8, limit, offset, hasMore: offset + limit < 8 })
    }
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const { versions, pagination }: VersionList = await list(
        policy.id,
        `limit=${limit}${cursor && `&cursor=${cursor}`}`,
      )
      byCursor.push(...versions)
      t.is(pagination.hasMore, pagination.nextCursor !== undefined)
      cursor = pagination.nextCursor
    }
    t.deepEqual(byOffset, all)
    t.deepEqual(byCursor, all)
  }
  t.deepEqual((await list(policy.id, 'offset=8')).versions, [])
  t.deepEqual((await list(policy.id, 'offset=5000')).pagination, { total: 8, limit: 50, offset: 5000, hasMore: false })
})

test('a cursor continues where its page ended, even if a version was added meanwhile', async (t) => {
  const { policy } = await withHistory()
  const { pagination } = await list(policy.id, 'limit=3')
  await stage.must('PATCH', `/api/policies/${policy.id}`, { priority: 3 })
  const { versions } = await list(policy.id, `limit=3&cursor=${pagination.nextCursor}`)
  t.deepEqual(
    versions.map((one) => one.version),
    [5, 4, 3],
  )
})

test('missing versions and invalid queries are refused', async (t) => {
  const { id } = await stage.policy([])
  const refused: [number, string, string][] = [
    [404, 'GET', `/api/policies/${id}/versions/2`],
    [404, 'GET', `/api/policies/${id}/versions/0`],
    [404, 'GET', `/api/policies/${id}/versions/01`],
    [404, 'GET', `/api/policies/${id}/versions/1.0`],
    [404, 'GET', `/api/policies/${id}/versions/-1`],
    [404, 'GET', `/api/policies/${id}/versions/99999999999999999999`],
    [404, 'GET', `/api/policies/${id}/versions/compare?from=1&to=2`],
    [404, 'GET', '/api/policies/cmissing/versions'],
    [404, 'GET', `/api/policies/${'c'.repeat(25)}/versions/1`],
    [400, 'GET', `/api/policies/${id}/versions/compare?from=1`],
    [400, 'GET', `/api/policies/${id}/versions/compare?from=1&to=x`],
    [400, 'GET', `/api/policies/${id}/versions/compare?from=0&to=1`],
    [400, 'GET', `/api/policies/${id}/versions?limit=101`],
    [400, 'GET', `/api/policies/${id}/versions?limit=0`],
    [400, 'GET', `/api/policies/${id}/versions?offset=-1`],
    [400, 'GET', `/api/policies/${id}/versions?cursor=abc`],
    [400, 'GET', `/api/policies/${id}/versions?cursor=0`],
    [400, 'GET', `/api/policies/${id}/versions?cursor=2`],
    [400, 'GET', `/api/policies/${id}/versions?cursor=999`],
    [400, 'GET', `/api/policies/${id}/versions?page=2`],
  ]
  for (const [status, method, path] of refused) {
    const answer = await stage.admin<Failure>(method, path)
    t.is(answer.status, status, path)
    t.is(answer.body.code, status === 404 ? 'NOT_FOUND' : 'VALIDATION_ERROR')
  }
  t.is((await rollBack(id, 2)).status, 404)
  for (const body of [{ note: '' }, { note: 'x'.repeat(501) }, { note: 1 }, { note: 'Back', more: 1 }]) {
    t.like(await rollBack(id, 1, body), { status: 400, body: { code: 'VALIDATION_ERROR' } })
  }
})

test('versions survive a restart', async (t) => {
  const other = await startStage(t)
  const policy = await other.policy([MOST(1)])
  await other.must('PATCH', `/api/policies/${policy.id}`, { priority: 1 })
  const gone = await other.policy([MOST(2)])
  await other.must('DELETE', `/api/policies/${gone.id}`)
  const paths = [policy, gone].map(({ id }) => `/api/policies/${id}/versions`)
  const before = await Promise.all(paths.map((path) => other.must('GET', path)))
  await other.restart()
  t.deepEqual(await Promise.all(paths.map((path) => other.must('GET', path))), before)
})

test('another organization finds neither a policy nor its versions', async (t) => {
  const { body: stranger } = await stage.client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, {
    name: 'Other',
  })
  const { policy } = await withHistory()
  const base = `/api/policies/${policy.id}`
  for (const deleted of [false, true]) {
    if (deleted) await stage.must('DELETE', base)
    for (const path of ['', '/versions', '/versions/1', '/versions/compare?from=1&to=2', '/rules', '/tests']) {
      const answer = await stage.client.get(base + path, stranger.apiKey)
      const absent = await stage.client.get(`/api/policies/c${'0'.repeat(24)}${path}`, stranger.apiKey)
      t.is(answer.status, 404, path)
      t.is(
        JSON.stringify(answer.body).replace(policy.id, ''),
        JSON.stringify(absent.body).replace(`c${'0'.repeat(24)}`, ''),
      )
    }
    t.is((await stage.client.post(`${base}/versions/1/rollback`, stranger.apiKey, { note: 'Back' })).status, 404)
  }
  t.is((await stage.client.get(`${base}/versions`, ORGANIZATION_KEY)).status, 200)
})
