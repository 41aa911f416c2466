// Ends processes as a power cut does: all that run on a folder at once, before any of them can react to the end of
// another.
import { readdirSync, readFileSync } from 'node:fs'
import { withDescendants } from '../../../bench/processes.js'

/** Sends SIGKILL to all processes whose command names the folder, and all that descend from them; returns their ids. */
export function killAllOn(folder: string): number[] {
  const roots = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(folder))
  // A stopped process starts no others while they are looked up.
  for (const pid of roots) signal(Number(pid), 'SIGSTOP')
  const all = [...withDescendants(roots.map(Number))]
  for (const pid of all) signal(pid, 'SIGKILL')
  return all
}

/** Not for one that has ended and waits for its parent. */
export function isRunning(pid: number): boolean {
  const stat = textOf(`/proc/${pid}/stat`)
  return stat !== '' && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
}

/** Its arguments, each with a zero behind it. */
function commandOf(pid: string): string {
  return textOf(`/proc/${pid}/cmdline`)
}

/** Empty for a process that has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Does nothing where the process has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
