// The scope of a program: what it starts is ended when its work ends, whatever the result, and also when the program is
// interrupted.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scope } from '../support/process.js'

/** Whoever starts processes and servers ends them when this process exits; a signal alone would not let them. */
export async function inScope<Value>(work: (scope: Scope) => Promise<Value>): Promise<Value> {
  const cleanings: (() => void | Promise<void>)[] = []
  useOwnTemporaryFolder()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
  try {
    return await work({ teardown: (clean) => void cleanings.push(clean) })
  } finally {
    for (const clean of cleanings.reverse()) await clean()
  }
}

function useOwnTemporaryFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-cluster-'))
  // PostgreSQL runs as another user, and must reach its folder in it.
  chmodSync(folder, 0o711)
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
}
