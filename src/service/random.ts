// The service's source of random bytes, and chances drawn from it.
import { randomBytes } from 'node:crypto'
import type { Random } from '../domain/values/ids.js'

const POOL_BYTES = 16_384

/** Draws randomness in large portions, because every draw is a system call. */
export function pooledRandom(): Random {
  let pool = randomBytes(POOL_BYTES)
  let used = 0
  return (bytes) => {
    if (used + bytes > POOL_BYTES) {
      pool = randomBytes(POOL_BYTES)
      used = 0
    }
    used += bytes
    return pool.subarray(used - bytes, used)
  }
}

/** True in about `percent` of calls. */
export function percentage(percent: number, random: Random): () => boolean {
  return () => {
    const [high, low] = random(2)
    return ((high! * 256 + low!) * 100) / 65_536 < percent
  }
}
