// The last checkpoint that the service signed of each audit log: a signed note in a file beside the key, so that a
// database that was put back or rewritten does not take it along. It also holds which logs do not continue theirs.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditLogPort } from '../actor/auditLog.js'
import { verifyEd25519 } from '../config/ed25519.js'
import type { LastCheckpoints } from '../commands/ports.js'
import { isSignedBy, checkpointOrigin, readCheckpoint, type Checkpoint } from '../domain/audit/checkpoint.js'
import type { Log } from '../domain/values/log.js'
import { CHECKPOINTS } from '../store/folder/files.js'
import { fsyncPath } from '../store/folder/fsync.js'

const ENDING = '.note'

export class LastCheckpointFiles implements LastCheckpoints {
  readonly #folder: string
  readonly #publicKey: Uint8Array
  readonly #log: Log
  /** All that there are, by organization: files are read at the start only. */
  readonly #known = new Map<string, Checkpoint | 'unreadable'>()
  /** What is wrong, by organization. */
  readonly #conflicts = new Map<string, string>()

  constructor(dataDir: string, publicKey: Uint8Array, log: Log) {
    this.#folder = join(dataDir, CHECKPOINTS)
    this.#publicKey = publicKey
    this.#log = log
  }

  /** Logs that do not continue their last checkpoint. */
  get conflicts(): number {
    return this.#conflicts.size
  }

  last(organization: string): Checkpoint | 'unreadable' | undefined {
    return this.#known.get(organization)
  }

  async keep(organization: string, note: string): Promise<boolean> {
    try {
      await this.#write(organization, note)
    } catch (error) {
      this.#log('a checkpoint cannot be kept, so none is signed', { error })
      return false
    }
    this.#known.set(organization, readCheckpoint(note)!)
    return true
  }

  tell(organization: string, problem: string | undefined): void {
    if (this.#conflicts.get(organization) === problem) return
    if (problem === undefined) return void this.#conflicts.delete(organization)
    this.#conflicts.set(organization, problem)
    this.#log('an audit log does not continue the last checkpoint', { organization, message: problem })
  }

  /**
   * Reads what is kept, and compares it with each log by the entry at its end, which names all entries before it. To be
   * called before anything is signed.
   */
  async check(auditLog: Pick<AuditLogPort, 'entry'>): Promise<void> {
    for (const organization of this.#organizations()) {
      const last = this.#read(organization)
      this.#known.set(organization, last)
      this.tell(organization, await problemOf(auditLog, organization, last))
    }
  }

  #organizations(): string[] {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const names = readdirSync(this.#folder).filter((name) => name.endsWith(ENDING))
    return names.map((name) => name.slice(0, -ENDING.length))
  }

  #pathOf(organization: string): string {
    return join(this.#folder, `${organization}${ENDING}`)
  }

  #read(organization: string): Checkpoint | 'unreadable' {
    const note = readFileSync(this.#pathOf(organization), 'utf8')
    const key = { name: checkpointOrigin(organization), publicKey: this.#publicKey }
    const checkpoint = readCheckpoint(note)
    const isOwn = checkpoint?.origin === key.name && isSignedBy(note, key, verifyEd25519)
    return isOwn ? checkpoint : 'unreadable'
  }

  async #write(organization: string, note: string): Promise<void> {
    const path = this.#pathOf(organization)
    // One name, because each log is signed by one at a time: attempts that fail leave one file, not one each.
    const unfinished = `${path}.unfinished`
    await writeFile(unfinished, note, { mode: 0o600, flush: true })
    await rename(unfinished, path)
    fsyncPath(this.#folder)
  }
}

async function problemOf(
  auditLog: Pick<AuditLogPort, 'entry'>,
  organization: string,
  last: Checkpoint | 'unreadable',
): Promise<string | undefined> {
  if (last === 'unreadable') return 'what is kept as its last checkpoint is not what the service signed'
  const entry = await auditLog.entry(organization, last.size).catch(() => undefined)
  return entry?.hash === last.head ? undefined : `its entry ${last.size} is not the last one of the checkpoint`
}
