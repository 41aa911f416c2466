// Followers of the audit logs, polled by hand: nothing is polled without followers, their number is limited, and a poll
// grants a bounded number of entries, however many follow.
import test from 'ava'
import type { Following, FollowerShare } from '../../src/actor/follower.js'
import { AuditFollower } from '../../src/host/follower.js'

interface Driven {
  follower: AuditFollower
  /** The organizations whose logs have been read so far. */
  reads: string[]
  /** Runs one poll to its end; false if polling has stopped. */
  poll(): Promise<boolean>
}

function driven(last: (organization: string) => Promise<number>): Driven {
  const reads: string[] = []
  let run: (() => void) | undefined
  const follower = new AuditFollower({
    lastSequence: (organization) => {
      reads.push(organization)
      return last(organization)
    },
    every: (_ms, poll) => {
      run = poll
      return () => (run = undefined)
    },
    onError: () => {},
  })
  const poll = async (): Promise<boolean> => {
    run?.()
    await new Promise((resolve) => setImmediate(resolve))
    return run !== undefined
  }
  return { follower, reads, poll }
}

/** Follows until the end, and collects how many entries each share grants. */
function keen(following: Following): { granted: number[] } {
  const granted: number[] = []
  let after = 0
  const hear = ({ most }: FollowerShare): void => {
    if (following.isOver()) return
    if (most > 0) granted.push(most)
    after += most
    void following.next(after, 60_000).then(hear)
  }
  void following.next(after, 60_000).then(hear)
  return { granted }
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)

test('nothing is polled while nobody follows', async (t) => {
  const { follower, reads, poll } = driven(async () => 1)
  t.false(await poll())
  const one = follower.follow('o1')!
  const heard = one.next(0, 1000)
  t.true(await poll())
  t.deepEqual([await heard, reads], [{ last: 1, most: 50 }, ['o1']])
  await poll()
  t.is(reads.length, 1, 'who does not wait is not looked for')
  one.close()
  t.false(await poll())
  t.deepEqual([follower.size, reads.length], [0, 1])
})

test('a waiting follower is answered after its timeout, when it closes, and when all stops', async (t) => {
  const { follower, poll } = driven(async () => 7)
  const [one, other] = [follower.follow('o1')!, follower.follow('o1')!]
  const nothing = { last: 7, most: 0 }
  let isTold = false
  const waiting = one.next(7, 300).then((share) => ((isTold = true), share))
  await poll()
  await poll()
  t.false(isTold)
  await poll()
  t.deepEqual(await waiting, nothing)
  const left = one.next(7, 60_000)
  one.close()
  t.deepEqual([await left, one.isOver(), other.isOver()], [nothing, true, false])
  const last = other.next(7, 60_000)
  follower.stop()
  t.deepEqual([await last, other.isOver(), await other.next(0, 0)], [nothing, true, { last: 0, most: 0 }])
})

test('a temporary read error only makes followers wait', async (t) => {
  let isBroken = true
  const { follower, poll } = driven(async () => (isBroken ? Promise.reject(new Error('not now')) : 3))
  const heard = follower.follow('o1')!.next(0, 60_000)
  await poll()
  isBroken = false
  await poll()
  t.deepEqual(await heard, { last: 3, most: 50 })
})

test('a follower that joins during a poll is answered by the next one', async (t) => {
  let read = (_last: number): void => {}
  const { follower, poll } = driven((organization) =>
    organization === 'slow' ? new Promise((resolve) => (read = resolve)) : Promise.resolve(3),
  )
  void follower.follow('slow')!.next(0, 60_000)
  await poll()
  const late = follower.follow('o1')!.next(0, 0)
  read(1)
  await poll()
  await poll()
  t.deepEqual(await late, { last: 3, most: 50 })
})

test('there are at most 20 followers per organization and 200 in total', (t) => {
  const { follower } = driven(async () => 0)
  const places = Array.from({ length: 15 }, (_, place) =>
    Array.from({ length: 25 }, () => follower.follow(`o${place}`)),
  )
  const taken = places.map((ones) => ones.filter((one) => one !== undefined).length)
  t.deepEqual(taken, [...Array<number>(10).fill(20), 0, 0, 0, 0, 0])
  for (let times = 0; times < 2; times += 1) places[0]![0]!.close()
  t.is(follower.size, 199)
  t.truthy(follower.follow('o14'))
  t.is(follower.follow('o0'), undefined)
})

for (const [followers, each] of [
  [1, 50],
  [2, 25],
  [4, 12],
  [60, 5],
  [200, 5],
] as const) {
  test(`a poll grants at most 50 entries, and all followers take turns: ${followers}`, async (t) => {
    const { follower, poll } = driven(async () => 1_000_000)
    const all = Array.from({ length: followers }, (_, place) => keen(follower.follow(`o${place % 10}`)!))
    let before = 0
    for (let polls = 0; polls < 20; polls += 1) {
      await poll()
      const now = sum(all.map(({ granted }) => sum(granted)))
      t.is(now - before, Math.min(Math.floor(50 / each), followers) * each)
      before = now
    }
    const turns = all.map(({ granted }) => granted.length)
    t.true(Math.max(...turns) - Math.min(...turns) <= 1, `turns from ${Math.min(...turns)} to ${Math.max(...turns)}`)
    t.deepEqual(new Set(all.flatMap(({ granted }) => granted)), new Set([each]))
    follower.stop()
  })
}
