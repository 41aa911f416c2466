// The clock is set back: what waits to be asked again waits no longer than it would have.
import test from 'ava'
import type { Actor } from '../../../src/actor/actor.js'
import { CachedFor } from '../../../src/chain/cachedFor.js'
import type { ChainNode } from '../../../src/chain/node.js'
import { TransferLoop, type TransferLoopParts } from '../../../src/chain/transferLoop.js'
import { Watcher, type WatcherParts } from '../../../src/chain/watcher.js'
import { until } from '../../support/chain.js'

const HOUR_MS = 3_600_000

/** The system's clock, an hour earlier at each look. */
function fallingClock(): () => number {
  let time = Date.parse('2026-01-01T00:00:00Z')
  return () => (time -= HOUR_MS)
}

test.serial('An answer is asked for again once it is old, whatever the clock says', async (t) => {
  const { now } = Date
  t.teardown(() => (Date.now = now))
  Date.now = fallingClock()
  let asked = 0
  const ask = async (): Promise<number> => (asked += 1)
  const kept = new CachedFor(ask, HOUR_MS)
  t.is(await kept.get(), 1)
  t.is(await kept.get(), 1)
  const old = new CachedFor(ask, 1)
  t.is(await old.get(), 2)
  await new Promise((resolve) => setTimeout(resolve, 5))
  t.is(await old.get(), 3)
})

test.serial('A payment that must be asked about again is, whatever the clock says', async (t) => {
  const actor = {
    ref: 'payment/p1',
    state: 'transferring.unknown',
    context: { organization: 'o1', terms: { wallet: { chainId: '31337' } } },
  } as unknown as Actor
  let asked = 0
  const parts = {
    host: { peek: () => actor, read: async () => [actor] },
    settler: { answer: async () => void (asked += 1) },
    accounts: { close: () => {} },
    outgoing: { start: () => {}, stop: async () => {} },
    metaOf: () => ({ call: 'lookup' }),
    nodes: new Map(),
    callOf: () => 'lookup',
    waiting: (list: string) => ({ refs: list === 'toSend' ? [actor.ref] : [], next: undefined }),
    now: fallingClock(),
    elapsed: () => performance.now(),
    log: () => {},
    everyMs: 1,
  }
  const settlement = new TransferLoop(parts as unknown as TransferLoopParts)
  settlement.start()
  t.teardown(() => settlement.stop())
  await t.notThrowsAsync(until(async () => asked > 2 || undefined, 'it is not asked about again', 2_000))
})

test.serial('A node that did not answer is asked for balances after a pause, whatever the clock says', async (t) => {
  let elapsed = 0
  let asked = 0
  const head = async (): Promise<bigint> => {
    asked += 1
    throw new Error('It does not answer')
  }
  const context = { organization: 'o1', fields: { chainId: '31337' } }
  const parts = {
    host: { peek: () => ({ ref: 'wallet/w1', context }) },
    nodes: new Map([['31337', { head } as unknown as ChainNode]]),
    isBuiltHere: () => true,
    now: fallingClock(),
    elapsed: () => elapsed,
    log: () => {},
  }
  const watcher = new Watcher(parts as unknown as WatcherParts)
  for (const [time, times] of [
    [0, 1],
    [2_999, 1],
    [3_000, 2],
  ] as const) {
    elapsed = time
    await watcher.observe(['wallet/w1'])
    t.is(asked, times, String(time))
  }
})
