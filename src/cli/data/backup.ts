// bursar backup and restore: copies a data folder to another folder, and back into an empty one. A copy contains the
// installation's secrets and is readable by its owner only.
import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { compactCopy, copyDatabase } from '../../store/backup/copy.js'
import { CHECKPOINTS, DATABASE, LOCKS } from '../../store/folder/files.js'
import { isOfJournals } from '../../store/journal/files.js'
import { lockFolder } from '../../store/folder/lock.js'
import type { ProbeProgress } from '../../store/check/probe.js'
import { fsyncPath } from '../../store/folder/fsync.js'
import { placeDatabase, refuseUnfinishedRestore, stageDatabase } from '../../store/backup/unfinishedRestore.js'
import { showing, type Shown } from '../terminal/asking.js'
import { Failure } from '../../config/failure.js'
import { type CommandContext } from '../terminal/command.js'
import { checkManifest, MANIFEST, writeManifest } from './manifest.js'
import { refuseOtherUser } from './owner.js'
import { namesIn } from './volume.js'

const MEGABYTE = 1_000_000

export const backupCommands = {
  backup: showing({
    usage: 'backup FOLDER [--compact]',
    summary: 'copy the data folder, secrets included, even while the service runs; --compact leaves out free pages',
    run: async ({ words: [folder], has }, context) =>
      backUp(resolve(context.dataDir()), resolve(folder!), has('compact'), context),
  }),
  restore: showing({
    usage: 'restore FOLDER',
    summary: 'copy a backup into the data folder, which must be empty',
    run: async ({ words: [folder] }, context) => restore(resolve(folder!), resolve(context.dataDir()), context),
  }),
}

async function backUp(
  dataDir: string,
  target: string,
  isCompact: boolean,
  { progress }: CommandContext,
): Promise<Shown> {
  if (!existsSync(join(dataDir, DATABASE))) throw new Failure(`${dataDir} contains no data: set BURSAR_DATA_DIR`)
  refuseFull(target)
  refuseInside(target, dataDir)
  // Before the database: a checkpoint that is signed meanwhile is of entries that the copy may not have.
  copyCheckpoints(dataDir, target)
  // Then the database: files that it refers to, such as a wallet's key, exist before it refers to them.
  const checking = (at: ProbeProgress): void => progress(copyingProgress(at))
  progress('Copying the database …')
  await copyDatabase(dataDir, target, checking)
  if (isCompact) {
    progress('Compacting the copy …')
    await compactCopy(target, checking)
  }
  progress('Copying the other files …')
  copyFiles(dataDir, target, [CHECKPOINTS])
  await writeManifest(target)
  fsyncPath(target)
  return told(`${dataDir} was copied to ${target}`, target)
}

async function restore(source: string, dataDir: string, { progress }: CommandContext): Promise<Shown> {
  if (!existsSync(source)) throw new Failure(`${source} does not exist: name the folder of a backup`)
  refuseUnfinishedRestore(dataDir)
  refuseFull(dataDir)
  refuseInside(dataDir, source)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  refuseOtherUser(dataDir)
  const unlock = await lockFolder(dataDir)
  try {
    // Once more: a service may have run there until now.
    refuseFull(dataDir)
    await restoreInto(source, dataDir, progress)
  } finally {
    await unlock()
  }
  return told(`${source} was restored to ${dataDir}`, dataDir, [LOGS_END])
}

/** Checks a backup and copies it into an empty folder, which nobody else uses meanwhile. */
export async function restoreInto(
  source: string,
  folder: string,
  progress: CommandContext['progress'],
): Promise<void> {
  progress('Checking the backup and copying its database …')
  await stageDatabase(
    source,
    folder,
    () => checkManifest(source),
    (at) => progress(copyingProgress(at)),
  )
  progress('Copying the other files …')
  copyFiles(source, folder)
  placeDatabase(folder)
}

export function refuseFull(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found && !found.isDirectory()) throw new Failure(`${folder} is not a folder`)
  // A lock is no content: it stays behind where a service or a restore was refused.
  if (found && namesIn(folder).some((name) => !LOCKS.has(name)))
    throw new Failure(`${folder} is not empty: nothing was written`)
}

/** Refuses to copy a folder into itself. */
function refuseInside(folder: string, other: string): void {
  const real = `${realpathSync(nearestExisting(folder))}${sep}`
  if (real.startsWith(`${realpathSync(other)}${sep}`)) throw new Failure(`${folder} is inside ${other}`)
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path))
}

const NOT_COPIED = new Set([DATABASE, MANIFEST, ...LOCKS])

export function copyingProgress({ what, done, total }: ProbeProgress): string {
  const [shown, of] = [done, total].map((count) => count.toLocaleString('en'))
  return `Checking the copy: ${shown} of ${of} ${what} …`
}

/** An unfinished file is being written, and gone or renamed a moment later. */
const isCopied = (name: string): boolean =>
  !NOT_COPIED.has(name) && !name.endsWith('.unfinished') && !isOfJournals(name)

function copyCheckpoints(dataDir: string, target: string): void {
  const source = join(dataDir, CHECKPOINTS)
  if (!existsSync(source)) return
  mkdirSync(target, { recursive: true, mode: 0o700 })
  copyFiles(source, join(target, CHECKPOINTS))
}

/** Copies all finished files except the database, readable by the owner only; follows links. */
function copyFiles(from: string, to: string, except: readonly string[] = []): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  chmodSync(to, 0o700)
  for (const name of namesIn(from).filter((one) => isCopied(one) && !except.includes(one))) {
    const [source, target] = [join(from, name), join(to, name)]
    const stat = statSync(source)
    if (stat.isDirectory()) copyFiles(source, target)
    else if (stat.isFile()) copyFile(source, target)
    else throw new Failure(`${source} is neither a file nor a folder`)
  }
  fsyncPath(to)
}

function copyFile(source: string, target: string): void {
  copyFileSync(source, target)
  chmodSync(target, 0o600)
  fsyncPath(target)
}

const LOGS_END = 'Audit logs end where the backup does: a checkpoint that was signed since does not fit them'

function told(sentence: string, folder: string, more: string[] = []): Shown {
  const bytes = statSync(join(folder, DATABASE)).size
  const megabytes = (bytes / MEGABYTE).toFixed(1)
  return {
    json: { folder, databaseBytes: bytes },
    lines: () => [
      `${sentence}: ${megabytes} MB, every record checked`,
      'It contains secrets and wallet keys: keep it safe',
      ...more,
    ],
  }
}
