// The worst that a power failure can do to a data file: every page that was written after the last sync is garbage, and
// the machine has rebooted. Only what was synced is reliable.
import { readFileSync, writeFileSync } from 'node:fs'

const PAGE_BYTES = 4096
/** Where the file describes its last two transactions and, between them, the last one that was synced. */
const DESCRIPTIONS = [0, PAGE_BYTES / 2, PAGE_BYTES]
const SYNCED = PAGE_BYTES / 2
const TRANSACTION_AT = 152
const BOOT_AT = 160
const ANOTHER_BOOT = 1n

/** Returns how many pages were lost. */
export function losePower(file: string): number {
  const bytes = readFileSync(file)
  const synced = bytes.readBigUInt64LE(SYNCED + TRANSACTION_AT)
  for (const at of DESCRIPTIONS) bytes.writeBigInt64LE(ANOTHER_BOOT, at + BOOT_AT)
  let lost = 0
  for (let at = 2 * PAGE_BYTES; at + PAGE_BYTES <= bytes.length; at += PAGE_BYTES) {
    const isOwn = bytes.readBigUInt64LE(at) === BigInt(at / PAGE_BYTES)
    if (!isOwn || bytes.readBigUInt64LE(at + 8) <= synced) continue
    bytes.fill(0xee, at, at + PAGE_BYTES)
    lost += 1
  }
  writeFileSync(file, bytes)
  return lost
}
