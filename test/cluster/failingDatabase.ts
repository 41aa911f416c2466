// A replicated database whose servers fail, under either of two managers: this process, which promotes the standby itself,
// and Patroni, which decides alone. Both are strict: a commit is on both servers, or it waits.
import { setTimeout } from 'node:timers/promises'
import { startPatroni } from '../support/postgres/patroni.js'
import { startReplicated } from '../support/postgres/replicated.js'

export interface FailingDatabase {
  /** Of both servers. */
  readonly urls: readonly string[]
  /** Kills the primary. Resolves when the other server is the primary, and has the killed one as its standby. */
  losePrimary(): Promise<void>
  /** The same, with two primaries for some time. Undefined where the manager never leaves two. */
  twoPrimaries: ((forMs: number) => Promise<void>) | undefined
  /** Cancels the waits of commits for a standby that is gone, again and again. Resolves when it is back. */
  cancelWaits(times: number): Promise<void>
  end(): Promise<void>
}

const BETWEEN_CANCELS_MS = 100

export async function startByHand(): Promise<FailingDatabase> {
  const database = await startReplicated()
  return {
    urls: database.urls,
    losePrimary: () => database.failOver({ rejoin: true }),
    twoPrimaries: async (forMs) => {
      await database.failOver({ rejoin: false })
      await database.startOldPrimary()
      await setTimeout(forMs)
      await database.rejoin()
    },
    cancelWaits: async (times) => {
      await database.stopStandby()
      await cancelRepeatedly(times, () => database.cancelWaits())
      await database.startStandby()
    },
    end: () => database.end(),
  }
}

export async function startUnderPatroni(): Promise<FailingDatabase> {
  const database = await startPatroni()
  return {
    urls: database.urls,
    losePrimary: async () => {
      await database.killLeader()
      await database.rejoin()
    },
    twoPrimaries: undefined,
    cancelWaits: async (times) => {
      await database.killStandby()
      await cancelRepeatedly(times, () => database.cancelWaits())
      await database.rejoin()
    },
    end: () => database.end(),
  }
}

async function cancelRepeatedly(times: number, cancel: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await setTimeout(BETWEEN_CANCELS_MS)
    await cancel()
  }
}
