// Syncs a file or folder to disk, so that it survives a power cut; a folder, for the names of the files in it.
import { closeSync, fsyncSync, openSync } from 'node:fs'

export function fsyncPath(path: string): void {
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
