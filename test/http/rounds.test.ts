// Requests that arrive together are carried out in the order of their arrival, at most half of those under way in a
// round of the event loop.
import { setImmediate as nextRound } from 'node:timers/promises'
import test from 'ava'
import { Batches } from '../../src/http/server/batching.js'
import { oncePerRound } from '../../src/service/sanctions.js'

/** The rounds, counted from 0, in which so many requests begin that arrive together; each stays under way. */
async function begun(rounds: Batches, requests: number): Promise<{ name: number; round: number }[]> {
  const found: { name: number; round: number }[] = []
  let round = -1
  let isOver = false
  const count = (): void => {
    round += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const all = Array.from({ length: requests }, (_, name) => {
    let begin!: () => void
    const hasBegun = new Promise<void>((resolve) => (begin = resolve))
    void rounds.run(() => {
      found.push({ name, round })
      begin()
      return new Promise<never>(() => {})
    })
    return hasBegun
  })
  await Promise.all(all)
  isOver = true
  return found
}

const sizesOf = (found: { round: number }[]): number[] => {
  const sizes: number[] = []
  for (const { round } of found) sizes[round] = (sizes[round] ?? 0) + 1
  return sizes
}

for (const [requests, sizes] of [
  [1, [1]],
  [16, [16]],
  [20, [16, 4]],
  [64, [32, 32]],
  [101, [51, 50]],
] as const) {
  test(`${requests} requests that arrive together begin in rounds of ${sizes.join(' and ')}`, async (t) => {
    const found = await begun(new Batches(), requests)
    t.deepEqual(sizesOf(found), [...sizes])
    t.deepEqual(
      found.map(({ name }) => name),
      Array.from({ length: requests }, (_, name) => name),
    )
  })
}

test('requests that wait for their commit are under way, too', async (t) => {
  const rounds = new Batches()
  await begun(rounds, 16)
  t.deepEqual(sizesOf(await begun(rounds, 48)), [32, 16])
})

test('requests that have ended, one way or the other, are not under way', async (t) => {
  const rounds = new Batches()
  const ended = Array.from({ length: 64 }, (_, at) =>
    rounds.run(async () => {
      await nextRound()
      if (at % 2 === 0) throw new Error('A test')
    }),
  )
  await Promise.allSettled(ended)
  await nextRound()
  t.deepEqual(sizesOf(await begun(rounds, 40)), [20, 20])
})

test('a request that is read after a look at the sanctions list does not use that look', async (t) => {
  const rounds = new Batches()
  let looks = 0
  const look = oncePerRound(() => ({ list: undefined, origin: 'LOADED', look: (looks += 1) }) as never)
  const after: Promise<void>[] = []
  const early = Array.from({ length: 64 }, (_, at) =>
    rounds.run(() => {
      look()
      if (at !== 0) return
      const seen = looks
      after.push(
        rounds.run(() => {
          look()
          t.true(looks > seen)
        }),
      )
    }),
  )
  await Promise.all(early)
  await Promise.all(after)
  t.is(after.length, 1)
})
