// What starts a server of another project needs: its program, an ordinary user to run it, a folder for its data, and a
// free port on loopback.
import { execFileSync, type ExecFileSyncOptions } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { NotRun } from '../../bench/target.js'

/** Empty for the current user. */
export interface OrdinaryUser {
  uid?: number
  gid?: number
}

const DEBIAN_POSTGRES = '/usr/lib/postgresql/15/bin'
/** Not the system's temporary folder, which may be in memory, where nothing is durable; tests say where. */
const DISK = process.env['BENCH_DISK'] ?? '/var/tmp'
/** The user that Debian's package creates for PostgreSQL, which refuses to run as root. */
const USER = 'postgres'
const RIVALS_INSTALLER = 'bench/rivals/install.sh'
/** Below the ports that systems give to connections. */
const LASTING = { from: 12_000, to: 32_000 }
const PORTS_TRIED = 50

/** The path of a program; NotRun names what it belongs to, and the script that installs it. */
export function programIn(program: string, of: string, installer = RIVALS_INSTALLER): string {
  const folders = [DEBIAN_POSTGRES, ...(process.env['PATH'] ?? '').split(delimiter)]
  const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
  if (found === undefined) throw new NotRun(`${of} is not installed: ${installer}`)
  return found
}

/** The current user, unless it is root. */
export function ordinaryUser(): OrdinaryUser {
  if (process.getuid?.() !== 0) return {}
  try {
    const quiet = { stdio: ['ignore', 'pipe', 'ignore'] } satisfies ExecFileSyncOptions
    const id = (what: string): number => Number(execFileSync('id', [what, USER], quiet))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    throw new NotRun(`PostgreSQL does not run as root, and there is no user ${USER}: ${RIVALS_INSTALLER}`)
  }
}

/** A new folder on a disk that only this user reads. */
export function dataFolder(name: string, { uid, gid }: OrdinaryUser): string {
  const folder = mkdtempSync(join(DISK, `bursar-${name}-`))
  chmodSync(folder, 0o700)
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

export function freePort(): Promise<number> {
  return heldOnce(0)
}

/**
 * A port for a server that stops and starts again. Meanwhile no connection is given it as its own end: one that was
 * tried again and again would in the end be connected to itself.
 */
export async function lastingPort(): Promise<number> {
  for (let tried = 0; tried < PORTS_TRIED; tried += 1) {
    const port = LASTING.from + Math.floor(Math.random() * (LASTING.to - LASTING.from))
    const isFree = await heldOnce(port).then(
      () => true,
      () => false,
    )
    if (isFree) return port
  }
  throw new Error(`None of ${PORTS_TRIED} ports was free`)
}

async function heldOnce(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
