// Which sanctions list a node has: one with another than the owner's would pay where the owner does not.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SANCTIONS_FILE } from '../domain/parties/sanctions.js'
import { sha256Hex } from '../domain/values/digest.js'

/** Tells the hash of the folder's own list at each call; empty where the shipped one is in force. */
export function sanctionsHash(folder: string): () => string {
  const path = join(folder, SANCTIONS_FILE)
  let seen = ''
  let hash = ''
  return () => {
    const stat = statSync(path, { throwIfNoEntry: false })
    const stamp = stat ? `${stat.ino} ${stat.mtimeMs} ${stat.size}` : ''
    if (stamp !== seen) hash = stat ? sha256Hex(readFileSync(path, 'utf8')) : ''
    seen = stamp
    return hash
  }
}
