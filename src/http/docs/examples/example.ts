// The shape of an example: one request that succeeds as written. A name in braces, `{agentId}`, stands for an id or a
// secret of the reader: a variable of that name in the shell and in the SDK's code.
import type { Json } from '../../../domain/values/canonical.js'

export interface Example {
  query?: { [name: string]: string }
  body?: Json
  /** The SDK call, in which `body` stands for the body. Absent when only a browser session can make the request. */
  sdk?: string
}

/** By operation: `POST /api/agents/{agentId}/freeze`. */
export type Examples = { [operation: string]: Example }

export const RECIPIENT = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
/** A second address, for things that may exist only once per address. */
export const ANOTHER_RECIPIENT = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
