// Brings files to disk, so that they survive a power cut.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A folder, for the names of the files in it. */
export function fsyncPath(path: string): void {
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/**
 * Writes the file, readable by its owner alone, under the name `unfinished`, and renames it once it is whole on disk: an
 * interruption leaves no part of it.
 */
export function writeWhole(path: string, content: string, unfinished: string): void {
  try {
    writeFileSync(unfinished, content, { flag: 'wx', mode: 0o600, flush: true })
    renameSync(unfinished, path)
    fsyncPath(dirname(path))
  } finally {
    rmSync(unfinished, { force: true })
  }
}
