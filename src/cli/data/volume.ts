// What a folder contains. It may be the root of a volume, where the file system keeps a folder of its own, which only
// root can read.
import { readdirSync, type Dirent } from 'node:fs'

const LOST_AND_FOUND = 'lost+found'

/** The entries of a folder, without the file system's own. */
export function entriesIn(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== LOST_AND_FOUND)
}

export function namesIn(folder: string): string[] {
  return entriesIn(folder).map(({ name }) => name)
}
