// The sanctions list in force: the one in the data folder, else the shipped one. A replaced list applies to every request
// sent after it. A list that cannot be read is no list.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSanctionsList, SANCTIONS_FILE, type SanctionsList } from '../domain/parties/sanctions.js'

const SHIPPED = fileURLToPath(new URL('../../../assets/sanctioned-evm-addresses.json', import.meta.url))

export interface InForce {
  /** Undefined when the list cannot be read. */
  list: SanctionsList | undefined
  origin: 'SHIPPED' | 'LOADED'
}

/** Looks for the file at each call. `onTrouble` is called once for each unreadable file, with the reason. */
export function sanctionsIn(dataDir: string, onTrouble: (message: string) => void): () => InForce {
  const loaded = join(dataDir, SANCTIONS_FILE)
  let seen = ''
  let inForce: InForce = { list: undefined, origin: 'SHIPPED' }
  return () => {
    const { path, stamp } = stampOf(loaded)
    if (stamp === seen && inForce.list) return inForce
    const origin = path === loaded ? 'LOADED' : 'SHIPPED'
    inForce = { list: read(path, stamp === seen ? () => {} : onTrouble), origin }
    seen = stamp
    return inForce
  }
}

/**
 * Looks once for all requests of a round. INVARIANT: every request waits for an immediate after it is read
 * (src/http/server/batching.ts). One that was sent after a look was read after it, too, so that its immediate runs after the one
 * here: it looks again.
 */
export function oncePerRound(look: () => InForce): () => InForce {
  let seen: InForce | undefined
  return () => {
    if (seen) return seen
    seen = look()
    setImmediate(() => void (seen = undefined))
    return seen
  }
}

/** The file to read, and a stamp that changes whenever the file is replaced. */
function stampOf(loaded: string): { path: string; stamp: string } {
  try {
    const stat = statSync(loaded, { throwIfNoEntry: false })
    if (stat) return { path: loaded, stamp: `${stat.ino} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.size}` }
    return { path: SHIPPED, stamp: 'shipped' }
  } catch (error) {
    return { path: loaded, stamp: String(error) }
  }
}

function read(path: string, onTrouble: (message: string) => void): SanctionsList | undefined {
  try {
    const found = readSanctionsList(readFileSync(path, 'utf8'))
    if (found.ok) return found.value
    onTrouble(`${path} ${found.refusal.message}`)
  } catch (error) {
    onTrouble(`${path} cannot be read: ${String(error)}`)
  }
  return undefined
}
