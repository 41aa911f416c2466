// The list of a backup's files with their hashes, written last: a backup without it was not finished, and one that it
// does not describe is not the one that was made.
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure } from './command.js'

export const MANIFEST = 'backup.json'
const FORMAT = 'bursar-backup/1'

interface Manifest {
  format: typeof FORMAT
  /** SHA-256 (hex) by the path in the folder. */
  files: { [path: string]: string }
}

/** Describes all files of the folder in it. */
export async function writeManifest(folder: string): Promise<void> {
  const manifest: Manifest = { format: FORMAT, files: await hashesIn(folder) }
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
}

/** Throws a Failure that names the first file that is not as it was when the backup was made. */
export async function checkManifest(folder: string): Promise<void> {
  const { files } = readManifest(folder)
  const found = await hashesIn(folder)
  for (const path of new Set([...Object.keys(files), ...Object.keys(found)])) {
    if (files[path] === found[path]) continue
    const what = found[path] === undefined ? 'lacks' : files[path] === undefined ? 'was given' : 'is damaged: it has another'
    throw new Failure(`${folder} ${what} ${path}`)
  }
}

function readManifest(folder: string): Manifest {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest
    if (manifest.format === FORMAT) return manifest
  } catch {
    // Named below, like one of another format.
  }
  throw new Failure(`${folder} is no backup that was finished: it has no ${MANIFEST}`)
}

async function hashesIn(folder: string): Promise<Manifest['files']> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => path !== MANIFEST)
    .sort()
  const hashes: Manifest['files'] = {}
  for (const name of names) hashes[name] = await hashOf(join(folder, name))
  return hashes
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
