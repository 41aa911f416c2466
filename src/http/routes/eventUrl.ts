// The URL of a webhook endpoint: its text is checked here, the addresses of its name at every delivery.
import type { Services } from '../../commands/ports.js'
import { refuse, succeed, type Result } from '../../domain/outcomes/result.js'
import { readAs } from '../input/schemas.js'
import { invalidInput } from '../input/validate.js'

const MAX_LENGTH = 2048

/** Text that is meant as a URL: `destinationOf` tells whether it is one that events are sent to. */
export const eventUrl = readAs<string>({ type: 'string', format: 'uri', maxLength: MAX_LENGTH }, (value) =>
  typeof value === 'string' && value.length <= MAX_LENGTH
    ? succeed(value)
    : refuse('VALIDATION_ERROR', `must be a URL of at most ${MAX_LENGTH} characters`),
)

/** An HTTPS URL that does not name a private host; `field` is where it stands in the body. */
export function destinationOf(services: Services, field: string, url: string): Result<string, 'VALIDATION_ERROR'> {
  const message = services.refuseDestination(url)
  if (message !== undefined) return invalidInput('VALIDATION_ERROR', [{ path: field, message }])
  return succeed(new URL(url).href)
}
