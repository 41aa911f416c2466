// What errors of the operating system say: of the machine, its disk or its permissions, never of the data. Node names
// them (`code: 'ENOSPC'`), LMDB numbers them (`code: 28`); both may lie in the cause of another error.
import { constants } from 'node:os'

const NAMES = new Map(Object.entries(constants.errno).map(([name, number]) => [number, name]))
/**
 * LMDB refuses everything, reading included, after it could not write the page that makes a commit valid. Who reads then
 * gets another number.
 */
const PANIC = 'MDB_PANIC'
const PERMISSION = ['EACCES', 'EPERM']
const DISK = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', PANIC]
const EXHAUSTED = ['EMFILE', 'ENFILE', 'ENOMEM']
const KNOWN = new Set([...PERMISSION, ...DISK, ...EXHAUSTED])

interface SystemError {
  /** As `ENOSPC`. */
  name: string
  error: Error
}

function systemErrorIn(error: unknown): SystemError | undefined {
  if (!(error instanceof Error)) return undefined
  const name = nameOf(error)
  return name !== undefined && KNOWN.has(name) ? { name, error } : systemErrorIn(error.cause)
}

function nameOf(error: Error & { code?: unknown }): string | undefined {
  // Those of the web are numbered, too, but not by the system.
  if (error instanceof DOMException) return undefined
  if (error.message.includes(PANIC)) return PANIC
  return typeof error.code === 'number' ? NAMES.get(error.code) : (error.code as string | undefined)
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
