// Until when this process owns what it works on. A process that was paused, or cut off, finds out here before its next act
// on the world outside: another one may own that by now. Threads share it.
import { setTimeout } from 'node:timers/promises'

const POLL_MS = 20

/** Milliseconds of a clock that is never set, the same in all threads of this machine. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

export class LeaseDeadline {
  readonly shared: SharedArrayBuffer
  readonly #micros: BigInt64Array

  /** `shared` is that of another thread's. Until it is first extended, it is over. */
  constructor(shared = new SharedArrayBuffer(8)) {
    this.shared = shared
    this.#micros = new BigInt64Array(shared)
  }

  get isHeld(): boolean {
    return monotonicMs() * 1000 < Number(Atomics.load(this.#micros, 0))
  }

  /** Never shortens it. */
  extend(untilMs: number): void {
    const until = BigInt(Math.floor(untilMs * 1000))
    if (until > Atomics.load(this.#micros, 0)) Atomics.store(this.#micros, 0, until)
  }

  end(): void {
    Atomics.store(this.#micros, 0, 0n)
  }

  /** Resolves once it is held. */
  async held(): Promise<void> {
    while (!this.isHeld) await setTimeout(POLL_MS)
  }
}
