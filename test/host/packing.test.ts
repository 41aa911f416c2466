// Packing in the background goes on until it is stopped, or nothing can be written any more.
import test from 'ava'
import { Unavailable } from '../../src/actor/host.js'
import { startPacking } from '../../src/host/packing.js'

test('groups are packed one after the other, and a stop waits for the one under way', async (t) => {
  let begun = 0
  let ended = 0
  await new Promise<void>((resolve) => {
    const next = async (): Promise<number> => {
      begun += 1
      await new Promise(setImmediate)
      if (begun === 3) void running.stop().then(resolve)
      await new Promise(setImmediate)
      return (ended += 1) && 0
    }
    const running = startPacking({ next }, (error) => t.fail(String(error)))
  })
  t.deepEqual([begun, ended], [3, 3])
})

test('an error ends it and is told, but for that of a store that takes nothing any more', async (t) => {
  for (const [error, told] of [
    [new RangeError('No room'), 1],
    [new Unavailable('The store is closed'), 0],
  ] as const) {
    let count = 0
    const running = startPacking({ next: () => Promise.reject(error) }, () => (count += 1))
    await new Promise(setImmediate)
    await running.stop()
    t.is(count, told)
  }
})
