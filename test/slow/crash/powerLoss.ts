// What a power failure can leave of a data folder: LMDB syncs the pages of a commit before it describes them, and of the
// journal an entry that was not confirmed may be there in part.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entryAt } from '../../../src/store/journal/entry.js'
import {
  CONFIRMED,
  CONFIRMED_BYTES,
  confirmation,
  confirmedIn,
  isJournal,
  isSegment,
  nextSector,
  SECTOR_BYTES,
  seedOf,
} from '../../../src/store/journal/files.js'
import type { Random } from '../../support/random.js'

const PAGE_BYTES = 4096
/** Where the file describes its last two transactions. */
const DESCRIPTIONS = [0, PAGE_BYTES]
const TRANSACTION_AT = 152

/** Returns how many pages and sectors were lost. */
export function losePower(folder: string, random: Random): number {
  const journals = readdirSync(folder).filter(isJournal)
  const lost = journals.map((name) => loseEntries(join(folder, name), seedOf(name), random))
  return lost.reduce((sum, one) => sum + one, losePages(join(folder, 'data.mdb')))
}

/** The sectors of an entry reach the disk in any order, and what is confirmed some time later. */
function loseEntries(journal: string, seed: number, random: Random): number {
  const path = join(journal, CONFIRMED)
  const confirmed = confirmedIn(readFileSync(path), seed)!
  const earlier = Math.max(0, confirmed - random.below(50))
  writeFileSync(path, confirmation(earlier, seed, Buffer.alloc(CONFIRMED_BYTES)))
  let lost = 0
  for (const name of readdirSync(journal).filter(isSegment)) {
    const bytes = readFileSync(join(journal, name))
    for (let at = 0, entry = entryAt(bytes, 0, seed); entry; entry = entryAt(bytes, at, seed)) {
      const end = nextSector(at + entry.bytes.length)
      for (let sector = at; entry.sequence > confirmed && sector < end; sector += SECTOR_BYTES) {
        if (random.chance(0.5)) continue
        bytes.fill(random.chance(0.5) ? 0 : 0xee, sector, sector + SECTOR_BYTES)
        lost += 1
      }
      at = end
    }
    writeFileSync(join(journal, name), bytes)
  }
  return lost
}

/** The worst case: every page that was written after the last sync is garbage. */
function losePages(file: string): number {
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
