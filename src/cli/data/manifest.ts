// The manifest of a backup: its files and their hashes. It is written last, so a backup without it is unfinished, and
// one that differs from it was altered.
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../../config/failure.js'
import { entriesIn } from './volume.js'

export const MANIFEST = 'backup.json'
const FORMAT = 'bursar-backup/1'

interface Manifest {
  format: typeof FORMAT
  /** SHA-256 (hex) by path within the folder. */
  files: { [path: string]: string }
}

export async function writeManifest(folder: string): Promise<void> {
  const manifest: Manifest = { format: FORMAT, files: await hashesIn(folder) }
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
}

/** Throws a Failure that names the first file that differs from the manifest. */
export async function checkManifest(folder: string): Promise<void> {
  const { files } = readManifest(folder)
  const found = await hashesIn(folder)
  for (const path of new Set([...Object.keys(files), ...Object.keys(found)])) {
    if (files[path] === found[path]) continue
    const what = found[path] === undefined ? 'is missing' : files[path] === undefined ? 'was added' : 'was changed'
    throw new Failure(`${folder} is damaged: ${path} ${what}`)
  }
}

function readManifest(folder: string): Manifest {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')) as Manifest
    if (manifest.format === FORMAT) return manifest
  } catch {
    // Reported below, like a manifest of another format.
  }
  throw new Failure(`${folder} is not a finished backup: it has no valid ${MANIFEST}`)
}

async function hashesIn(folder: string): Promise<Manifest['files']> {
  const names = filesIn(folder)
    .filter((path) => path !== MANIFEST)
    .sort()
  const hashes: Manifest['files'] = {}
  for (const name of names) hashes[name] = await hashOf(join(folder, name))
  return hashes
}

/** The paths of all files in the folder, from it. */
function filesIn(folder: string): string[] {
  return entriesIn(folder).flatMap((entry) => {
    if (entry.isDirectory()) return filesIn(join(folder, entry.name)).map((path) => join(entry.name, path))
    return entry.isFile() ? [entry.name] : []
  })
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
