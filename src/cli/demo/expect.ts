// Assertions of the demo on the service's answers.
import { isDeepStrictEqual } from 'node:util'
import type { DemoAnswer } from './stage.js'

/** The service's answer differs from what the demo announces. */
export class UnexpectedResult extends Error {
  override name = 'UnexpectedResult'
}

/** Throws UnexpectedResult unless both are deeply equal. */
export function expectEqual(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return
  throw new UnexpectedResult(
    `Unexpected: ${what} should be ${JSON.stringify(expected)}, but is ${JSON.stringify(found)}`,
  )
}

/** The body of an answer with this HTTP status; throws UnexpectedResult for any other status. */
export function expectStatus<Body>(what: string, { status, body }: DemoAnswer<Body>, expected: number): Body {
  if (status === expected) return body
  throw new UnexpectedResult(
    `Unexpected: ${what} should answer ${expected}, but answers ${status}: ${JSON.stringify(body)}`,
  )
}
