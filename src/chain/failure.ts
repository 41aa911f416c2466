// The message of a node's error for the log. It leaves out URLs, which may hold an API key, and transaction bytes.
import { CustodyError } from './custody.js'

const ADDRESSES = /\b(https?|wss?):\/\/[^\s"'<>]+/gi
/** Longer than a hash: signed transactions. */
const BYTES = /0x[0-9a-f]{65,}/gi

/** viem's full messages repeat the request and its URL; its short ones do not. */
export function failureOf(error: unknown): string {
  if (error instanceof CustodyError) return error.message
  const { shortMessage, details, stack, message } = error as Partial<Error> & {
    shortMessage?: string
    details?: string
  }
  const told =
    shortMessage === undefined ? (stack ?? message ?? String(error)) : [shortMessage, details].join(' ').trim()
  return told.replace(ADDRESSES, '(address)').replace(BYTES, '(bytes)')
}
