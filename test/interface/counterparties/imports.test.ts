// Bulk import of counterparties: up to 500 at once, each checked separately, with results in input order.
import test from 'ava'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { randomAddress } from '../../support/commands.js'
import { failureOf, openStage, type Stage } from './stage.js'
import type { CounterpartyImport } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: Stage

test.before('the service starts', async () => {
  stage = await openStage(scope)
})

const path = '/api/counterparties/import'

const imported = async (
  counterparties: unknown[],
  headers: { [name: string]: string } = {},
): Promise<CounterpartyImport> => {
  const { status, body } = await stage.client.post<CounterpartyImport>(
    path,
    ORGANIZATION_KEY,
    { counterparties },
    headers,
  )
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

test('an import of 500 entries reports duplicates, bad rows and blocked addresses in input order', async (t) => {
  const blocked = await stage.register({ status: 'BLOCKED' })
  const shunned = await stage.register({ status: 'BLOCKED' })
  await stage.remove(shunned.id)
  const rows: unknown[] = Array.from({ length: 500 }, (_, at) => ({ name: `Company ${at}`, address: randomAddress() }))
  const first = rows[0] as { name: string; address: string }
  rows[10] = { name: 'Twin', address: first.address.toLowerCase() }
  rows[20] = { name: 'Blocked', address: blocked.address, status: 'TRUSTED' }
  rows[30] = { name: 'Shunned', address: shunned.address, status: 'TRUSTED' }
  rows[40] = { name: 'Bad address', address: 'nowhere' }
  rows[50] = { address: randomAddress() }
  rows[60] = null
  rows[70] = { name: 'Zero', address: `0x${'0'.repeat(40)}` }
  rows[80] = { name: 'Status', address: randomAddress(), status: 'GOOD' }
  rows[90] = { name: 'Kept', address: randomAddress(), category: 'TOOLS', status: 'VERIFIED' }
  const result = await imported(rows)
  t.like(result, { imported: 493, skipped: 2 })
  t.deepEqual(
    result.errors.map(({ index, code }) => [index, code]),
    [
      [40, 'INVALID_ADDRESS'],
      [50, 'INVALID_INPUT'],
      [60, 'INVALID_INPUT'],
      [70, 'INVALID_ADDRESS'],
      [80, 'INVALID_INPUT'],
    ],
  )
  t.is(result.errors[0]!.address, 'nowhere')
  t.is(result.errors[2]!.error, 'The entry must be a JSON object')
  t.deepEqual(Object.keys(result.errors[0]!).sort(), ['address', 'code', 'error', 'index'])
  const skipped = new Set([10, 20, 40, 50, 60, 70, 80])
  const names = rows.flatMap((row, at) => (skipped.has(at) ? [] : [(row as { name: string }).name]))
  t.deepEqual(
    result.counterparties.map(({ name }) => name),
    names,
  )
  const idOf = (name: string): string => result.counterparties.find((one) => one.name === name)!.id
  t.is((await stage.counterparty(idOf('Shunned'))).body.status, 'BLOCKED')
  t.like((await stage.counterparty(idOf('Kept'))).body, { category: 'TOOLS', status: 'VERIFIED' })
  t.like((await stage.counterparty(blocked.id)).body, { status: 'BLOCKED', name: 'Paper Ltd' })
  t.like(await imported(rows.slice(0, 10)), { imported: 0, skipped: 10, errors: [], counterparties: [] })
})

test('500 long entries are accepted; 501, none, or more than a mebibyte are refused', async (t) => {
  const row = () => ({ name: '𝓝'.repeat(200), address: randomAddress(), category: 'CLOUD_SERVICES', status: 'UNKNOWN' })
  const rows = Array.from({ length: 500 }, row)
  t.is((await imported(rows)).imported, 500)
  const send = (body: unknown) => stage.client.post(path, ORGANIZATION_KEY, body)
  t.deepEqual(failureOf(await send({ counterparties: [...rows, row()] })), { status: 400, code: 'INVALID_INPUT' })
  t.deepEqual(failureOf(await send({ counterparties: [] })), { status: 400, code: 'INVALID_INPUT' })
  const large = { counterparties: [{ name: 'x'.repeat(1024 * 1024), address: randomAddress() }] }
  t.deepEqual(failureOf(await send(large)), { status: 413, code: 'PAYLOAD_TOO_LARGE' })
})

test('an error shows only the beginning of a long address', async (t) => {
  const { errors } = await imported([{ name: 'Long', address: 'x'.repeat(900_000) }])
  t.like(errors, [{ address: `${'x'.repeat(200)}…`, code: 'INVALID_ADDRESS' }])
})

test('two concurrent imports of the same entries register each address once', async (t) => {
  const rows = Array.from({ length: 100 }, (_, at) => ({ name: `Twice ${at}`, address: randomAddress() }))
  const results = await Promise.all([imported(rows), imported(rows)])
  t.is(results[0]!.imported + results[1]!.imported, 100)
  t.is(results[0]!.skipped + results[1]!.skipped, 100)
})
