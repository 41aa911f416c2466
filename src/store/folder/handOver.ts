// How a process that works on a data folder is asked to give it up: by a file, for which it looks now and then.
import { access } from 'node:fs/promises'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** No copy has files that end so. */
const ASKED = 'hand-over.unfinished'

export function askForFolder(folder: string): void {
  writeFileSync(join(folder, ASKED), '', { mode: 0o600 })
}

export function askNoMore(folder: string): void {
  rmSync(join(folder, ASKED), { force: true })
}

export function isFolderAskedFor(folder: string): Promise<boolean> {
  return access(join(folder, ASKED)).then(
    () => true,
    () => false,
  )
}
