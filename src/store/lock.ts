// Locks a data folder to one process: a second one would decide on outdated sums. The lock is a socket, because the
// system releases it however the process ends.
import { statSync, unlinkSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '../domain/digest.js'

/** Of the folder itself: it may have several paths, and other containers may have another folder under the same one. */
function addressOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true })
  const name = `bursar-${sha256Hex(`${dev} ${ino}`).slice(0, 32)}`
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`)
}

function listen(address: string): Promise<() => void> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => resolve(() => void server.close()))
    server.unref()
  })
}

function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => resolve(true)).on('error', () => resolve(false))
    socket.on('close', () => socket.destroy())
  })
}

/** Locks the folder; the returned function unlocks it. Throws when another process holds the lock. */
export async function lockFolder(folder: string): Promise<() => void> {
  const unlock = await lockIfFree(folder)
  if (!unlock) throw new Error(`The data folder ${folder} is in use by another process`)
  return unlock
}

/** The same, but resolves to undefined when another process holds the lock. */
export async function lockIfFree(folder: string): Promise<(() => void) | undefined> {
  const address = addressOf(folder)
  try {
    return await listen(address)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
  }
  if (address.startsWith('\0') || (await isAnswered(address))) return undefined
  // A process that did not close the lock left the file behind; only file sockets stay.
  unlinkSync(address)
  return listen(address)
}
