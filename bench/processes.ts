// Figures from Linux on processes: the CPU time that they and their descendants have used, and their memory.
import { readdirSync, readFileSync } from 'node:fs'

/** CPU time of trees of processes. The time of processes that have ended since still counts. */
export class CpuMeter {
  readonly #roots: readonly number[]
  /** Microseconds by thread. */
  readonly #used = new Map<string, number>()

  constructor(...roots: number[]) {
    this.#roots = roots
  }

  /** Microseconds used so far; `isCounted` chooses threads. */
  micros(isCounted: (thread: string) => boolean = () => true): number {
    for (const pid of withDescendants(this.#roots)) {
      for (const thread of threadsOf(pid)) note(this.#used, thread, pid)
    }
    return [...this.#used].reduce((sum, [thread, micros]) => (isCounted(thread) ? sum + micros : sum), 0)
  }
}

export function threadsOf(pid: number): string[] {
  return attempted(() => readdirSync(`/proc/${pid}/task`)) ?? []
}

/** The first number is the time on a processor in nanoseconds. */
function note(used: Map<string, number>, thread: string, pid: number): void {
  const text = attempted(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
  if (text !== undefined) used.set(thread, Number(text.split(' ')[0]) / 1_000)
}

/** The processes and all that descend from them and live. */
export function withDescendants(roots: readonly number[]): Set<number> {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(parentOf)
  const found = new Set(roots)
  // A parent may have a higher number than its child: repeat until nothing new is found.
  for (let size = 0; size < found.size;) {
    size = found.size
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid)
  }
  return found
}

/** The parent is the second field after the name, which may contain anything. */
function parentOf(pid: string): [pid: number, parent: number][] {
  const stat = attempted(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return []
  return [[Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]]
}

export interface Memory {
  /** All resident memory. */
  residentMb: number
  /**
   * The part of it that is pages of files, which the system reclaims when necessary: a data file that was read counts
   * here.
   */
  fileMb: number
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) / 1_000
  return { residentMb: mb('VmRSS'), fileMb: mb('RssFile') }
}

/** Undefined if the process is gone by now. */
function attempted<Read>(read: () => Read): Read | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
