// What went wrong with a node, in words for the log: never its address, which may hold a key, nor bytes that were sent.
import { CustodyError } from './custody.js'

const ADDRESSES = /\b(https?|wss?):\/\/[^\s"'<>]+/gi
/** Longer than a hash: what was signed. */
const BYTES = /0x[0-9a-f]{65,}/gi

/** The library's full messages repeat the request and where it went to; its short ones do not. */
export function failureOf(error: unknown): string {
  if (error instanceof CustodyError) return error.message
  const { shortMessage, details, stack, message } = error as Partial<Error> & { shortMessage?: string; details?: string }
  const told = shortMessage === undefined ? (stack ?? message ?? String(error)) : [shortMessage, details].join(' ').trim()
  return told.replace(ADDRESSES, '(address)').replace(BYTES, '(bytes)')
}
