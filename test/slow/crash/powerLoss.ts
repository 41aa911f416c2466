// What a power failure can leave of a data file: LMDB syncs the pages of a commit before it describes them.
import { readFileSync, writeFileSync } from 'node:fs'

const PAGE_BYTES = 4096
/** Where the file describes its last two transactions. */
const DESCRIPTIONS = [0, PAGE_BYTES]
const TRANSACTION_AT = 152

/**
 * The worst case: every page that was written after the last sync is garbage. Returns how many pages were lost.
 */
export function losePower(file: string): number {
  const bytes = readFileSync(file)
  const transactions = DESCRIPTIONS.map((at) => bytes.readBigUInt64LE(at + TRANSACTION_AT))
  const synced = transactions[0]! > transactions[1]! ? transactions[0]! : transactions[1]!
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
