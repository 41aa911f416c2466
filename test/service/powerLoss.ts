// What a kill and a power failure can leave of a data file. LMDB shows a commit before it syncs it; a commit that was
// shown and not synced holds until the machine reboots.
import { readFileSync, writeFileSync } from 'node:fs'

const PAGE_BYTES = 4096
/** Where the file describes its last two transactions and, between them, the last one that was synced. */
const DESCRIPTIONS = [0, PAGE_BYTES / 2, PAGE_BYTES]
const SYNCED = PAGE_BYTES / 2
const DESCRIPTION_BYTES = 168
const TRANSACTION_AT = 152
const BOOT_AT = 160
const ANOTHER_BOOT = 1n

/** Carries out one commit, and leaves the file as if the process had been killed before its sync. */
export async function unsynced(file: string, commit: () => Promise<void>): Promise<void> {
  const before = readFileSync(file).subarray(SYNCED, SYNCED + DESCRIPTION_BYTES)
  await commit()
  const bytes = readFileSync(file)
  before.copy(bytes, SYNCED)
  writeFileSync(file, bytes)
}

/** The machine has rebooted, or the file was carried to another one. */
export function reboot(file: string): void {
  const bytes = readFileSync(file)
  for (const at of DESCRIPTIONS) bytes.writeBigInt64LE(ANOTHER_BOOT, at + BOOT_AT)
  writeFileSync(file, bytes)
}

/**
 * The worst case of a power failure: every page that was written after the last sync is garbage, and the machine has
 * rebooted. Returns how many pages were lost.
 */
export function losePower(file: string): number {
  reboot(file)
  const bytes = readFileSync(file)
  const synced = bytes.readBigUInt64LE(SYNCED + TRANSACTION_AT)
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
