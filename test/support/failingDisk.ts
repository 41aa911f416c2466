// A disk that fails when a test says so: a library that is preloaded into the service and refuses system calls.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { projectRoot } from './root.js'
import { newFolder, type Scope } from './process.js'

export interface FailingDisk {
  /** For the environment of the service. */
  env: { [name: string]: string }
  /** From the `first` call on, calls fail: `write`, `sync`, `metawrite`, with the number of the system's error. */
  fail(call: string, code: number, ending: string, first?: number): void
  /** From now on the calls never return; resolves when one was made. */
  hang(call: string, ending: string): Promise<void>
  /** From now on all calls are made. */
  mend(): void
}

/** Undefined where it cannot be built. */
export function failingDisk(scope: Scope): FailingDisk | undefined {
  if (process.platform !== 'linux') return undefined
  const [fault, library] = [newFolder(scope), newFolder(scope)]
  const source = join(projectRoot, 'test', 'support', 'failingDisk.c')
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'inherit' })
  if (status !== 0) return undefined
  return {
    env: { LD_PRELOAD: library, FAULT: fault },
    fail: (call, code, ending, first = 1) => writeFileSync(fault, `${call} ${code} ${ending} ${first}\n`),
    hang: async (call, ending) => {
      writeFileSync(fault, `${call} -1 ${ending}\n`)
      while (!existsSync(`${fault}.hangs`)) await setImmediate()
    },
    mend: () => rmSync(fault, { force: true }),
  }
}
