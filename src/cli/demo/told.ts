// Holds the service to what the story says of it.
import { isDeepStrictEqual } from 'node:util'
import type { Answer } from './stage.js'

/** The service did something else than the story tells. */
export class NotAsTold extends Error {
  override name = 'NotAsTold'
}

/** Throws NotAsTold unless both are equal through and through. */
export function told(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return
  throw new NotAsTold(`Not as told: ${what} should be ${JSON.stringify(expected)}, but is ${JSON.stringify(found)}`)
}

/** The body of an answer that has this HTTP status; throws NotAsTold for any other. */
export function answered<Body>(what: string, { status, body }: Answer<Body>, expected: number): Body {
  if (status === expected) return body
  throw new NotAsTold(`Not as told: ${what} should answer ${expected}, but answers ${status}: ${JSON.stringify(body)}`)
}
