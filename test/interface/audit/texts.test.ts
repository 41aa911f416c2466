// Texts in the audit log: hashed as salted digests, shown in their places, and erased without breaking the chain.
import { randomBytes } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { charts } from '../../../machines/index.js'
import type { AuditEntryList, Receipt, VerifiedAuditLog } from '../../../sdk/api.js'
import { faultOf } from '../../../src/domain/audit/chain.js'
import type { RawEntry } from '../../../src/domain/audit/forms.js'
import { digested, ERASED, type SaltedData } from '../../../src/domain/audit/texts.js'
import type { Json } from '../../../src/domain/values/canonical.js'
import { Store } from '../../../src/store/store.js'
import { runCommand } from '../../../src/cli/bursar.js'
import { overwrite } from '../../support/auditChain.js'
import { surroundings } from '../../support/commandContext.js'
import { ask, fundedAgent } from '../../support/payments.js'
import { newFolder, ORGANIZATION_KEY } from '../../support/process.js'
import { projectRoot } from '../../support/root.js'
import { start, type Started } from '../../support/service.js'
import { runCommands } from './commands.js'

const SAID = {
  purpose: 'Bücher ☃',
  recipientName: 'Paper Ltd',
  context: { 'a/b~c': ['why'], sha256: 'mine', salt: 's', text: 't' },
  lineItems: [{ description: 'Pens', quantity: 1, unitAmount: 12 }],
}

/** A service with one payment of `SAID`, and its id. */
async function paid(t: ExecutionContext): Promise<{ service: Started; paymentId: string }> {
  const service = await start(t)
  const { key } = await fundedAgent(service.client)
  const { body } = await ask(service.client, key, 12, SAID)
  return { service, paymentId: body.requestId }
}

const get = async <Body>({ client }: Started, path: string): Promise<Body> =>
  (await client.get<Body>(path, ORGANIZATION_KEY)).body
const exported = ({ client }: Started): Promise<string> =>
  client.get<string>('/api/audit-logs/export', ORGANIZATION_KEY).then(({ body }) => body)
const linesOf = (text: string): RawEntry[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RawEntry)

interface Terms {
  terms: { [field: string]: Json }
}

test('entries have their texts in place, and with format=raw their digests, with the texts beside them', async (t) => {
  const { service, paymentId } = await paid(t)
  const path = `/api/audit-logs?resourceId=${paymentId}`
  const [shown] = (await get<AuditEntryList>(service, path)).entries
  const { lineItems, ...said } = SAID
  t.like((shown!.data as Terms).terms, said)
  t.like((shown!.data as Terms).terms['lineItems'], [{ description: lineItems[0]!.description, quantity: 1 }])
  t.like(shown, { format: 2, texts: undefined })
  const [raw] = (await get<{ entries: RawEntry[] }>(service, `${path}&format=raw`)).entries
  const { terms } = raw!.data as unknown as Terms
  for (const field of ['agentId', 'recipientAddress', 'amount', 'settlementMode']) {
    t.is(terms[field], (shown!.data as Terms).terms[field], field)
  }
  t.deepEqual(raw!.texts.map((one) => [one.path, one.text]).sort(), [
    ['/terms/context/a~1b~0c/0', 'why'],
    ['/terms/context/salt', 's'],
    ['/terms/context/sha256', 'mine'],
    ['/terms/context/text', 't'],
    ['/terms/lineItems/0/description', 'Pens'],
    ['/terms/purpose', 'Bücher ☃'],
    ['/terms/recipientName', 'Paper Ltd'],
  ])
  t.false(JSON.stringify(raw!.data).includes('Pens'))
  t.is(new Set(raw!.texts.map(({ salt }) => salt)).size, raw!.texts.length)
  const proof = `/api/audit-logs/${raw!.sequence}/proof`
  t.deepEqual((await get<{ entry: RawEntry }>(service, `${proof}?format=raw`)).entry, raw!)
  t.deepEqual((await get<{ entry: object }>(service, proof)).entry, shown!)
  t.is((await service.client.get(`${path}&format=whole`, ORGANIZATION_KEY)).status, 400)
})

test('an entry whose texts are not what it digests is broken, and one without a text is not', async (t) => {
  const { service } = await paid(t)
  const entry = linesOf(await exported(service)).at(-1)!
  const [first, ...others] = entry.texts
  const link = { sequence: entry.sequence - 1, hash: entry.previousHash }
  const faults = (texts: unknown): string | undefined => faultOf({ ...entry, texts }, link)
  t.is(faults(entry.texts), undefined)
  t.is(faults(others), undefined)
  t.is(faults([]), undefined)
  const changed: unknown[] = [
    [{ ...first!, text: `${first!.text}.` }, ...others],
    [{ ...first!, salt: 'ab'.repeat(16) }, ...others],
    [{ ...first!, path: '/terms/agentId' }, ...others],
    [{ ...first!, path: '/terms/nothing' }, ...others],
    [{ ...first!, said: 'more' }, ...others],
    [first, ...entry.texts],
    [null],
    undefined,
    'texts',
  ]
  for (const texts of changed) t.is(faults(texts), 'its texts are not those that it digests', JSON.stringify(texts))
  t.is(faultOf({ ...entry, format: 1 }, link), 'its format is not 2')
})

/** Erases the texts of all of a payment's entries, as they lie in the folder of a service that is not running. */
async function erase(folder: string, paymentId: string): Promise<void> {
  const store = new Store(randomBytes, charts)
  store.open(folder)
  await store.takeOver()
  for (const [organization, entry] of store.everyEntry()) {
    if (entry.resourceId !== paymentId) continue
    await overwrite(store, organization, entry.sequence, { ...entry, data: digested(entry.data).data as SaltedData })
  }
  await store.close()
}

test('an entry with its texts erased still verifies, in the service, in its export and in receipts', async (t) => {
  const { service, paymentId } = await paid(t)
  const verified = await get<VerifiedAuditLog>(service, '/api/audit-logs/verify')
  await service.stop()
  await erase(service.folder, paymentId)
  await service.restart()
  t.like(await get(service, '/api/audit-logs/verify'), { valid: true })
  const text = await exported(service)
  const entry = linesOf(text).find(({ resourceId }) => resourceId === paymentId)!
  t.deepEqual(entry.texts, [])
  t.true(linesOf(text).some(({ hash }) => hash === verified.head))
  t.false(text.includes('Pens'))
  const [shown] = (await get<AuditEntryList>(service, `/api/audit-logs?resourceId=${paymentId}`)).entries
  t.like((shown!.data as Terms).terms, { purpose: ERASED, context: { sha256: ERASED } })
  const receipt = await get<Receipt>(service, `/api/payments/${paymentId}/receipt`)
  t.like(receipt.request, { purpose: ERASED })
  const { said, ...around } = surroundings()
  const file = newFolder(t)
  writeFileSync(file, text)
  t.is(await runCommand(['audit', 'verify', file], around), 0, said.join('\n'))
  writeFileSync(file, JSON.stringify(receipt))
  t.is(await runCommand(['receipt', 'verify', file, '--key', receipt.verifierKey], around), 0, said.join('\n'))
})

/** Members whose values the service words itself, from rules and decisions. */
const WORDED = new Set(['reasons', 'violations', 'causes', 'rules', 'facts', 'error'])

function* proseIn(value: Json, path = ''): Generator<string> {
  if (typeof value === 'string' && /\s|@|[^\x20-\x7e]/.test(value)) yield `${path}: ${value}`
  if (typeof value !== 'object' || value === null) return
  for (const [member, part] of Object.entries(value)) {
    if (!WORDED.has(member)) yield* proseIn(part!, `${path}/${member}`)
  }
}

test('nothing that people write is hashed in clear', async (t) => {
  let checked = 0
  await runCommands(t, (entry) => {
    checked += 1
    t.deepEqual([...proseIn(entry.data)], [], `${entry.action} ${entry.sequence}`)
  })
  t.true(checked > 100)
})

test('the program in the documentation checks a log, and finds a text that was changed', async (t) => {
  const { service } = await paid(t)
  const [program = ''] = readFileSync(join(projectRoot, 'docs/audit.md'), 'utf8')
    .split(/\n(?=\S)|\n\n(?=\S)/)
    .flatMap((part) => part.split(/\n\n(?= {4})/))
    .filter((block) => block.startsWith('    import { createHash }'))
  const lines = program.split('\n').filter((line) => line.trim() !== '')
  t.true(lines.length > 5 && lines.length <= 12, program)
  const folder = newFolder(t)
  execFileSync('mkdir', [folder])
  const text = await exported(service)
  const check = (log: string): string[] => {
    writeFileSync(join(folder, 'log.jsonl'), log)
    writeFileSync(join(folder, 'check.mjs'), program)
    return execFileSync(process.execPath, ['check.mjs'], { cwd: folder, encoding: 'utf8' }).trimEnd().split('\n')
  }
  const count = linesOf(text).length
  t.deepEqual(
    check(text),
    Array.from({ length: count }, (_, at) => `${at + 1} true`),
  )
  t.is(check(text.replace('Pens', 'Pins')).at(-1), `${count} false`)
  t.is(check(text.replace('"urgency":"NORMAL"', '"urgency":"HIGH"')).at(-1), `${count} false`)
})
