// The export of payments: what the list shows, as CSV that a strict reader accepts and no spreadsheet takes for formulas.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import fc from 'fast-check'
import { runCommand } from '../../../src/cli/bursar.js'
import { UsageError } from '../../../src/cli/terminal/command.js'
import { csvRow } from '../../../src/domain/values/csv.js'
import { paymentSearchRoutes } from '../../../src/http/routes/payments/search.js'
import type { RouteAnswer } from '../../../src/http/server/route.js'
import type { Result } from '../../../src/domain/outcomes/result.js'
import { BursarAdmin, type FoundPayment } from '../../../sdk/index.js'
import { surroundings } from '../../support/commandContext.js'
import { runs } from '../../support/depth.js'
import { done, openBare } from '../../support/commands.js'
import { readCsv, recordsIn } from '../../support/csv.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { ask, fundedAgent, type FundedAgent } from '../../support/payments.js'
import { OPERATOR_KEY, start, type Started } from '../../support/service.js'

const scope = wholeFile(test)
const NOON = Date.parse('2031-07-09T12:00:00Z')
const HOSTILE = [
  '=HYPERLINK("http://x","y")',
  '+1,2',
  '-1',
  '@SUM(A1)',
  'a,b',
  'say "hi"',
  '"',
  ',',
  "'=1",
  'plain',
  ' =1',
  'Füße ☃',
]

let service: Started
let agent: FundedAgent
let admin: BursarAdmin
let listed: FoundPayment[]

test.before('there are payments with texts of all kinds', async () => {
  service = await start(scope, { at: NOON })
  agent = await fundedAgent(service.client)
  for (const [index, purpose] of HOSTILE.entries()) {
    const more = {
      purpose,
      recipientName: purpose,
      reference: `${index}`,
      category: 'CLOUD',
      autoExecute: index % 2 === 0,
    }
    await ask(service.client, agent.key, index === 3 ? 2_000_000 : index + 0.000001, more)
  }
  admin = new BursarAdmin({ apiKey: ORGANIZATION_KEY, baseUrl: service.url })
  listed = []
  for await (const payment of admin.payments.list()) listed.push(payment)
})

async function exported(query = '', key = ORGANIZATION_KEY): Promise<Response> {
  return fetch(`${service.url}/api/payments/export${query}`, { headers: { authorization: `Bearer ${key}` } })
}

/** What stands in a cell for a text. */
const escaped = (text: string | null | undefined): string => {
  const plain = text ?? ''
  return '=+-@\t\r'.includes(plain[0] ?? ' ') ? `'${plain}` : plain
}

test.serial('every payment of the list is a row, with its fields, newest first', async (t) => {
  const response = await exported()
  t.is(response.status, 200)
  t.is(response.headers.get('content-type'), 'text/csv; charset=utf-8')
  t.is(response.headers.get('content-disposition'), 'attachment; filename="payments.csv"')
  const rows = recordsIn(await response.text())
  t.is(rows.length, HOSTILE.length)
  for (const [index, payment] of listed.entries()) {
    const { id, status, amount, currency, agentId, recipientAddress, recipientName, purpose, reference } = payment
    t.like(rows[index], {
      id,
      status,
      amount: String(amount),
      currency,
      agentId,
      rail: 'TRANSFER',
      recipientAddress,
      recipientName: escaped(recipientName),
      purpose: escaped(purpose),
      reference,
      category: 'CLOUD',
      sessionId: '',
      walletId: payment.wallet!.id,
      createdAt: payment.createdAt,
      denialType: payment.denial?.type ?? '',
      denialMessage: escaped(payment.denial?.message),
      transactionId: payment.transaction?.id ?? '',
      transactionStatus: payment.transaction?.status ?? '',
    })
  }
})

test.serial('the filters are those of the list', async (t) => {
  for (const query of [
    'search=hi',
    'status=DENIED',
    'amountMin=5&amountMax=9',
    `walletId=${agent.walletId}&search=fü`,
    'reference=4',
    'violation=PER_TX_LIMIT',
    'rail=TRANSFER',
    'to=2031-01-01T00:00:00Z',
    `agentId=${agent.agentId}`,
    'agentId=absent',
    'counterpartyId=absent',
  ]) {
    const ids = recordsIn(await (await exported(`?${query}`)).text()).map(({ id }) => id)
    const { body } = await service.client.get<{ payments: FoundPayment[] }>(
      `/api/payments?limit=100&${query}`,
      ORGANIZATION_KEY,
    )
    t.deepEqual(
      ids,
      body.payments.map(({ id }) => id),
      query,
    )
  }
  for (const query of ['limit=5', 'cursor=x', 'search=%00', 'status=NONE'])
    t.is((await exported(`?${query}`)).status, 400)
})

test.serial('what is not found is a header row alone, as it is for another organization', async (t) => {
  const names = (await (await exported('?search=nowhere')).text()).split('\r\n')
  t.is(names.length, 2)
  const { body } = await service.client.post<{ apiKey: string }>('/api/organizations', OPERATOR_KEY, { name: 'Other' })
  t.is(await (await exported('', body.apiKey)).text(), names.join('\r\n'))
  t.is((await exported('', agent.key)).status, 401)
})

test.serial(
  'a row of any texts is read back as it was, but for the mark before what a spreadsheet would calculate',
  (t) => {
    const text = fc.oneof(fc.constantFrom(...HOSTILE, '\t=1', '\r', '\n', 'two\r\nlines', '\n=1', ''), fc.string())
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 4 }), (given) => {
        const width = Math.min(...given.map(({ length }) => length))
        const rows = given.map((row) => row.slice(0, width))
        t.deepEqual(
          readCsv(rows.map(csvRow).join('')),
          rows.map((row) => row.map(escaped)),
        )
      }),
      { numRuns: runs(1_000, 100) },
    )
    t.is(csvRow(['a', null, undefined, 0, 1.5, 'b"c', '-2']), `a,,,0,1.5,"b""c",'-2\r\n`)
  },
)

test.serial('an organization has one export at a time, until its answer has ended', async (t) => {
  const { services } = openBare(t)
  const { handler } = paymentSearchRoutes.find(({ operationId }) => operationId === 'exportPayments')!
  const answer = async (organization: string) => {
    const principal = { organization }
    const call = { services, principal, caller: { principal }, query: {} }
    return (await handler(call as never)) as Result<RouteAnswer>
  }
  const first = await answer('one')
  const second = await answer('one')
  t.like(second, { ok: false, refusal: { code: 'LIMIT_REACHED' } })
  const other = await answer('other')
  t.true(first.ok && other.ok)
  done(first).onEnd!()
  await new Promise(setImmediate)
  const third = await answer('one')
  for (const one of [third, other]) done(one).onEnd!()
})

test.serial('an export whose reader has left is over', async (t) => {
  const leave = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${ORGANIZATION_KEY}` }
      const request = get(`${service.url}/api/payments/export`, { headers }, (response) => {
        resolve(response.statusCode!)
        response.destroy()
      })
      request.on('error', reject)
    })
  for (let round = 0; round < 10; round += 1) {
    for (;;) {
      if ((await leave()) === 200) break
    }
  }
  let last = await exported()
  while (last.status === 409) last = await exported()
  t.is(recordsIn(await last.text()).length, HOSTILE.length)
})

test.serial('bursar payments export writes the same text to standard output and to a file', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const env = { BURSAR_URL: service.url, BURSAR_API_KEY: ORGANIZATION_KEY }
  const run = async (...args: string[]) => {
    const context = surroundings({ env })
    const code = await runCommand(['payments', 'export', ...args], context)
    return { code, said: context.said.join('\n'), complained: context.complained.join('\n') }
  }
  const text = await admin.payments.export({ category: 'cloud', amountMin: 2, status: 'EXECUTED' })
  t.is(recordsIn(text).length, 5)
  const given = ['--category', 'cloud', '--amount-min', '2', '--status', 'EXECUTED', '--agent', 'Buyer']
  const said = await run(...given)
  t.deepEqual([said.code, `${said.said}\n`], [0, text])
  const out = join(folder, 'payments.csv')
  const written = await run(...given, '--out', out, '--json')
  t.deepEqual([written.code, JSON.parse(written.said)], [0, { file: out, bytes: Buffer.byteLength(text) }])
  t.is(readFileSync(out, 'utf8'), text)
  t.is(statSync(out).mode & 0o777, 0o600)
  t.is((await run(...given, '--out', out, '--to', 'never')).code, 1)
  t.is(readFileSync(out, 'utf8'), text, 'a refused export leaves the file as it was')
  t.deepEqual(readdirSync(folder), ['payments.csv'])
  for (const wrong of [['--out', '/dev/null'], ['--json'], ['--status', 'NONE'], ['--violation', 'NONE']]) {
    await t.throwsAsync(run(...wrong), { instanceOf: UsageError })
  }
})
