// What a start makes of a journal that a killed process has left, and of one that was damaged, lost or exchanged: all that
// was answered is there afterwards, or the start is refused.
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { open } from 'lmdb'
import { charts } from '../../machines/index.js'
import { copyDatabase } from '../../src/store/backup/copy.js'
import { Fence } from '../../src/store/folder/fence.js'
import { entryAt, EntryWriter, type JournalEntry } from '../../src/store/journal/entry.js'
import { FileJournal } from '../../src/store/journal/fileJournal.js'
import {
  CONFIRMED,
  CONFIRMED_BYTES,
  confirmation,
  isJournal,
  isSegment,
  journalName,
  nextSector,
  seedOf,
} from '../../src/store/journal/files.js'
import { withFileJournal } from '../../src/store/journal/owner.js'
import { DamagedJournal } from '../../src/store/journal/readJournal.js'
import { replayJournal } from '../../src/store/journal/replay.js'
import { ENVIRONMENT } from '../../src/store/open.js'
import { Store } from '../../src/store/store.js'
import { turnsOf } from '../support/depth.js'
import { newFolder } from '../support/process.js'
import { refOf, withStore } from '../support/openStore.js'

/** So many that they fill more than one segment. */
const ENTRIES = 11
const LONG = 'x'.repeat(2 ** 20)
const keyOf = (index: number): string => `key/${index}`
const valueOf = (index: number) => `agent/${index}${LONG}` as const

/** What kill -9 leaves of a process whose entries are in its journal alone, after one row that is in LMDB. */
async function killed(t: ExecutionContext, entries = ENTRIES): Promise<string> {
  const folder = newFolder(t)
  await withStore(folder, async ({ lookups }) => lookups.put('first', refOf(1)))
  const root = open({ path: folder, ...ENVIRONMENT })
  const { journal, sequence } = withFileJournal(new Fence(root), folder, randomBytes).durability
  for (let index = 0; index < entries; index += 1) {
    const entry = new EntryWriter(sequence + 1 + index, Buffer.alloc(2 ** 10))
    entry.table('lookups', 1)
    entry.value(keyOf(index), 4, JSON.stringify(valueOf(index)))
    await journal.append(entry.sequence, entry.bytes.subarray(0, entry.end))
    journal.confirm(entry.sequence)
  }
  await root.close()
  rmSync(join(folder, 'lock.mdb'))
  return folder
}

function copied(t: ExecutionContext, folder: string): string {
  const copy = newFolder(t)
  cpSync(folder, copy, { recursive: true })
  return copy
}

const journalOf = (folder: string): string => join(folder, readdirSync(folder).find(isJournal)!)

interface Found extends JournalEntry {
  file: string
  at: number
}

function entriesIn(journal: string): Found[] {
  const seed = seedOf(journal.split('/').at(-1)!)
  const found: Found[] = []
  for (const name of readdirSync(journal).filter(isSegment)) {
    const file = join(journal, name)
    const bytes = readFileSync(file)
    for (let at = 0; ;) {
      const entry = entryAt(bytes, at, seed)
      if (!entry) break
      found.push({ ...entry, file, at })
      at = nextSector(at + entry.bytes.length)
    }
  }
  return found.sort((a, b) => a.sequence - b.sequence)
}

/** Undefined if the start has everything; what it says if it is refused. */
async function lossIn(t: ExecutionContext, folder: string, entries = ENTRIES): Promise<string | undefined> {
  try {
    await replayJournal(folder)
  } catch (error) {
    t.true(error instanceof DamagedJournal, String(error))
    return (error as Error).message.replaceAll(folder, '')
  }
  await withStore(folder, async ({ lookups }) => {
    t.is(lookups.get('first'), refOf(1))
    for (let index = 0; index < entries; index += 1) t.is(lookups.get(keyOf(index)), valueOf(index), keyOf(index))
  })
  return undefined
}

test('what was answered before a kill is there after the next start, and no journal is left', async (t) => {
  const folder = await killed(t)
  t.true(readdirSync(journalOf(folder)).length > 3)
  const progress: [number, number][] = []
  await replayJournal(copied(t, folder), (done, total) => progress.push([done, total]))
  t.true(progress.length > 1)
  t.is(progress.at(-1)![0], progress.at(-1)![1])
  t.is(await lossIn(t, folder), undefined)
  t.deepEqual(readdirSync(folder).filter(isJournal), [])
})

test('an ordinary stop leaves no journal', async (t) => {
  const folder = newFolder(t)
  await withStore(folder, async (store) => store.lookups.put('a', refOf(1)))
  t.deepEqual(readdirSync(folder).filter(isJournal), [])
  await withStore(folder, async ({ lookups }) => t.is(lookups.get('a'), refOf(1)))
})

test('an entry that was damaged after it was answered is never left out', async (t) => {
  const folder = await killed(t)
  const entries = entriesIn(journalOf(folder))
  const [first, last] = [entries[0]!, entries.at(-1)!]
  const firstOfSegment = entries.find(({ at, sequence }) => at === 0 && sequence > first.sequence)!
  const lastOfSegment = entries[entries.indexOf(firstOfSegment) - 1]!
  const classes = ({ bytes }: Found): [string, number][] => [
    ['checksum', 1],
    ['length', 5],
    ['sequence', 14],
    ['table', 17],
    ['middle', bytes.length >> 1],
    ['end', bytes.length - 1],
  ]
  for (const [number, entry] of [first, lastOfSegment, firstOfSegment, last].entries()) {
    for (const [what, at] of turnsOf(classes(entry), number)) {
      const copy = copied(t, folder)
      const file = join(journalOf(copy), entry.file.split('/').at(-1)!)
      const bytes = readFileSync(file)
      bytes[entry.at + at]! ^= 0x10
      writeFileSync(file, bytes)
      const loss = await lossIn(t, copy)
      t.regex(loss ?? '', /lacks entr.*: put the files of this journal back, or restore a backup$/, what)
      rmSync(copy, { recursive: true })
    }
  }
})

test('a gap in front of whole entries is a loss, also where a power failure took what was confirmed since', async (t) => {
  const folder = await killed(t)
  const [first, second] = entriesIn(journalOf(folder))
  const seed = seedOf(journalOf(folder).split('/').at(-1)!)
  const bytes = readFileSync(second!.file)
  bytes.fill(0, second!.at, second!.at + 512)
  writeFileSync(second!.file, bytes)
  writeFileSync(join(journalOf(folder), CONFIRMED), confirmation(first!.sequence, seed, Buffer.alloc(CONFIRMED_BYTES)))
  t.regex((await lossIn(t, folder)) ?? '', new RegExp(`lacks entry ${second!.sequence}: put`))
})

test('a segment is used again only when LMDB has all of its entries', async (t) => {
  const folder = newFolder(t)
  await withStore(folder, (store) => store.stored())
  const journal = new FileJournal(folder, journalName(9, 'test'), 0)
  const append = async (sequence: number): Promise<void> => {
    const entry = new EntryWriter(sequence, Buffer.alloc(16))
    entry.table('lookups', 1)
    entry.value(keyOf(sequence), 4, JSON.stringify(valueOf(sequence)))
    await journal.append(sequence, entry.bytes.subarray(0, entry.end))
  }
  const stored = (): number[] => entriesIn(journalOf(folder)).map(({ sequence }) => sequence)
  for (let sequence = 1; sequence <= 9; sequence += 1) await append(sequence)
  await journal.trim(2)
  for (let sequence = 10; sequence <= 13; sequence += 1) await append(sequence)
  t.deepEqual(
    stored(),
    Array.from({ length: 13 }, (_, index) => index + 1),
  )
  await journal.trim(9)
  const segments = readdirSync(journalOf(folder)).length
  for (let sequence = 14; sequence <= 19; sequence += 1) await append(sequence)
  t.is(readdirSync(journalOf(folder)).length, segments)
  for (let sequence = 10; sequence <= 19; sequence += 1) t.true(stored().includes(sequence), String(sequence))
  await journal.remove()
})

test('an entry of which any part is not on disk was never answered', async (t) => {
  const folder = await killed(t, 3)
  const last = entriesIn(journalOf(folder)).at(-1)
  const seed = seedOf(journalOf(folder).split('/').at(-1)!)
  for (const first of [0, 1, 2]) {
    const copy = copied(t, folder)
    const file = join(journalOf(copy), last!.file.split('/').at(-1)!)
    const bytes = readFileSync(file)
    const next = nextSector(last!.at + last!.bytes.length)
    const torn = Buffer.from(last!.bytes)
    torn.writeDoubleLE(last!.sequence + 1, 8)
    for (let at = 512 * first; at < torn.length; at += 3 * 512) torn.fill(0, at, Math.min(at + 512, torn.length))
    torn.copy(bytes, next)
    t.is(entryAt(bytes, next, seed), undefined)
    writeFileSync(file, bytes)
    t.is(await lossIn(t, copy, 3), undefined)
    rmSync(copy, { recursive: true })
  }
})

test('a start without its journal, or a part of it, is refused', async (t) => {
  const folder = await killed(t)
  const lost = {
    '': /^\/journal\..* is missing: put/,
    [CONFIRMED]: /confirmed is missing: put/,
    '1.segment': /lacks entries: it ends at \d+ of \d+: put/,
  }
  for (const [name, said] of Object.entries(lost)) {
    const copy = copied(t, folder)
    rmSync(join(journalOf(copy), name), { recursive: true })
    t.regex((await lossIn(t, copy)) ?? '', said)
  }
  const copy = copied(t, folder)
  writeFileSync(join(journalOf(copy), CONFIRMED), Buffer.alloc(12, 1))
  t.regex((await lossIn(t, copy)) ?? '', /confirmed is damaged: put/)
})

test('a database and a journal of different times or folders are refused unless both together have everything', async (t) => {
  const folder = newFolder(t)
  const store = new Store(randomBytes, charts)
  mkdirSync(folder)
  store.open(folder)
  await store.takeOver()
  store.lookups.put('first', refOf(1))
  await store.stored()
  const older = copied(t, folder)
  for (let index = 0; index < 2; index += 1) store.lookups.put(keyOf(index), valueOf(index))
  await store.stored()
  const newer = copied(t, folder)
  await store.close()
  const mixed = (database: string, journal: string): string => {
    const copy = newFolder(t)
    mkdirSync(copy)
    cpSync(join(database, 'data.mdb'), join(copy, 'data.mdb'))
    cpSync(journalOf(journal), join(copy, journalOf(journal).split('/').at(-1)!), { recursive: true })
    return copy
  }
  t.is(await lossIn(t, mixed(newer, newer), 2), undefined)
  t.is(await lossIn(t, mixed(older, newer), 2), undefined)
  const said = /is older than the database: it ends at \d+, not at \d+: put/
  t.regex((await lossIn(t, mixed(newer, older), 2)) ?? '', said)
  t.regex((await lossIn(t, mixed(newer, await killed(t)), 2)) ?? '', /is missing: put|is of another data.mdb than/)
})

test('entries of another journal are none', async (t) => {
  const [one, other] = [await killed(t), await killed(t)]
  cpSync(join(journalOf(other), '1.segment'), join(journalOf(one), '1.segment'))
  t.regex((await lossIn(t, one)) ?? '', /lacks entries/)
})

test('a start or a stop that ended as it removed its journal is no loss', async (t) => {
  const folder = await killed(t, 2)
  const journal = journalOf(folder)
  const kept = copied(t, folder)
  t.is(await lossIn(t, folder, 2), undefined)
  // All of it is in LMDB: what is left of the journal does not matter.
  cpSync(journalOf(kept), journal, { recursive: true })
  t.is(await lossIn(t, folder, 2), undefined)
  cpSync(journalOf(kept), `${journal}.unfinished`, { recursive: true })
  rmSync(join(`${journal}.unfinished`, CONFIRMED))
  t.is(await lossIn(t, folder, 2), undefined)
})

test('a start that ended as it made its journal is no loss', async (t) => {
  const folder = await killed(t, 2)
  const name = journalOf(folder).split('/').at(-1)!
  cpSync(journalOf(folder), join(folder, `${name.replace(/\d+/, '99')}.unfinished`), { recursive: true })
  t.is(await lossIn(t, folder, 2), undefined)
  t.deepEqual(
    readdirSync(folder).filter((one) => one.startsWith('journal')),
    [],
  )
})

test('a folder without its database is not made anew from a journal', async (t) => {
  const folder = await killed(t, 2)
  const journal = journalOf(folder)
  rmSync(join(folder, 'data.mdb'))
  await replayJournal(folder)
  t.true(existsSync(journal))
  await withStore(`${folder}.new`, (store) => store.stored())
  renameSync(join(`${folder}.new`, 'data.mdb'), join(folder, 'data.mdb'))
  rmSync(`${folder}.new`, { recursive: true })
  t.regex((await lossIn(t, folder, 2)) ?? '', /is of another data.mdb than/)
})

test('a copy that is made while the store is open has what was durable before', async (t) => {
  const [folder, target] = [newFolder(t), newFolder(t)]
  mkdirSync(folder)
  const store = new Store(randomBytes, charts)
  store.open(folder)
  await store.takeOver()
  store.lookups.put('first', refOf(1))
  for (let index = 0; index < 3; index += 1) {
    store.lookups.put(keyOf(index), valueOf(index))
    await store.flushed()
  }
  await copyDatabase(folder, target)
  t.deepEqual(readdirSync(target), ['data.mdb'])
  t.is(await lossIn(t, target, 3), undefined)
  await store.close()
})

test('a copy of a killed folder has what is in the journal alone', async (t) => {
  const target = newFolder(t)
  await copyDatabase(await killed(t), target)
  t.deepEqual(readdirSync(target), ['data.mdb'])
  t.is(await lossIn(t, target), undefined)
})
