// The SDK's export of the audit log: one text when awaited, line by line when iterated, with no more in memory than the
// loop has reached.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import test from 'ava'
import { BursarAdmin, BursarError } from '../../sdk/index.js'
import { start } from '../support/service.js'
import { ORGANIZATION_KEY, type Scope } from '../support/process.js'
import { serve, serveInTurn, type Handler } from '../support/server.js'

async function auditOf(scope: Scope, handler: Handler, options: object = {}): Promise<BursarAdmin['audit']> {
  const server = await serve(scope, handler)
  return new BursarAdmin({ apiKey: 'key', baseUrl: server.url, ...options }).audit
}

/** The lines before the end, and the error that ended them. */
async function readToEnd(lines: AsyncIterable<string>): Promise<{ read: string[]; error: unknown }> {
  const read: string[] = []
  try {
    for await (const line of lines) read.push(line)
  } catch (error) {
    return { read, error }
  }
  return { read, error: undefined }
}

test('Awaiting an export gives its whole text, iterating it gives each line', async (t) => {
  const { url } = await start(t)
  const admin = new BursarAdmin({ apiKey: ORGANIZATION_KEY, baseUrl: url })
  for (const name of ['Grüße', '☃']) await admin.agents.create({ name, agentType: 'CUSTOM' })
  const text = await admin.audit.export()
  const { read, error } = await readToEnd(admin.audit.export())
  t.is(error, undefined)
  t.is(`${read.join('\n')}\n`, text)
  t.deepEqual(
    read.map((line) => (JSON.parse(line) as { sequence: number }).sequence),
    read.map((_, at) => at + 1),
  )
  t.true(read.length >= 2)
})

test('A line is given as soon as it is complete, however the network splits its bytes', async (t) => {
  const bytes = Buffer.from('{"a":"☃\u2028"}\n{"b":2}')
  let go = (): void => {}
  const audit = await auditOf(t, async (_sent, response) => {
    response.write('{"first":1}\n')
    await new Promise<void>((resolve) => (go = resolve))
    for (const byte of bytes) await new Promise<unknown>((resolve) => response.write(Uint8Array.of(byte), resolve))
    response.end()
  })
  const read = audit.export()[Symbol.asyncIterator]()
  t.is((await read.next()).value, '{"first":1}')
  go()
  t.deepEqual([(await read.next()).value, (await read.next()).value], ['{"a":"☃\u2028"}', '{"b":2}'])
  t.true((await read.next()).done)
})

test('An endless log is read only as far as the loop goes', async (t) => {
  const line = `${JSON.stringify({ padding: 'x'.repeat(10_000) })}\n`
  let written = 0
  let ended: Promise<unknown> | undefined
  const endless = async (response: ServerResponse): Promise<void> => {
    ended = once(response, 'close')
    while (!response.destroyed) {
      written += line.length
      if (!response.write(line)) await Promise.race([once(response, 'drain'), ended])
    }
  }
  let read = 0
  const audit = await auditOf(t, (_sent, response) => endless(response))
  for await (const one of audit.export()) {
    t.is(one.length, line.length - 1)
    read += 1
    if (read === 1000) break
  }
  await ended
  t.is(read, 1000)
  t.true(written < 64 * 1024 * 1024, `${written} bytes`)
})

test('If an export breaks off or falls silent, the loop throws TIMEOUT after the complete lines', async (t) => {
  const endings: [string, number, (response: ServerResponse) => void, RegExp][] = [
    ['cut', 30_000, (response) => void response.destroy(), /got no complete answer \(/],
    // On a busy machine even the beginning may come too late.
    ['silent', 500, () => {}, /got no (complete answer|answer) within 500 ms/],
  ]
  for (const [name, timeout, end, message] of endings) {
    const begin: Handler = (_sent, response) => void response.write('{"a":1}\n{"b"', () => end(response))
    const audit = await auditOf(t, begin, { timeout })
    const { read, error } = await readToEnd(audit.export())
    t.true(error instanceof BursarError, name)
    t.like(error as BursarError, { code: 'TIMEOUT', status: 0 })
    t.regex((error as BursarError).message, message)
    t.false(read.includes('{"b"'), name)
  }
})

test('The caller can abort an export at any line', async (t) => {
  const audit = await auditOf(t, (_sent, response) => void response.write('{"a":1}\n'))
  const caller = new AbortController()
  const read = audit.export({ signal: caller.signal })[Symbol.asyncIterator]()
  t.is((await read.next()).value, '{"a":1}')
  const reason = new Error('enough')
  const next = read.next()
  caller.abort(reason)
  t.is(await t.throwsAsync(next), reason)
})

test('A refusal is thrown when awaited and when iterated, after retries of what is temporary', async (t) => {
  const no = { status: 403, body: { error: 'No', code: 'INSUFFICIENT_SCOPE' } }
  const busy = { status: 503, headers: { 'Retry-After': '0' } }
  const server = await serveInTurn(t, busy, no, busy, no)
  const admin = new BursarAdmin({ apiKey: 'key', baseUrl: server.url })
  const refused = await t.throwsAsync(async () => void (await admin.audit.export()), { instanceOf: BursarError })
  t.like(refused, { code: 'INSUFFICIENT_SCOPE', status: 403 })
  const { error } = await readToEnd(admin.audit.export())
  t.like(error, { code: 'INSUFFICIENT_SCOPE', status: 403 })
  t.is(server.sent.length, 4)
})

test('An awaited export can still be iterated, but an iterated one cannot be awaited', async (t) => {
  const server = await serveInTurn(t, { status: 200, body: '1\n2\n3\n' })
  const log = new BursarAdmin({ apiKey: 'key', baseUrl: server.url }).audit.export()
  t.is(await log, '1\n2\n3\n')
  t.deepEqual((await readToEnd(log)).read, ['1', '2', '3'])
  t.is(server.sent.length, 1)
  const iterated = new BursarAdmin({ apiKey: 'key', baseUrl: server.url }).audit.export()
  t.deepEqual((await readToEnd(iterated)).read, ['1', '2', '3'])
  await t.throwsAsync(iterated, { instanceOf: TypeError })
})
