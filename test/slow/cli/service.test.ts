// The commands against a service, in the order in which a new user would run them.
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { runCommand } from '../../../src/cli/bursar.js'
import { Failure } from '../../../src/config/failure.js'
import { UsageError } from '../../../src/cli/terminal/command.js'
import { formKey } from '../../../src/domain/access/apiKey.js'
import { Bursar, BursarAdmin } from '../../../sdk/index.js'
import { newFolder, ORGANIZATION_KEY, startService, wholeFile, type Service } from '../../support/process.js'
import { serve, tell } from '../../support/server.js'
import { surroundings } from '../../support/commandContext.js'
import { bursar } from '../../support/commandLine.js'
import { challenge, offer, URL_PAID } from '../../support/x402.js'

const VENDOR = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const LIMITS = {
  name: 'Limits',
  policyType: 'SPEND_LIMIT',
  scope: 'organization',
  rules: [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 50 }],
  tests: [{ name: 'small', payment: { amount: 10 }, expect: 'APPROVED' }],
}

const scope = wholeFile(test)
const home = newFolder(scope)
let service: Service
let env: { [name: string]: string }
let agentKey: string

test.before(async () => {
  mkdirSync(home)
  service = await startService(scope, newFolder(scope))
  env = { XDG_CONFIG_HOME: join(home, 'config'), BURSAR_URL: service.url, BURSAR_DATA_DIR: service.folder }
})

interface Given {
  exit: number
  out: string
  error: string
}

async function run(args: string[], more: { [name: string]: string } = {}): Promise<Given> {
  const context = surroundings({ env: { ...env, ...more }, dataDir: () => service.folder })
  const exit = await runCommand(args, context)
  return { exit, out: context.said.join('\n'), error: context.complained.join('\n') }
}

/** The output of a command with --json. */
async function json<T>(t: ExecutionContext, ...args: string[]): Promise<T> {
  const { exit, out, error } = await run([...args, '--json'])
  t.is(exit, 0, error)
  return JSON.parse(out) as T
}

function policyFile(name: string, content: object): string {
  const path = join(home, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

test.serial('init without a terminal needs --yes and a key, and saves no key that is refused', async (t) => {
  await t.throwsAsync(run(['init']), { instanceOf: UsageError, message: /--yes/ })
  await t.throwsAsync(run(['init', '--yes']), { instanceOf: UsageError, message: /BURSAR_API_KEY/ })
  const { exit, error } = await run(['init', '--yes'], { BURSAR_API_KEY: formKey('organization', '9'.repeat(40)) })
  t.is(exit, 1)
  t.regex(error, /^AUTH_FAILED/)
  t.throws(() => statSync(join(home, 'config')), { code: 'ENOENT' })
})

test.serial('init that fails halfway saves the connection and says how to find what was made', async (t) => {
  const answers = [service.url, ORGANIZATION_KEY, 'x'.repeat(1_000)]
  const context = surroundings({ env: { XDG_CONFIG_HOME: join(home, 'half') }, ask: async () => answers.shift()! })
  t.is(await runCommand(['init'], context), 1)
  const file = join(home, 'half', 'bursar', 'connection.json')
  const kept = `The connection is saved in ${file}. See what was created: bursar agents list, bursar wallets list`
  t.is(context.complained[0], kept)
  t.regex(context.complained[1]!, /^VALIDATION_ERROR/)
  t.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { url: service.url, apiKey: ORGANIZATION_KEY })
})

test.serial('init saves the connection for this user only and makes a first agent with a funded wallet', async (t) => {
  const { status, out, error } = await bursar(['init', '--yes', '--json', '--key-stdin'], {
    env,
    input: `${ORGANIZATION_KEY}\n`,
  })
  t.is(status, 0, error)
  const made = JSON.parse(out) as { connection: string; agentKey: string; curl: string; wallet: { balance: number } }
  agentKey = made.agentKey
  t.is(statSync(made.connection).mode & 0o777, 0o600)
  t.deepEqual(JSON.parse(readFileSync(made.connection, 'utf8')), { url: service.url, apiKey: ORGANIZATION_KEY })
  t.is(made.wallet.balance, 100)
  t.false(made.curl.includes(agentKey))
  t.regex((await run(['init', '--yes'])).out, /There are agents already/)
})

test.serial('a key from standard input requires --yes', async (t) => {
  await t.throwsAsync(run(['init', '--key-stdin']), { instanceOf: UsageError, message: /--yes/ })
})

test.serial('the saved key is sent to its own service only', async (t) => {
  t.is((await run(['org', 'show'])).exit, 0)
  const { exit, error } = await run(['org', 'show'], { BURSAR_URL: service.url.replace('127.0.0.1', 'localhost') })
  t.is(exit, 1)
  t.regex(error, /^AUTH_FAILED/)
})

test.serial(
  'BURSAR_URL may list nodes: one that is down is passed over, and the saved key goes to none but its own',
  async (t) => {
    const listed = { BURSAR_URL: `http://127.0.0.1:2, ${service.url}` }
    t.is((await run(['org', 'show'], { ...listed, BURSAR_API_KEY: ORGANIZATION_KEY })).exit, 0)
    t.regex((await run(['org', 'show'], listed)).error, /^AUTH_FAILED/)
    t.is((await run(['org', 'show'], { BURSAR_URL: `${service.url},${service.url}` })).exit, 0)
    await t.throwsAsync(run(['org', 'show'], { BURSAR_URL: `${service.url},` }), { instanceOf: UsageError })
    const { exit, out } = await run(['doctor'], { ...listed, BURSAR_API_KEY: ORGANIZATION_KEY })
    t.is(exit, 3)
    t.regex(out, /127\.0\.0\.1:2 is not reachable/)
    t.true(out.includes(`${service.url} is ready`))
  },
)

test.serial('a connection that others can read is refused', async (t) => {
  const file = join(home, 'config', 'bursar', 'connection.json')
  chmodSync(file, 0o644)
  await t.throwsAsync(run(['org', 'show']), { instanceOf: Failure, message: /can be read by other users/ })
  chmodSync(file, 0o600)
})

test.serial('an unreachable service, a refusal and wrong usage have different exit codes', async (t) => {
  const gone = { BURSAR_URL: 'http://127.0.0.1:2', BURSAR_API_KEY: ORGANIZATION_KEY }
  const { status, error } = await bursar(['org', 'show'], { env: { ...env, ...gone } })
  t.is(status, 3)
  t.regex(error, /^ {2}Is the service running\? Start it, or set BURSAR_URL$/m)
  t.notRegex(error, /before sending it again/)
  t.regex((await run(['agents', 'create', 'a'], gone)).error, /Check the status before sending it again/)
  t.is((await run(['doctor'], gone)).exit, 3)
  t.is((await bursar(['org', 'show', '--api-key', 'x'], { env })).status, 2)
  t.is((await bursar(['agents', 'show', 'nobody'], { env })).status, 1)
})

test.serial('a command with an id reads no list, and a refusal of it is one line', async (t) => {
  const asked: string[] = []
  const refusing = await serve(t, ({ path }, response) => {
    asked.push(path)
    tell(response, { status: 403, body: { error: 'Not with this key', code: 'INSUFFICIENT_SCOPE' } })
  })
  const id = `c${'a'.repeat(24)}`
  const given = { ...env, BURSAR_URL: refusing.url, BURSAR_API_KEY: ORGANIZATION_KEY }
  for (const words of [
    ['agents', 'show', id],
    ['policies', 'show', id],
    ['wallets', 'fund', id, '1'],
  ]) {
    const { status, error } = await bursar(words, { env: given })
    t.deepEqual([status, error.trimEnd()], [1, 'INSUFFICIENT_SCOPE: Not with this key'])
  }
  t.deepEqual(asked, [`/api/agents/${id}`, `/api/policies/${id}`, `/api/wallets/${id}/fund`])
})

test.serial('a refusal with status 503 exits 1, an answer that the service is unavailable exits 3', async (t) => {
  const codes: { [path: string]: string } = { agents: 'CUSTODY_NOT_CONFIGURED', wallets: 'UNAVAILABLE' }
  const answering = await serve(t, ({ path }, response) => {
    const code = codes[path.split(/[/?]/)[2]!]!
    tell(response, { status: 503, body: { error: 'No', code }, headers: { 'retry-after': '100' } })
  })
  const given = { BURSAR_URL: answering.url, BURSAR_API_KEY: ORGANIZATION_KEY }
  t.is((await run(['agents', 'list'], given)).exit, 1)
  t.is((await run(['wallets', 'list'], given)).exit, 3)
})

test.serial('doctor times out on a service that does not answer, at first or later', async (t) => {
  const never = await serve(t, () => {})
  const falling = await serve(t, ({ path }, response) => {
    if (path === '/readyz') tell(response, { status: 200 })
  })
  const asked = ({ url }: { url: string }) => run(['doctor'], { BURSAR_URL: url, BURSAR_API_KEY: ORGANIZATION_KEY })
  const [silent, halfSilent] = await Promise.all([asked(never), asked(falling)])
  t.is(silent.exit, 3)
  t.regex(silent.out, /^failed +service +\S+ is not reachable: .*timeout/m)
  t.is(halfSilent.exit, 1)
  for (const name of ['version', 'key', 'sanctions', 'webhooks']) {
    t.regex(halfSilent.out, new RegExp(`^failed +${name} +TIMEOUT: `, 'm'))
  }
})

test.serial('doctor shows what the service warns of, and passes', async (t) => {
  const warned = await serve(t, ({ path }, response) => {
    if (path === '/readyz')
      tell(response, { status: 200, body: { status: 'ready', warnings: ['PROVIDER_A has no owner'] } })
    else tell(response, { status: 200, body: {} })
  })
  const { out } = await run(['doctor'], { BURSAR_URL: warned.url })
  t.regex(out, /^warning +service +PROVIDER_A has no owner$/m)
  t.regex(out, /^ok +service +\S+ is ready$/m)
})

test.serial('with --json errors are JSON, whether the command or the service reports them', async (t) => {
  const unknown = await run(['agents', 'show', 'nobody', '--json'])
  t.deepEqual([unknown.exit, unknown.out, JSON.parse(unknown.error)], [1, '', { error: 'No match for nobody' }])
  const refused = await run(['agents', 'create', 'x'.repeat(1_000), '--json'])
  t.deepEqual([refused.exit, refused.out], [1, ''])
  t.like(JSON.parse(refused.error), { code: 'VALIDATION_ERROR', details: [{ path: 'name' }] })
  const refusing = await serve(t, ({ path }, response) => {
    if (path === '/api/organization') tell(response, { status: 200, body: { name: 'Noted', settlementMode: 'test' } })
    else tell(response, { status: 403, body: { error: 'Not with this key', code: 'INSUFFICIENT_SCOPE' } })
  })
  const given = { XDG_CONFIG_HOME: join(home, 'noted'), BURSAR_URL: refusing.url, BURSAR_API_KEY: ORGANIZATION_KEY }
  const halfway = JSON.parse((await run(['init', '--yes', '--json'], given)).error) as { notes: string[] }
  t.like(halfway, { code: 'INSUFFICIENT_SCOPE', error: 'Not with this key' })
  t.regex(halfway.notes.join(), /^The connection is saved in /)
})

test.serial('agents, wallets and keys are created, listed, frozen and revoked', async (t) => {
  t.is((await json<{ status: string }>(t, 'agents', 'create', 'second')).status, 'ACTIVE')
  await json(t, 'wallets', 'create', 'petty cash')
  t.is((await json<{ balance: number }>(t, 'wallets', 'fund', 'petty cash', '20.5')).balance, 20.5)
  const limits = ['--per-tx', '7', '--days', 'Mon,Tue', '--hours', '9-17']
  const delegation = await json<{ [field: string]: unknown }>(
    t,
    'agents',
    'delegate',
    'second',
    'petty cash',
    ...limits,
  )
  t.like(delegation, { spendLimitPerTx: 7, allowedDays: ['Mon', 'Tue'], allowedHoursStart: 9, allowedHoursEnd: 17 })
  t.is((await json<{ status: string }>(t, 'agents', 'freeze', 'second', 'a test')).status, 'SUSPENDED')
  t.is((await json<{ status: string }>(t, 'agents', 'unfreeze', 'second')).status, 'ACTIVE')
  const key = await json<{ id: string }>(t, 'keys', 'create', 'reader', '--scope', 'READ_ONLY', '--days', '1')
  await json(t, 'keys', 'revoke', key.id)
  t.regex((await run(['keys', 'list'])).out, new RegExp(`^${key.id}  reader .*REVOKED`, 'm'))
  t.regex((await run(['keys', 'list', '--agent', 'first-agent'])).out, /first key/)
  t.regex((await run(['agents', 'list'])).out, /^ID +NAME +TYPE +STATUS +CREATED\nc\w{24}  /)
  t.regex((await run(['agents', 'list', '--limit', '1'])).error, /Only the first 1/)
  t.regex((await run(['agents', 'show', 'second'])).out, /petty cash/)
  t.regex((await run(['wallets', 'list'])).out, /petty cash +20\.5 USDC/)
  await t.throwsAsync(run(['keys', 'create', 'x', '--scope', 'ALL']), { instanceOf: UsageError })
  const both = ['keys', 'create', 'x', '--agent', 'second', '--scope', 'READ_ONLY']
  await t.throwsAsync(run(both), { instanceOf: UsageError, message: /--scope is for keys of the organization/ })
  await t.throwsAsync(run(['keys', 'create', 'x', '--days', '0']), { instanceOf: UsageError, message: /--days/ })
  await t.throwsAsync(run(['agents', 'list', '--limit', '0']), { instanceOf: UsageError, message: /--limit/ })
})

test.serial('policies are applied from files, compared, exported and rolled back', async (t) => {
  const path = policyFile('limits.json', LIMITS)
  const planned = await run(['policies', 'apply', path, '--dry-run'])
  t.regex(planned.out, /^Nothing was changed.*\n\+ Limits  created\n  \+ MAX_AMOUNT LTE 50 ALLOW/)
  t.deepEqual(await json(t, 'policies', 'list'), [])
  t.regex((await run(['policies', 'apply', path])).out, /^\+ Limits  created$/m)
  t.is((await run(['policies', 'apply', home])).out, '= Limits  unchanged')

  const rules = [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 40 }]
  policyFile('limits.json', { ...LIMITS, priority: 70, rules })
  const changes = /~ Limits  changed\n    priority: 50 → 70\n  - MAX_AMOUNT LTE 50 ALLOW\n  \+ MAX_AMOUNT LTE 40 ALLOW$/
  t.regex((await run(['policies', 'apply', path, '--dry-run'])).out, changes)
  t.is((await json<{ version: number }>(t, 'policies', 'show', 'Limits')).version, 1)
  t.regex((await run(['policies', 'apply', path])).out, changes)
  t.regex((await run(['policies', 'show', 'Limits'])).out, /MAX_AMOUNT LTE 40 {2}ALLOW/)
  t.regex((await run(['policies', 'diff', 'Limits', '1'])).out, /priority: 50 → 70/)
  await t.throwsAsync(run(['policies', 'diff', 'Limits', '0']), { instanceOf: UsageError, message: /FROM/ })

  policyFile('limits.json', await json<object>(t, 'policies', 'export', 'Limits'))
  t.is((await run(['policies', 'apply', path])).out, '= Limits  unchanged')
  t.like(await json(t, 'policies', 'rollback', 'Limits', '1', '--note', 'too low'), { priority: 50, version: 4 })
  t.regex((await run(['policies', 'export', 'Limits', '--format', 'json-rules-engine'])).out, /"conditions"/)
})

test.serial('the impact of a policy file is shown before it is applied', async (t) => {
  const path = policyFile('limits.json', { ...LIMITS, rules: [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 5 }] })
  t.regex((await run(['policies', 'impact', path])).out, /^0 of \d+ decisions would change/)
  t.like(await json(t, 'policies', 'impact', path), { changed: 0, complete: true })
  const unknown = policyFile('others.json', { ...LIMITS, name: 'Others' })
  t.like(await json(t, 'policies', 'impact', unknown), { policyId: null, version: 0, complete: true })
  t.false((await run(['policies', 'list'])).out.includes('Others'), 'it is not made')
  rmSync(unknown)
})

test.serial('an invalid policy file changes nothing', async (t) => {
  const path = policyFile('limits.json', { ...LIMITS, rules: [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 5 }] })
  for (const args of [
    ['policies', 'apply', path],
    ['policies', 'test', path],
  ]) {
    const { exit, out } = await run(args)
    t.is(exit, 1)
    t.regex(out, /test small expects APPROVED, and would be DENIED/)
  }
  const wrong: [object, RegExp][] = [
    [{ ...LIMITS, rules: [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: -1 }] }, /rules\.0/],
    [{ ...LIMITS, prority: 7 }, /prority is not a known field/],
    [{ ...LIMITS, policyType: 'VELOCITY' }, /cannot become/],
    [{ ...LIMITS, priority: 500 }, /limits\.json: priority must be/],
    [{ ...LIMITS, isActive: 'no' }, /isActive must be/],
    [{ ...LIMITS, policyType: 'LIMITS' }, /policyType must be one of/],
  ]
  for (const [content, message] of wrong) {
    await t.throwsAsync(run(['policies', 'apply', policyFile('limits.json', content)]), {
      instanceOf: Failure,
      message,
    })
  }
  policyFile('limits.json', LIMITS)
  const twice = policyFile('again.json', LIMITS)
  await t.throwsAsync(run(['policies', 'apply', home]), {
    instanceOf: Failure,
    message: /are both for the policy Limits/,
  })
  writeFileSync(twice, '{')
  await t.throwsAsync(run(['policies', 'apply', twice]), { instanceOf: Failure, message: /cannot be read/ })
  t.is((await json<{ version: number }>(t, 'policies', 'show', 'Limits')).version, 4)
})

test.serial('pay makes a payment once per idempotency key, and explains a denial', async (t) => {
  await t.throwsAsync(run(['pay', '1', VENDOR]), { instanceOf: UsageError, message: /BURSAR_AGENT_KEY/ })
  const withKey = { BURSAR_AGENT_KEY: agentKey }
  const once = ['pay', '12.5', VENDOR, '--purpose', 'storage', '--idempotency-key', 'same', '--json']
  const [first, second] = [await run(once, withKey), await run(once, withKey)]
  t.is(first.exit, 0, first.error)
  const paid = JSON.parse(first.out) as { requestId: string; status: string }
  t.is(paid.status, 'EXECUTED')
  t.is((JSON.parse(second.out) as typeof paid).requestId, paid.requestId)
  const denied = await run(['pay', '60', VENDOR], withKey)
  t.is(denied.exit, 1)
  t.regex(denied.error, /^PAYMENT_DENIED: .*\n {2}AMOUNT_LIMIT: .*\n {2}Choose a purchase within the limit/)
})

test.serial('the services that were paid by x402 are listed', async (t) => {
  t.like(await run(['x402', 'services']), { exit: 0, out: 'none' })
  const purchase = { paymentRequired: challenge(offer(0.5)), resource: { url: URL_PAID }, paymentKey: 'report-1' }
  const { status } = await new Bursar({ baseUrl: service.url, apiKey: agentKey }).x402.authorize(purchase as never)
  t.is(status, 'EXECUTING')
  const { out } = await run(['x402', 'services'])
  t.regex(out, /HOST +PAYMENTS +TOTAL +LAST +PAID TO\napi\.example\.com +1 +0\.5 /)
})

test.serial('a wrong key is answered with where the command takes its key from', async (t) => {
  const pay = await run(['pay', '1', VENDOR], { BURSAR_AGENT_KEY: formKey('agent', '9'.repeat(40)) })
  t.regex(pay.error, /^AUTH_FAILED.*\n {2}Give the agent key in BURSAR_AGENT_KEY or with --key-stdin\n/)
  const org = await run(['org', 'show'], { BURSAR_API_KEY: formKey('organization', '9'.repeat(40)) })
  t.regex(org.error, /^AUTH_FAILED.*\n {2}Set BURSAR_API_KEY, give a key with --key-stdin, or run bursar init\n/)
})

test.serial('a payment is shown as a tree of the rules that decided it', async (t) => {
  const [denied] = await json<{ id: string }[]>(t, 'payments', 'list', '--status', 'DENIED', '--agent', 'first-agent')
  const { out } = await run(['payments', 'show', denied!.id])
  t.regex(out, new RegExp(`^${denied!.id}  DENIED  60 USDC to ${VENDOR}\n├─ agent`))
  t.regex(out, /^├─ policy Limits, version 4\n│ {2}└─ DENIED {2}MAX_AMOUNT: /m)
  const [paid] = await json<{ id: string }[]>(t, 'payments', 'list', '--status', 'EXECUTED')
  t.regex((await run(['payments', 'show', paid!.id])).out, /^└─ transaction \w+ CONFIRMED, test settlement/m)
})

test.serial('pay offers to continue a refused payment only if it can still be made', async (t) => {
  const address = '0x00000000000000000000000000000000000000b1'
  const withKey = { BURSAR_AGENT_KEY: agentKey }
  const agent = new Bursar({ apiKey: agentKey, baseUrl: service.url })
  const { counterparties } = new BursarAdmin({ apiKey: ORGANIZATION_KEY, baseUrl: service.url })
  const { id } = await counterparties.create({ name: 'Blocked', address })
  await agent.payments.request({ amount: '3', recipientAddress: address, idempotencyKey: 'blocked' })
  await counterparties.block(id, 'A test')
  const refused = await run(['pay', '3', address, '--idempotency-key', 'blocked'], withKey)
  t.is(refused.exit, 1)
  t.regex(refused.error, /^INVALID_STATUS: /)
  t.notRegex(refused.error, /To continue/)
})

test.serial('pay tells the status of a payment whose execution is refused, and offers to continue it', async (t) => {
  for (const [code, status, isOffered] of [
    ['INSUFFICIENT_SCOPE', 'EXECUTING', true],
    ['INSUFFICIENT_SCOPE', 'APPROVED', true],
    ['INVALID_STATUS', 'FAILED', false],
    ['MANUAL_EXECUTION_REQUIRED', 'APPROVED', false],
  ] as const) {
    const refusing = await serve(t, ({ path }, response) => {
      if (path.endsWith('/execute')) tell(response, { status: 400, body: { error: 'Refused', code } })
      else tell(response, { status: 200, body: { requestId: 'p', status: path.endsWith('p') ? status : 'APPROVED' } })
    })
    const given = { BURSAR_URL: refusing.url, BURSAR_AGENT_KEY: agentKey }
    const { error } = await run(['pay', '3', VENDOR], given)
    t.is(/^ {2}To continue, repeat the command with --idempotency-key \w+$/m.test(error), isOffered, error)
    const told = JSON.parse((await run(['pay', '3', VENDOR, '--json'], given)).error) as object
    t.like(told, { code, payment: { requestId: 'p', status } })
  }
})

test.serial('approvals are listed, shown, approved and denied', async (t) => {
  const rules = [
    { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 20, action: 'REQUIRE_APPROVAL' },
  ]
  const asking = policyFile('people.json', {
    name: 'People',
    policyType: 'APPROVAL_THRESHOLD',
    scope: 'organization',
    rules,
  })
  t.is((await run(['policies', 'apply', asking])).exit, 0)
  const withKey = { BURSAR_AGENT_KEY: agentKey }
  for (const [word, status] of [
    ['approve', 'APPROVED'],
    ['deny', 'DENIED'],
  ] as const) {
    const waiting = await run(['pay', '21', VENDOR, '--purpose', 'two desks'], withKey)
    t.is(waiting.exit, 1)
    t.regex(waiting.error, /^REQUIRES_APPROVAL: .*\n(.*\n)* {2}approval \w+/)
    const [request] = await json<{ id: string }[]>(t, 'approvals', 'list', '--status', 'PENDING')
    const { out } = await run(['approvals', 'show', request!.id])
    for (const shown of [
      `subject +21 USDC to ${VENDOR}`,
      'reasons +\\S.*',
      'approvals +0 of 1',
      'decisions +-',
      'payment +c\\w{24}',
      'agent +c\\w{24}',
      'purpose +two desks',
    ]) {
      t.regex(out, new RegExp(`^${shown}$`, 'm'))
    }
    t.is((await json<{ status: string }>(t, 'approvals', word, request!.id, '--comment', 'seen')).status, status)
    const { out: after } = await run(['approvals', 'show', request!.id])
    t.regex(after, new RegExp(`^decisions +${status} by .+ \\(.+\\): "seen"$`, 'm'))
    const [, key] = /--idempotency-key (\w+)$/m.exec(waiting.error)!
    const again = ['pay', '21', VENDOR, '--purpose', 'two desks', '--idempotency-key', key!]
    const continued = await run(again, withKey)
    if (status === 'APPROVED') t.regex(continued.out, /^status +EXECUTED$/m)
    else t.regex(continued.error, /^PAYMENT_DENIED/)
  }
  t.is((await run(['approvals', 'list', '--status', 'PENDING'])).out, 'none')
})

test.serial('a frozen organization cannot pay, and doctor warns about it', async (t) => {
  t.regex((await run(['org', 'freeze', 'a test'])).out, /^status +FROZEN$/m)
  t.regex((await run(['doctor'])).out, /^warning +key +belongs to .*FROZEN$/m)
  t.is((await run(['pay', '1', VENDOR], { BURSAR_AGENT_KEY: agentKey })).exit, 1)
  t.regex((await run(['org', 'unfreeze'])).out, /^status +ACTIVE$/m)
})

test.serial('doctor reports each check, and fails on an open folder or a wrong key', async (t) => {
  const { exit, out } = await run(['doctor'])
  t.is(exit, 0, out)
  for (const name of ['clock', 'service', 'version', 'key', 'webhooks', 'permissions'])
    t.regex(out, new RegExp(`^ok +${name} `, 'm'))
  chmodSync(service.folder, 0o755)
  const open = await run(['doctor', '--json'])
  chmodSync(service.folder, 0o700)
  t.is(open.exit, 1)
  t.like(JSON.parse(open.out), { ok: false })
  t.is((await run(['doctor'], { BURSAR_API_KEY: formKey('organization', '9'.repeat(40)) })).exit, 1)
})
