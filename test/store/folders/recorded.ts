// The stored folders of `test/fixtures/folders`, one for each time that a stored form changed. Their keys and secrets
// open nothing else.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { DATABASE, LOCKS } from '../../../src/store/folder/files.js'
import { projectRoot } from '../../support/root.js'
import type { Forms } from './forms.js'

const FOLDERS = join(projectRoot, 'test', 'fixtures', 'folders')
const DESCRIPTION = 'recorded.json'
const PACKED = `${DATABASE}.gz`

export interface Recorded {
  /** The time of the service's clock at the end, epoch ms. */
  at: number
  /** How many actors of each kind it has. */
  actors: { [kind: string]: number }
  forms: Forms
}

/** Names, the oldest first. */
export function recordedNames(): string[] {
  const names = existsSync(FOLDERS) ? readdirSync(FOLDERS) : []
  return names.toSorted((a, b) => Number(a) - Number(b))
}

export function recordedIn(name: string): Recorded {
  return JSON.parse(readFileSync(join(FOLDERS, name, DESCRIPTION), 'utf8')) as Recorded
}

/** Makes a data folder of it. */
export function unpack(name: string, folder: string): void {
  cpSync(join(FOLDERS, name), folder, { recursive: true })
  writeFileSync(join(folder, DATABASE), gunzipSync(readFileSync(join(folder, PACKED))))
  for (const extra of [PACKED, DESCRIPTION]) rmSync(join(folder, extra))
  // Git keeps of a mode no more than whether a file can be executed.
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
  }
}

/** Keeps a data folder that nothing uses, under the next number; returns its path. */
export function pack(folder: string, recorded: Recorded): string {
  const target = join(FOLDERS, String(Number(recordedNames().at(-1) ?? 0) + 1))
  mkdirSync(target, { recursive: true })
  for (const file of readdirSync(folder).filter((one) => one !== DATABASE && !LOCKS.has(one))) {
    cpSync(join(folder, file), join(target, file), { recursive: true })
  }
  writeFileSync(join(target, PACKED), gzipSync(readFileSync(join(folder, DATABASE)), { level: 9 }))
  writeFileSync(join(target, DESCRIPTION), `${JSON.stringify(recorded)}\n`)
  return target
}
