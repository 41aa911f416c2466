// The order in which writes reach LMDB: one commit at a time, and none after one that failed.
import test from 'ava'
import { Unavailable } from '../../src/actor/host.js'
import { Writer } from '../../src/store/writer.js'

/** A disk whose commits end or fail when the test says so. */
function disk(tickMs = 10) {
  const written: string[] = []
  const commits: { end: () => void; fail: (error: Error) => void }[] = []
  const failures: Unavailable[] = []
  const commit = (write: () => void) =>
    new Promise<void>((end, fail) => {
      write()
      commits.push({ end, fail })
    })
  const writer = new Writer(commit, (failure) => failures.push(failure), tickMs)
  let queued: (() => void)[] = []
  let taken: (() => void)[] = []
  writer.register({
    take: () => {
      taken = queued
      queued = []
    },
    write: () => taken.forEach((write) => write()),
    settled: () => {},
  })
  const write = (what: () => void) => {
    writer.wake()
    queued.push(what)
  }
  const add = (name: string) => write(() => written.push(name))
  return { written, commits, failures, writer, add, write }
}

const turn = () => new Promise(setImmediate)

test('writes that are added in one turn of the event loop share a commit', async (t) => {
  const { written, commits, writer, add } = disk()
  add('a')
  add('b')
  await turn()
  t.deepEqual(written, ['a', 'b'])
  t.is(commits.length, 1)
  commits[0]!.end()
  await writer.flushed()
})

test('writes that are added during a commit wait for it and share the next', async (t) => {
  const { written, commits, writer, add } = disk()
  add('a')
  await turn()
  add('b')
  add('c')
  await turn()
  t.deepEqual(written, ['a'])
  let flushed = false
  const all = writer.flushed().then(() => (flushed = true))
  commits[0]!.end()
  await turn()
  t.deepEqual(written, ['a', 'b', 'c'])
  t.false(flushed)
  commits[1]!.end()
  await all
})

test('nothing is written after a failed commit', async (t) => {
  const { written, commits, failures, writer, add } = disk()
  add('a')
  const first = writer.flushed()
  await turn()
  add('b')
  const second = writer.flushed()
  commits[0]!.fail(new Error('No space'))
  await t.throwsAsync(first, { instanceOf: Unavailable })
  await t.throwsAsync(second, { instanceOf: Unavailable })
  t.throws(() => add('c'), { instanceOf: Unavailable })
  await t.throwsAsync(writer.flushed(), { instanceOf: Unavailable })
  await turn()
  t.deepEqual(written, ['a'])
  t.is(failures.length, 1)
  t.is(writer.failure, failures[0])
})

test('a commit that is never settled fails', async (t) => {
  const { failures, writer, add } = disk(1)
  add('a')
  await t.throwsAsync(writer.flushed(), { instanceOf: Unavailable })
  t.regex(String(failures[0]!.cause), /not settled after 60 ms/)
  t.throws(() => add('b'), { instanceOf: Unavailable })
})

test('the time for which the process is suspended does not count', async (t) => {
  const { commits, failures, writer, add } = disk(1)
  add('a')
  await turn()
  const until = performance.now() + 200
  while (performance.now() < until);
  for (let turns = 0; turns < 3; turns += 1) await turn()
  commits[0]!.end()
  await writer.flushed()
  t.deepEqual(failures, [])
})

test('a failure is reported even if nobody waits for the commit', async (t) => {
  const { commits, failures, add } = disk()
  add('a')
  await turn()
  commits[0]!.fail(new Error('No space'))
  await turn()
  t.is(failures.length, 1)
})

test('flushed resolves at once if nothing is queued', async (t) => {
  const { writer } = disk()
  await t.notThrowsAsync(writer.flushed())
})

test('a write that throws fails the commit', async (t) => {
  const { failures, writer, write } = disk()
  write(() => {
    throw new Error('The key is too long')
  })
  await t.throwsAsync(writer.flushed(), { instanceOf: Unavailable })
  t.is(failures.length, 1)
})

test('writes that are queued when fail is called are not written', async (t) => {
  const { written, commits, failures, writer, add } = disk()
  add('a')
  await turn()
  const first = writer.flushed()
  add('half of a change')
  const second = writer.flushed()
  writer.fail(new Error('The other half is damaged'))
  commits[0]!.end()
  await t.notThrowsAsync(first)
  await t.throwsAsync(second, { instanceOf: Unavailable })
  t.deepEqual(written, ['a'])
  t.is(failures.length, 1)
})

/** Rejects as lmdb does: the cause comes through a separate promise. */
function refusal(code: number): Error {
  return Object.assign(new Error('Commit failed'), {
    commitError: Promise.reject(Object.assign(new Error('Transaction must abort'), { code })),
  })
}

const BAD_TXN = -30782
const MAP_FULL = -30792

test('a commit that LMDB aborted is written again, before any later write', async (t) => {
  const { written, commits, failures, writer, add } = disk()
  add('a')
  add('b')
  const flushed = writer.flushed()
  await turn()
  add('c')
  commits[0]!.fail(refusal(BAD_TXN))
  await turn()
  t.deepEqual(written, ['a', 'b', 'a', 'b'])
  commits[1]!.end()
  await flushed
  await turn()
  t.deepEqual(written, ['a', 'b', 'a', 'b', 'c'])
  t.deepEqual(failures, [])
})

test('a commit that LMDB aborts repeatedly fails', async (t) => {
  const { commits, failures, writer, add } = disk()
  add('a')
  const flushed = writer.flushed()
  for (let tries = 0; tries < 4; tries += 1) {
    await turn()
    commits[tries]!.fail(refusal(BAD_TXN))
  }
  await t.throwsAsync(flushed, { instanceOf: Unavailable })
  t.is(commits.length, 4)
  t.is(failures.length, 1)
})

test('a commit that failed for another reason is not retried', async (t) => {
  const { written, commits, writer, add } = disk()
  add('a')
  const flushed = writer.flushed()
  await turn()
  commits[0]!.fail(refusal(MAP_FULL))
  const failure = await t.throwsAsync(flushed, { instanceOf: Unavailable })
  t.is((failure.cause as { code: number }).code, MAP_FULL)
  t.deepEqual(written, ['a'])
})
