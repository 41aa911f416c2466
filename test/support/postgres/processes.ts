// Ends processes as a power cut does: all of a tree at once, before any of them can react to the end of another.
import { readFileSync } from 'node:fs'
import { withDescendants } from '../../../bench/processes.js'

/** Sends SIGKILL to a process and all that descend from it, and returns their ids. */
export function killTree(root: number): number[] {
  // A stopped process starts no others while they are looked up.
  signal(root, 'SIGSTOP')
  const all = [...withDescendants([root])]
  for (const pid of all) signal(pid, 'SIGKILL')
  return all
}

/** Not for one that has ended and waits for its parent. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
