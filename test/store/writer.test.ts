// The order in which commits become durable, and in which LMDB gets them: none after one that failed.
import test from 'ava'
import { Unavailable } from '../../src/actor/host.js'
import { Fenced } from '../../src/store/folder/fence.js'
import { rowsIn } from '../../src/store/journal/entry.js'
import { Writer } from '../../src/store/writer.js'

interface Step {
  end: () => void
  fail: (error: Error) => void
}

/** Ends every step when all tests have: one without an end would keep the process for the longest that a disk may take. */
let endAll!: () => void
const ended = new Promise<void>((resolve) => (endAll = resolve))
test.after.always(() => endAll())

function step(steps: Step[]): Promise<void> {
  return Promise.race([ended, new Promise<void>((end, fail) => void steps.push({ end, fail }))])
}

/** A journal and an LMDB whose steps end or fail when the test says so. */
function disk(tickMs = 10, width = 1) {
  const entries: string[][] = []
  const stored: string[][] = []
  const appends: Step[] = []
  const stores: Step[] = []
  const confirmed: number[] = []
  const failures: Unavailable[] = []
  const held = { isHeld: true }
  const writer = new Writer((failure) => failures.push(failure), tickMs)
  let queued: string[] = []
  writer.register({
    take: (entry) => {
      const taken = queued
      queued = []
      if (taken.includes('broken')) throw new Error('The key is too long')
      entry.table('table', taken.length)
      for (const name of taken) entry.removal(name)
      return { landed: () => {}, store: () => void stored.push(taken), stored: () => {} }
    },
  })
  writer.begin({
    journal: {
      append: (_, entry) => {
        entries.push(Array.from(rowsIn(entry), ({ key }) => key))
        return step(appends)
      },
      confirm: (sequence) => void confirmed.push(sequence),
      trim: () => Promise.resolve(),
      remove: () => Promise.resolve(),
    },
    width,
    sequence: 0,
    store: (_, write) => {
      write()
      return step(stores)
    },
    isHeld: () => held.isHeld,
  })
  const add = (name: string) => {
    writer.wake()
    queued.push(name)
  }
  return { entries, stored, appends, stores, confirmed, failures, held, writer, add }
}

const turn = async () => {
  for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate)
}
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function isSettled(work: Promise<unknown>): Promise<boolean> {
  let settled = false
  work.finally(() => (settled = true)).catch(() => {})
  await turn()
  return settled
}

test('writes that are added in one turn of the event loop share a commit', async (t) => {
  const { entries, appends, writer, add } = disk()
  add('a')
  add('b')
  await turn()
  t.deepEqual(entries, [['a', 'b']])
  appends[0]!.end()
  await writer.flushed()
})

test('what is queued turn after turn shares a commit, but not for ever', async (t) => {
  const { entries, add } = disk()
  for (let turns = 0; turns < 20; turns += 1) {
    add(String(turns))
    await new Promise(setImmediate)
  }
  t.is(entries.length, 1)
  t.true(entries[0]!.length > 3 && entries[0]!.length < 12, String(entries[0]))
})

test('writes that are added during a commit wait for it and share the next', async (t) => {
  const { entries, appends, confirmed, writer, add } = disk()
  add('a')
  await turn()
  add('b')
  await turn()
  add('c')
  await turn()
  t.deepEqual(entries, [['a']])
  const all = writer.flushed()
  appends[0]!.end()
  await turn()
  t.deepEqual(entries, [['a'], ['b', 'c']])
  t.false(await isSettled(all))
  t.deepEqual([writer.durable, confirmed], [1, [1]])
  appends[1]!.end()
  await all
  t.deepEqual([writer.durable, confirmed], [2, [1, 2]])
})

test('entries that are on their way at once become durable in their order, and a third one waits', async (t) => {
  const { entries, appends, confirmed, writer, add } = disk(1000, 2)
  const asked: Promise<void>[] = []
  for (const name of ['a', 'b', 'c']) {
    add(name)
    asked.push(writer.flushed())
    await turn()
  }
  t.deepEqual(entries, [['a'], ['b']])
  appends[1]!.end()
  t.deepEqual([await isSettled(asked[1]!), confirmed], [false, []])
  appends[0]!.end()
  await Promise.all(asked.slice(0, 2))
  t.deepEqual(confirmed, [1, 2])
  await turn()
  t.deepEqual(entries, [['a'], ['b'], ['c']])
})

test('an entry behind one that failed is durable for nobody, although the journal has it', async (t) => {
  const { appends, confirmed, failures, writer, add } = disk(1000, 2)
  add('a')
  const first = writer.flushed()
  await turn()
  add('b')
  const second = writer.flushed()
  await turn()
  appends[1]!.end()
  appends[0]!.fail(new Error('Another node owns the shard'))
  for (const asked of [first, second]) await t.throwsAsync(asked, { instanceOf: Unavailable })
  t.deepEqual([confirmed, writer.durable, failures.length], [[], 0, 1])
})

test('LMDB gets what is durable, one commit at a time, and all of it before the end', async (t) => {
  const { appends, stored, stores, writer, add } = disk(1000)
  for (const [index, name] of ['a', 'b'].entries()) {
    add(name)
    await turn()
    appends[index]!.end()
    await writer.flushed()
  }
  const all = writer.stored()
  await after(40)
  const begun = stored.length
  t.is(stores.length, 1)
  add('c')
  await turn()
  appends[2]!.end()
  await after(40)
  t.is(stored.length, begun)
  t.false(await isSettled(all))
  for (const one of stores) one.end()
  while (stored.length < 3) {
    await after(10)
    for (const one of stores) one.end()
  }
  await all
  t.deepEqual(stored, [['a'], ['b'], ['c']])
})

test('nothing is written after an entry that failed', async (t) => {
  const { entries, appends, failures, writer, add } = disk()
  add('a')
  const first = writer.flushed()
  await turn()
  add('b')
  const second = writer.flushed()
  appends[0]!.fail(new Error('No space'))
  await t.throwsAsync(first, { instanceOf: Unavailable })
  await t.throwsAsync(second, { instanceOf: Unavailable })
  t.throws(() => add('c'), { instanceOf: Unavailable })
  await t.throwsAsync(writer.flushed(), { instanceOf: Unavailable })
  await turn()
  t.deepEqual(entries, [['a']])
  t.is(writer.durable, 0)
  t.is(failures.length, 1)
  t.is(writer.failure, failures[0])
})

test('nothing is written after LMDB has failed', async (t) => {
  const { appends, stores, failures, writer, add } = disk(1000)
  add('a')
  await turn()
  appends[0]!.end()
  await t.notThrowsAsync(writer.flushed())
  await after(40)
  stores[0]!.fail(new Error('No space'))
  await turn()
  t.is(failures.length, 1)
  t.throws(() => add('b'), { instanceOf: Unavailable })
  await t.throwsAsync(writer.stored(), { instanceOf: Unavailable })
})

test('an entry that was written after another process took the store over is not answered', async (t) => {
  const { appends, confirmed, held, writer, add } = disk()
  add('a')
  await turn()
  held.isHeld = false
  appends[0]!.end()
  const failure = await t.throwsAsync(writer.flushed(), { instanceOf: Unavailable })
  t.true(failure.cause instanceof Fenced)
  t.deepEqual(confirmed, [])
})

test('an entry that is never durable fails', async (t) => {
  const { failures, writer, add } = disk(1)
  add('a')
  await t.throwsAsync(writer.flushed(), { instanceOf: Unavailable })
  t.regex(String(failures[0]!.cause), /not settled after 60 ms/)
  t.throws(() => add('b'), { instanceOf: Unavailable })
})

test('the time for which the process is suspended does not count', async (t) => {
  const { appends, failures, writer, add } = disk(1)
  add('a')
  await turn()
  const until = performance.now() + 200
  while (performance.now() < until);
  await turn()
  appends[0]!.end()
  await writer.flushed()
  t.deepEqual(failures, [])
})

test('a failure is reported even if nobody waits for the commit', async (t) => {
  const { appends, failures, add } = disk()
  add('a')
  await turn()
  appends[0]!.fail(new Error('No space'))
  await turn()
  t.is(failures.length, 1)
})

test('flushed resolves at once if nothing is queued', async (t) => {
  await t.notThrowsAsync(disk().writer.flushed())
})

test('a row that cannot be written fails the commit', async (t) => {
  const { failures, writer, add } = disk()
  add('broken')
  await t.throwsAsync(writer.flushed(), { instanceOf: Unavailable })
  t.is(failures.length, 1)
})

test('writes that are queued when fail is called are not written', async (t) => {
  const { entries, appends, failures, writer, add } = disk()
  add('a')
  const first = writer.flushed()
  await turn()
  add('half of a change')
  const second = writer.flushed()
  writer.fail(new Error('The other half is damaged'))
  appends[0]!.end()
  await t.throwsAsync(first, { instanceOf: Unavailable })
  await t.throwsAsync(second, { instanceOf: Unavailable })
  t.deepEqual(entries, [['a']])
  t.is(failures.length, 1)
})

test('the end waits for all that is on its way, and nothing is written from then on', async (t) => {
  const { entries, appends, stored, stores, failures, writer, add } = disk(1000)
  add('a')
  await turn()
  const end = writer.end()
  appends[0]!.end()
  while (stores.length === 0) await after(10)
  add('b')
  await turn()
  stores[0]!.end()
  await after(10)
  // LMDB has all that is durable, but not what is on its way.
  t.false(await isSettled(end))
  appends[1]!.end()
  while (stored.length < 2) {
    await after(10)
    for (const one of stores) one.end()
  }
  await end
  t.deepEqual(entries, [['a'], ['b']])
  t.throws(() => add('c'), { instanceOf: Unavailable })
  await writer.flushed()
  await writer.end()
  t.deepEqual(failures, [])
})
