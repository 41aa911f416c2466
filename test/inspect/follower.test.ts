// Who follows the audit logs, by hand-driven looks: nothing is looked at for nobody, places are counted, and however
// many follow, a look lets tell no more than a bounded number of entries.
import test from 'ava'
import type { Following, Share } from '../../src/actor/follower.js'
import { AuditFollower } from '../../src/host/follower.js'

interface Driven {
  follower: AuditFollower
  /** What has been read so far. */
  reads: string[]
  /** One look, to its end; false where nobody looks. */
  look(): Promise<boolean>
}

function driven(last: (organization: string) => Promise<number>): Driven {
  const reads: string[] = []
  let run: (() => void) | undefined
  const follower = new AuditFollower({
    lastSequence: (organization) => {
      reads.push(organization)
      return last(organization)
    },
    every: (_ms, look) => {
      run = look
      return () => (run = undefined)
    },
    onError: () => {},
  })
  const look = async (): Promise<boolean> => {
    run?.()
    await new Promise((resolve) => setImmediate(resolve))
    return run !== undefined
  }
  return { follower, reads, look }
}

/** Goes on following for ever; counts what it was let tell. */
function keen(following: Following): { told: number[] } {
  const told: number[] = []
  let after = 0
  const hear = ({ most }: Share): void => {
    if (following.isOver()) return
    if (most > 0) told.push(most)
    after += most
    void following.next(after, 60_000).then(hear)
  }
  void following.next(after, 60_000).then(hear)
  return { told }
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)

test('nothing is looked at while nobody follows', async (t) => {
  const { follower, reads, look } = driven(async () => 1)
  t.false(await look())
  const one = follower.follow('o1')!
  const heard = one.next(0, 1000)
  t.true(await look())
  t.deepEqual([await heard, reads], [{ last: 1, most: 50 }, ['o1']])
  await look()
  t.is(reads.length, 1, 'who does not wait is not looked for')
  one.close()
  t.false(await look())
  t.deepEqual([follower.size, reads.length], [0, 1])
})

test('who waits is told after as long as they would wait, when they leave, and when all ends', async (t) => {
  const { follower, look } = driven(async () => 7)
  const [one, other] = [follower.follow('o1')!, follower.follow('o1')!]
  const nothing = { last: 7, most: 0 }
  let isTold = false
  const waiting = one.next(7, 300).then((share) => ((isTold = true), share))
  await look()
  await look()
  t.false(isTold)
  await look()
  t.deepEqual(await waiting, nothing)
  const left = one.next(7, 60_000)
  one.close()
  t.deepEqual([await left, one.isOver(), other.isOver()], [nothing, true, false])
  const last = other.next(7, 60_000)
  follower.stop()
  t.deepEqual([await last, other.isOver(), await other.next(0, 0)], [nothing, true, { last: 0, most: 0 }])
})

test('a log that cannot be read for a moment only makes its followers wait', async (t) => {
  let isBroken = true
  const { follower, look } = driven(async () => (isBroken ? Promise.reject(new Error('not now')) : 3))
  const heard = follower.follow('o1')!.next(0, 60_000)
  await look()
  isBroken = false
  await look()
  t.deepEqual(await heard, { last: 3, most: 50 })
})

test('whoever comes during a look is told what is there by the next one', async (t) => {
  let read = (_last: number): void => {}
  const { follower, look } = driven((organization) =>
    organization === 'slow' ? new Promise((resolve) => (read = resolve)) : Promise.resolve(3),
  )
  void follower.follow('slow')!.next(0, 60_000)
  await look()
  const late = follower.follow('o1')!.next(0, 0)
  read(1)
  await look()
  await look()
  t.deepEqual(await late, { last: 3, most: 50 })
})

test('there are places for twenty an organization and two hundred in all', (t) => {
  const { follower } = driven(async () => 0)
  const places = Array.from({ length: 15 }, (_, place) => Array.from({ length: 25 }, () => follower.follow(`o${place}`)))
  const taken = places.map((ones) => ones.filter((one) => one !== undefined).length)
  t.deepEqual(taken, [...Array<number>(10).fill(20), 0, 0, 0, 0, 0])
  for (let times = 0; times < 2; times += 1) places[0]![0]!.close()
  t.is(follower.size, 199)
  t.truthy(follower.follow('o14'))
  t.is(follower.follow('o0'), undefined)
})

for (const [followers, each] of [[1, 50], [2, 25], [4, 12], [60, 5], [200, 5]] as const) {
  test(`a look lets at most fifty entries be told, and everybody has a turn: ${followers} follow`, async (t) => {
    const { follower, look } = driven(async () => 1_000_000)
    const all = Array.from({ length: followers }, (_, place) => keen(follower.follow(`o${place % 10}`)!))
    let before = 0
    for (let looks = 0; looks < 20; looks += 1) {
      await look()
      const now = sum(all.map(({ told }) => sum(told)))
      t.is(now - before, Math.min(Math.floor(50 / each), followers) * each)
      before = now
    }
    const turns = all.map(({ told }) => told.length)
    t.true(Math.max(...turns) - Math.min(...turns) <= 1, `turns from ${Math.min(...turns)} to ${Math.max(...turns)}`)
    t.deepEqual(new Set(all.flatMap(({ told }) => told)), new Set([each]))
    follower.stop()
  })
}
