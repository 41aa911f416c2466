// `bursar policies apply`: what stops it before its first change, what --force overrides, and what it reports when it
// stops between two changes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { runCommand } from '../../../src/cli/bursar.js'
import { Failure } from '../../../src/config/failure.js'
import { BursarAdmin, type Policy } from '../../../sdk/index.js'
import { serve, tell } from '../../support/server.js'
import { newFolder, ORGANIZATION_KEY, startService, wholeFile, type Service } from '../../support/process.js'
import { surroundings } from '../../support/commandContext.js'

const atMost = (value: number) => [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value }]
const passing = (name: string, amount: number) => ({
  name,
  payment: { amount },
  facts: {},
  expect: 'APPROVED' as const,
})
const POLICY = { policyType: 'SPEND_LIMIT' as const, scope: 'assigned' as const, rules: atMost(50) }

const scope = wholeFile(test)
let service: Service
let bursar: BursarAdmin

test.before(async () => {
  service = await startService(scope, newFolder(scope))
  bursar = new BursarAdmin({ baseUrl: service.url, apiKey: ORGANIZATION_KEY })
})

interface Given {
  exit: number
  out: string
  error: string
}

async function apply(path: string, flags: string[] = [], url = service.url): Promise<Given> {
  const context = surroundings({ env: { BURSAR_URL: url, BURSAR_API_KEY: ORGANIZATION_KEY } })
  const exit = await runCommand(['policies', 'apply', path, ...flags], context)
  return { exit, out: context.said.join('\n'), error: context.complained.join('\n') }
}

/** A new folder with these files; resolves to its path. */
function folderOf(t: ExecutionContext, files: { [name: string]: object }): string {
  const folder = newFolder(t)
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content))
  return folder
}

async function policyNamed(name: string): Promise<Policy | undefined> {
  for await (const one of bursar.policies.list()) if (one.name === name) return bursar.policies.get(one.id)
  return undefined
}

async function namesOfTests({ id }: Policy): Promise<string[]> {
  return (await bursar.policies.tests.get(id)).tests.map(({ name }) => name)
}

test('--force applies a file whose tests fail, and stores only those that pass', async (t) => {
  const tests = [passing('small', 10), passing('large', 60)]
  const folder = folderOf(t, { 'new.json': { ...POLICY, name: 'Forced', tests } })
  const refused = await apply(folder)
  t.is(refused.exit, 1)
  t.regex(refused.out, /new\.json: test large expects APPROVED, and would be DENIED/)
  t.is(await policyNamed('Forced'), undefined)

  const forced = await apply(folder, ['--force'])
  t.is(forced.exit, 0, forced.error)
  t.regex(forced.out, /^\+ Forced {2}created$/m)
  t.regex(forced.error, /new\.json: test large expects .*: overridden, and not stored with the policy/)
  t.deepEqual(await namesOfTests((await policyNamed('Forced'))!), ['small'])
  t.is((await apply(folder, ['--force'])).out, '= Forced  unchanged')

  writeFileSync(join(folder, 'new.json'), JSON.stringify({ ...POLICY, name: 'Forced', rules: atMost(5), tests }))
  t.is((await apply(folder, ['--force'])).exit, 0)
  const changed = (await policyNamed('Forced'))!
  t.deepEqual([changed.version, await namesOfTests(changed)], [2, []])
})

test('without tests in the file, the stored ones have to pass before anything is changed', async (t) => {
  const { id } = await bursar.policies.create({ ...POLICY, name: 'Tested' })
  await bursar.policies.tests.replace(id, { tests: [passing('small', 10)] })
  const folder = folderOf(t, {
    'a.json': { ...POLICY, name: 'First' },
    'b.json': { ...POLICY, name: 'Tested', rules: atMost(5) },
  })
  for (const flags of [['--dry-run'], []]) {
    const { exit, out } = await apply(folder, flags)
    t.is(exit, 1)
    t.regex(out, /b\.json: test small expects APPROVED, and would be DENIED/)
  }
  t.is(await policyNamed('First'), undefined)

  const forced = await apply(folder, ['--force'])
  t.is(forced.exit, 0, forced.error)
  t.regex(forced.error, /b\.json: test small expects .*: overridden$/)
  t.deepEqual(await namesOfTests((await policyNamed('Tested'))!), ['small'])
  t.is((await apply(folder)).out, '= First  unchanged\n= Tested  unchanged')
})

test('stored tests decide about the whole change, not about its steps', async (t) => {
  const { id } = await bursar.policies.create({ ...POLICY, name: 'Idle' })
  await bursar.policies.tests.replace(id, { tests: [{ ...passing('large', 60), expect: 'DENIED' }] })
  await bursar.policies.update(id, { isActive: false }, { force: true })
  const folder = folderOf(t, { 'idle.json': { ...POLICY, name: 'Idle', rules: atMost(40) } })
  const { exit, error } = await apply(folder)
  t.is(exit, 0, error)
  t.like(await policyNamed('Idle'), { isActive: true, version: 4 })
})

test('a policy that is assigned is not widened to the organization, and keeps its rules', async (t) => {
  const { id } = await bursar.policies.create({ ...POLICY, name: 'Assigned' })
  const agent = await bursar.agents.create({ name: 'covered', agentType: 'CUSTOM' })
  await bursar.agents.policies.assign(agent.id, id)
  const widened = { ...POLICY, name: 'Assigned', scope: 'organization', rules: atMost(5) }
  const folder = folderOf(t, { 'a.json': { ...POLICY, name: 'Before' }, 'b.json': widened })
  for (const flags of [['--dry-run'], [], ['--force']]) {
    await t.throwsAsync(apply(folder, flags), { instanceOf: Failure, message: /b\.json: Assigned is assigned/ })
  }
  t.is((await policyNamed('Assigned'))!.version, 1)
  t.is(await policyNamed('Before'), undefined)
})

test('fields and tests that the service would refuse stop it before its first change', async (t) => {
  const wrong: [object, RegExp][] = [
    [{ name: '' }, /name must have 1 to 100 characters/],
    [{ name: 'x'.repeat(101) }, /name must have 1 to 100 characters/],
    [{ description: 'x'.repeat(501) }, /description must have at most 500 characters/],
    [{ description: 'two\nlines' }, /description must have no control characters/],
    [{ description: 5 }, /description must be text/],
    [{ scope: undefined }, /rules and scope are required/],
    [{ rules: undefined }, /rules and scope are required/],
    [{ rules: null }, /rules must be a list/],
    [{ tests: [{ ...passing('x', 1), name: '' }] }, /tests\.0\.name must have 1 to 100 characters/],
    [{ tests: [{ ...passing('x', 1), expect: 'ALLOWED' }] }, /tests\.0\.expect must be one of APPROVED/],
    [{ tests: [{ ...passing('x', 1), payment: null }] }, /each test needs/],
    [{ tests: [{ ...passing('x', 1), facts: [] }] }, /tests\.0\.facts must be an object/],
    [{ tests: [{ ...passing('x', 1), facts: { dayTotl: 5 } }] }, /tests\.0\.facts\.dayTotl/],
    [{ tests: Array(101).fill(passing('x', 1)) }, /tests must have at most 100/],
  ]
  for (const [fields, message] of wrong) {
    const second = { ...POLICY, name: 'Wrong', ...fields }
    const folder = folderOf(t, { 'a.json': { ...POLICY, name: 'Intact' }, 'b.json': second })
    await t.throwsAsync(apply(folder, ['--force']), { instanceOf: Failure, message })
  }
  t.is(await policyNamed('Intact'), undefined)
})

test('an apply that stops between two changes says what is changed already', async (t) => {
  await bursar.policies.create({ ...POLICY, name: 'Halved' })
  const proxy = await serve(t, async ({ method, path, headers, text }, response) => {
    if (method === 'PATCH') return tell(response, { status: 409, body: { error: 'no', code: 'INVALID_STATUS' } })
    const { authorization = '', 'content-type': type = 'application/json' } = headers
    const body = text === '' ? null : text
    const given = { method, headers: { authorization, 'content-type': type }, body }
    const answer = await fetch(service.url + path, given)
    return tell(response, { status: answer.status, body: await answer.text() })
  })
  const folder = folderOf(t, {
    'a.json': { ...POLICY, name: 'Whole' },
    'b.json': { ...POLICY, name: 'Halved', rules: atMost(5), priority: 70 },
  })
  const { exit, error } = await apply(folder, [], proxy.url)
  t.is(exit, 1)
  t.regex(error, /^Stopped at \S*b\.json, after its rules were replaced: 1 of 2 files is applied\nINVALID_STATUS/)
})
