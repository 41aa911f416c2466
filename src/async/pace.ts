// Lets other work in between while many records are read: after so many of them, or so much of their text.
import { setImmediate as pause } from 'node:timers/promises'

const RECORDS = 128
const BYTES = 2 ** 20

export class Pace {
  #records = 0
  #bytes = 0

  /** To be awaited after each record; `bytes` is the size of its text. */
  async after(bytes: number): Promise<void> {
    this.#records += 1
    this.#bytes += bytes
    if (this.#records < RECORDS && this.#bytes < BYTES) return
    this.#records = 0
    this.#bytes = 0
    await pause()
  }
}
