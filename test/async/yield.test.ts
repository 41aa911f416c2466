// Long pieces of work take turns.
import { setImmediate as nextRound } from 'node:timers/promises'
import test from 'ava'
import { yielder } from '../../src/async/yield.js'

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test('one of several pieces of long work continues in a round of the event loop, and each has its turn', async (t) => {
  let waiting = 0
  let most = 0
  const breathe = yielder(async () => {
    waiting += 1
    most = Math.max(most, waiting)
    await nextRound()
    waiting -= 1
  })
  const order: string[] = []
  const steps = async (name: string): Promise<void> => {
    for (let step = 0; step < 3; step += 1) {
      await breathe()
      order.push(name)
      work(6)
    }
  }
  await Promise.all(['one', 'two', 'three'].map(steps))
  t.is(most, 1)
  t.deepEqual(order, Array(3).fill(['one', 'two', 'three']).flat())
})
