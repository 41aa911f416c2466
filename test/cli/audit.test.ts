// bursar audit verify on exports that were tampered with in every way a text file allows.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { generateKeyPairSync, sign } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import { runCommand } from '../../src/cli/bursar.js'
import { UsageError } from '../../src/cli/terminal/command.js'
import { readLines } from '../../src/cli/terminal/lines.js'
import { entryLeaf } from '../../src/domain/audit/chain.js'
import type { RawEntry } from '../../src/domain/audit/forms.js'
import { canonicalJson, type Json } from '../../src/domain/values/canonical.js'
import { checkpointText, checkpointOrigin, signedNote, verifierKey } from '../../src/domain/audit/checkpoint.js'
import { GrowingRoot } from '../../src/domain/audit/merkle.js'
import { runs } from '../support/depth.js'
import { linked, rewritten, unchained } from '../support/auditChain.js'
import { surroundings } from '../support/commandContext.js'

const folder = mkdtempSync(join(tmpdir(), 'bursar-test-'))
test.after.always('the files are removed', () => rmSync(folder, { recursive: true, force: true }))

const pair = generateKeyPairSync('ed25519')
const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
const key = { name: checkpointOrigin('ctest'), publicKey }
let files = 0

function file(content: string): string {
  const path = join(folder, `file-${(files += 1)}`)
  writeFileSync(path, content)
  return path
}

function chain(count: number): RawEntry[] {
  const entries: RawEntry[] = []
  for (let at = 0; at < count; at += 1) entries.push(linked(unchained(at), entries.at(-1)))
  return entries
}

const line = (entry: unknown): string => canonicalJson(entry as Json)
const textOf = (entries: readonly unknown[]): string => entries.map((entry) => `${line(entry)}\n`).join('')

function noteOf(entries: readonly RawEntry[]): string {
  const tree = new GrowingRoot()
  for (const entry of entries) tree.add(entryLeaf(entry))
  const checkpoint = { origin: key.name, size: tree.size, root: tree.root(), head: entries.at(-1)!.hash }
  return signedNote(checkpointText(checkpoint), key, (message) => sign(null, message, pair.privateKey))
}

async function verify(text: string, ...more: string[]): Promise<{ code: number; said: string }> {
  const { said, ...context } = surroundings()
  return { code: await runCommand(['audit', 'verify', file(text), ...more], context), said: said.join('\n') }
}

/** The sequence that is reported as the first broken or missing one. */
const firstIn = (said: string): number => Number(/entry (\d+) is the first/.exec(said)?.[1])

test('only a line feed ends a line: entries with other line separators are valid', async (t) => {
  const entry = linked({
    ...unchained(0),
    data: { purpose: 'one\u2028two\u2029three' },
  })
  t.true(textOf([entry]).includes('\u2028'))
  t.is((await verify(textOf([entry]))).code, 0)
})

test('input is split at line feeds, wherever its chunks end', async (t) => {
  const bytes = Buffer.from('première\n\u2028deux\n\nend')
  for (let size = 1; size <= bytes.length; size += 1) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    )
    const found: string[] = []
    for await (const part of readLines(Readable.from(chunks))) found.push(part)
    t.deepEqual(found, ['première', '\u2028deux', '', 'end'])
  }
})

test('an export is valid in canonical form and as JSON.stringify writes it', async (t) => {
  const entries = chain(300)
  const kept = file(noteOf(entries.slice(0, 200)))
  for (const text of [textOf(entries), entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')]) {
    const { code, said } = await verify(text, '--checkpoint', kept, '--key', verifierKey(key))
    t.is(code, 0)
    t.regex(said, /^valid: 300 entries/)
    t.regex(said, /first 200 entries match the checkpoint of bursar\/audit\/ctest, which is signed$/)
  }
})

const length = fc.integer({ min: 2, max: 40 })
const place = length.chain((count) => fc.tuple(fc.constant(count), fc.nat(count - 1), fc.nat(count - 1)))

type Tampering = (lines: string[], at: number, other: number, seed: number) => { lines: string[]; first: number }

const without = <Item>(items: readonly Item[], at: number): Item[] => items.filter((_, place) => place !== at)
/** Another character of the same kind, so that the text stays JSON where it can. */
function changed(text: string, at: number): string {
  const character = text[at]!
  const other = /\d/.test(character) ? String((Number(character) + 1) % 10) : character === 'a' ? 'b' : 'a'
  return text.slice(0, at) + other + text.slice(at + 1)
}

const TAMPERINGS: { [what: string]: Tampering } = {
  'a character changed': (lines, at, _other, seed) => ({
    lines: lines.with(at, changed(lines[at]!, seed % lines[at]!.length)),
    first: at + 1,
  }),
  'an entry deleted': (lines, at) => ({ lines: without(lines, at), first: at + 1 }),
  'two entries swapped': (lines, at, other) => ({
    lines: lines.with(at, lines[other]!).with(other, lines[at]!),
    first: Math.min(at, other) + 1,
  }),
  'an entry inserted': (lines, at, other) => ({
    lines: lines.toSpliced(at, 0, lines[other]!),
    first: at + (at === other ? 2 : 1),
  }),
  'an entry truncated': (lines, at, _other, seed) => ({
    lines: lines.with(at, lines[at]!.slice(0, seed % lines[at]!.length)),
    first: at + 1,
  }),
  'the tail cut off': (lines, at) => ({ lines: lines.slice(0, at), first: at + 1 }),
  'a duplicated member': (lines, at) => ({
    lines: lines.with(at, lines[at]!.replace('{', '{"action":"agent.create",')),
    first: at + 1,
  }),
  'white space added': (lines, at) => ({ lines: lines.with(at, lines[at]!.replace(',', ', ')), first: at + 1 }),
}

for (const [what, tamper] of Object.entries(TAMPERINGS)) {
  test(`an export with ${what} is broken at the right entry`, async (t) => {
    await fc.assert(
      fc.asyncProperty(place, fc.nat(), async ([count, at, other], seed) => {
        fc.pre(what !== 'two entries swapped' || at !== other)
        const entries = chain(count)
        const { lines, first } = tamper(entries.map(line), at, other, seed)
        const text = lines.map((one) => `${one}\n`).join('')
        const { code, said } = await verify(text, '--checkpoint', file(noteOf(entries)))
        t.is(code, 1, said)
        t.is(firstIn(said), first, said)
      }),
      { numRuns: runs(60) },
    )
  })
}

test('the result is also available as JSON', async (t) => {
  const entries = chain(3)
  const whole = await verify(textOf(entries), '--json')
  t.like(JSON.parse(whole.said), { valid: true, entries: 3, head: entries[2]!.hash })
  const cut = await verify(textOf(entries.slice(1)), '--json')
  t.is(cut.code, 1)
  t.like(JSON.parse(cut.said), { valid: false })
})

test('a forged entry with a valid hash is found wherever it is inserted', async (t) => {
  await fc.assert(
    fc.asyncProperty(place, fc.constantFrom(0, 1), async ([count, at], replaced) => {
      const entries = chain(count)
      const before = entries[at - 1]
      const forged = linked(unchained(999), before)
      const text = textOf(entries.toSpliced(at, replaced, forged))
      const { code, said } = await verify(text, '--checkpoint', file(noteOf(entries)))
      t.is(code, 1, said)
      // It chains to the entry before it; the next entry exposes it or, at the end, the checkpoint does.
      if (at + 1 < count) t.is(firstIn(said), at + 2, said)
      else t.regex(said, /history was rewritten/)
    }),
    { numRuns: runs(60) },
  )
})

test('without a checkpoint every tampering but a cut tail is found, and the output says so', async (t) => {
  const entries = chain(20)
  const { code, said } = await verify(textOf(entries.slice(0, 15)))
  t.is(code, 0)
  t.regex(said, /entries missing at the end show only with --checkpoint/)
  for (const [what, tamper] of Object.entries(TAMPERINGS)) {
    if (what === 'the tail cut off') continue
    const { lines, first } = tamper(entries.map(line), 7, 11, 40)
    const found = await verify(lines.map((one) => `${one}\n`).join(''))
    t.deepEqual([found.code, firstIn(found.said)], [1, first], what)
  }
  t.is((await verify('')).code, 1)
})

test('a rewritten and rechained history is found by any checkpoint after the change', async (t) => {
  const entries = chain(50)
  const text = textOf(rewritten(entries, 20))
  t.is((await verify(text)).code, 0)
  for (const size of [20, 33, 50]) {
    const { code, said } = await verify(text, '--checkpoint', file(noteOf(entries.slice(0, size))))
    t.is(code, 1)
    t.regex(said, new RegExp(`first ${size} entries do not match the checkpoint`))
  }
  t.is((await verify(text, '--checkpoint', file(noteOf(entries.slice(0, 19))))).code, 0)
})

test('a checkpoint that the key did not sign is refused', async (t) => {
  const entries = chain(5)
  const note = noteOf(entries)
  const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const others = verifierKey({ name: key.name, publicKey: other })
  const text = textOf(entries)
  t.is((await verify(text, '--checkpoint', file(note), '--key', others)).code, 1)
  t.is((await verify(text, '--checkpoint', file(JSON.stringify({ checkpoint: note, verifierKey: others })))).code, 1)
  const answer = file(JSON.stringify({ checkpoint: note, verifierKey: verifierKey(key) }))
  const own = await verify(text, '--checkpoint', answer)
  t.is(own.code, 0)
  t.regex(own.said, /the signature was checked with the key from the checkpoint's own file/)
  const unsigned = await verify(text, '--checkpoint', file(note))
  t.regex(unsigned.said, /signature was not checked/)
})

test('wrong arguments and unreadable files are usage errors', async (t) => {
  const path = file('')
  const unreadable = [[], [path, path], [join(folder, 'missing')], [folder]]
  for (const args of [...unreadable, [path, '--what'], [path, '--key', 'x'], [path, '--checkpoint', path]]) {
    await t.throwsAsync(runCommand(['audit', 'verify', ...args], surroundings()), { instanceOf: UsageError })
  }
})

test('a file that is no export is a usage error with what it says, not a broken log', async (t) => {
  const refusal = { error: 'The key is unknown', code: 'AUTH_FAILED' }
  const note = noteOf(chain(3))
  const others: [string, RegExp][] = [
    [JSON.stringify(refusal), /is not an export of the audit log, but says AUTH_FAILED: The key is unknown$/],
    [JSON.stringify(refusal, null, 2), /is not an export of the audit log, but says AUTH_FAILED/],
    [JSON.stringify({ checkpoint: note }), /is not an export of the audit log$/],
    [note, /is not an export of the audit log$/],
  ]
  for (const [text, message] of others) await t.throwsAsync(verify(text), { instanceOf: UsageError, message })
})

test('an export whose first line was replaced, or lost a member, is broken', async (t) => {
  const entries = chain(3)
  const { sequence: _, ...first } = entries[0]!
  for (const altered of [{}, { error: 'x', code: 'AUTH_FAILED' }]) {
    t.is((await verify(textOf([altered, ...entries.slice(1)]))).code, 1)
  }
  t.is((await verify(textOf([first]))).code, 1)
  t.is((await verify('{')).code, 1)
})
