// Assertions of the demo on the service's answers.
import { isDeepStrictEqual } from 'node:util'
import type { Answer } from './stage.js'

/** The service's answer differs from what the demo announces. */
export class NotAsTold extends Error {
  override name = 'NotAsTold'
}

/** Throws NotAsTold unless both are deeply equal. */
export function told(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return
  throw new NotAsTold(`Not as told: ${what} should be ${JSON.stringify(expected)}, but is ${JSON.stringify(found)}`)
}

/** The body of an answer with this HTTP status; throws NotAsTold for any other status. */
export function answered<Body>(what: string, { status, body }: Answer<Body>, expected: number): Body {
  if (status === expected) return body
  throw new NotAsTold(`Not as told: ${what} should answer ${expected}, but answers ${status}: ${JSON.stringify(body)}`)
}
