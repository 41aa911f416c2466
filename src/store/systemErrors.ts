// What errors of the operating system say: of the machine, its disk or its permissions, never of the data. Node names
// them (`code: 'ENOSPC'`), LMDB numbers them (`code: 28`); both may lie in the cause of another error.
import { constants } from 'node:os'

/** LMDB refuses everything, reading included, after it could not write the page that makes a commit valid. */
const PANIC = -30795
const NAMES = new Map(Object.entries({ ...constants.errno, MDB_PANIC: PANIC }).map(([name, number]) => [number, name]))
const PERMISSION = ['EACCES', 'EPERM']
const DISK = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'MDB_PANIC']
const EXHAUSTED = ['EMFILE', 'ENFILE', 'ENOMEM']
const KNOWN = new Set([...PERMISSION, ...DISK, ...EXHAUSTED])

interface SystemError {
  /** As `ENOSPC`. */
  name: string
  error: Error
}

function systemErrorIn(error: unknown): SystemError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  const name = typeof code === 'number' ? NAMES.get(code) : code
  return typeof name === 'string' && KNOWN.has(name) ? { name, error } : systemErrorIn(error.cause)
}

/** The disk does not take what is written to it, or gives nothing back. */
export function isDiskFailure(error: unknown): boolean {
  return DISK.includes(systemErrorIn(error)?.name ?? '')
}

/** The process is out of file descriptors or memory; later it may not be. */
export function isExhausted(error: unknown): boolean {
  return EXHAUSTED.includes(systemErrorIn(error)?.name ?? '')
}

/** What the system says, in one line; undefined when the error does not come from it. */
export function systemMessage(error: unknown): string | undefined {
  const found = systemErrorIn(error)
  if (!found) return undefined
  const [line] = found.error.message.split('\n')
  return line!.startsWith(found.name) ? line : `${found.name}: ${line}`
}
