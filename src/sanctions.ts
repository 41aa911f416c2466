// The sanctions list that is in force: the one in the data folder, or else the one that is shipped. The file system is
// asked whether it was replaced before anything that came later is decided, so that a list counts for every request
// that is sent when it is there. What cannot be read is no list.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSanctionsList, SANCTIONS_FILE, type SanctionsList } from './domain/sanctions.js'

const SHIPPED = fileURLToPath(new URL('../../assets/sanctioned-evm-addresses.json', import.meta.url))

export interface InForce {
  /** Undefined where it cannot be read. */
  list: SanctionsList | undefined
  origin: 'SHIPPED' | 'LOADED'
}

/** `onTrouble` hears why a list cannot be read, once for each file that cannot. */
export function sanctionsIn(dataDir: string, onTrouble: (message: string) => void): () => InForce {
  const loaded = join(dataDir, SANCTIONS_FILE)
  let seen = ''
  let inForce: InForce = { list: undefined, origin: 'SHIPPED' }
  const look = (): void => {
    const { path, stamp } = stampOf(loaded)
    if (stamp === seen && inForce.list) return
    const origin = path === loaded ? 'LOADED' : 'SHIPPED'
    inForce = { list: read(path, stamp === seen ? () => {} : onTrouble), origin }
    seen = stamp
  }
  let isCurrent = false
  return () => {
    if (isCurrent) return inForce
    look()
    isCurrent = true
    // One look does for the stretch of the event loop that it is made in: what is sent later arrives in a later one.
    process.nextTick(() => void (isCurrent = false))
    return inForce
  }
}

/** The file to read, and what changes whenever it is replaced. */
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
    if (found.ok) return found.list
    onTrouble(`${path} ${found.message}`)
  } catch (error) {
    onTrouble(`${path} cannot be read: ${String(error)}`)
  }
  return undefined
}
