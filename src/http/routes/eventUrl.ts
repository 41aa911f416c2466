// The schema of a webhook endpoint's URL, which checks its text only.
import { refuse, succeed } from '../../domain/outcomes/result.js'
import type { Services } from '../../commands/ports.js'
import { readAs } from '../input/schemas.js'

const MAX_LENGTH = 2048

/** An HTTPS URL that does not name a private host; the addresses of its name are checked at every delivery. */
export function eventUrl({ refuseDestination }: Pick<Services, 'refuseDestination'>) {
  const description = { type: 'string', format: 'uri', maxLength: MAX_LENGTH }
  return readAs<string>(description, (value) => {
    if (typeof value !== 'string' || value.length > MAX_LENGTH) {
      return refuse('VALIDATION_ERROR', `must be a URL of at most ${MAX_LENGTH} characters`)
    }
    const message = refuseDestination(value)
    return message === undefined ? succeed(new URL(value).href) : refuse('VALIDATION_ERROR', message)
  })
}
