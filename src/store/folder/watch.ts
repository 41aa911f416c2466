// Notices when a file that the service works with was removed or replaced: the system lets a process go on with a file
// that nobody can find any more, and its answers would be lost with it.
import { statSync, type BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'

const EVERY_MS = 1_000
const GONE = new Set(['ENOENT', 'ENOTDIR'])

/** Calls `onLost` as long as one of the files is missing or another one; the returned function ends that. */
export function watchFiles(paths: readonly string[], onLost: (error: Error) => void): () => void {
  const files = paths.map((path) => ({ path, identity: identityOf(statSync(path, { bigint: true })) }))
  let isLooking = false
  const look = async (): Promise<void> => {
    // A disk that does not answer is asked once.
    if (isLooking) return
    isLooking = true
    for (const { path, identity } of files) {
      const what = await lossOf(path, identity)
      if (what !== undefined) onLost(new Error(`${path} ${what}`))
    }
    isLooking = false
  }
  const timer = setInterval(() => void look(), EVERY_MS).unref()
  return () => clearInterval(timer)
}

const identityOf = ({ dev, ino }: BigIntStats): string => `${dev} ${ino}`

async function lossOf(path: string, identity: string): Promise<string | undefined> {
  try {
    return identityOf(await stat(path, { bigint: true })) === identity ? undefined : 'was replaced'
  } catch (error) {
    // What else the system may say, of permissions for example, does not concern a file that is open.
    return GONE.has((error as NodeJS.ErrnoException).code ?? '') ? 'is missing' : undefined
  }
}
