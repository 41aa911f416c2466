// The rows of one commit as bytes, in memory that the next commit writes over. LMDB reads them until the commit is on
// disk. Taking memory anew for each row would cost more than writing the row.
export class WriteArena {
  readonly #memory: Buffer
  #used = 0

  /** Rows for which there is no room among `size` bytes get memory of their own. */
  constructor(size: number) {
    // Not from Node's pool, which is smaller.
    this.#memory = Buffer.allocUnsafeSlow(size)
  }

  /** The rows so far are on disk, and their memory is free. */
  clear(): void {
    this.#used = 0
  }

  /** `text` as UTF-8 behind `before` bytes, which are for the caller to write. */
  add(before: number, text: string): Buffer {
    const start = this.#used
    if (start + before + MOST_BYTES * text.length > this.#memory.length) return apart(before, text)
    this.#used += before + this.#memory.write(text, start + before)
    return this.#memory.subarray(start, this.#used)
  }
}

/** UTF-8 bytes of a UTF-16 code unit at most. */
const MOST_BYTES = 3

function apart(before: number, text: string): Buffer {
  const bytes = Buffer.allocUnsafe(before + Buffer.byteLength(text))
  bytes.write(text, before)
  return bytes
}
