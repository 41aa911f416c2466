// Says which fields hold secrets and which hold URLs, and redacts URLs before they are shown or stored: values in a
// query or fragment may be secrets.
import type { Json } from '../values/canonical.js'

/** Fields that are or may contain secrets, sealed or hashed; they never leave their actor. */
export const SECRETS = ['hash', 'secret', 'previousSecret', 'heldRequest', 'transfers', 'tokens'] as const

/** Fields that are never shown either; the audit log records that they change, without the secrets inside. */
const AROUND_SECRETS = ['token', 'password', 'setUp'] as const

const CONCEALED = new Set<string>([...SECRETS, ...AROUND_SECRETS])
const URLS = new Set(['url', 'callbackUrl', 'webhookUrl'])

/** True for a field that is never shown. */
export function isConcealed(field: string): boolean {
  return CONCEALED.has(field)
}

/** The displayable value of a field that is not concealed: URLs are redacted. */
export function redacted<Value extends Json | undefined>(field: string, value: Value): Value | string {
  return URLS.has(field) && typeof value === 'string' ? redactedUrl(value) : value
}

export const REDACTED = 'REDACTED'

/** Replaces every value of the query, and the fragment, by REDACTED. */
export function redactedUrl(url: string): string {
  const [rest = '', ...fragment] = url.split('#')
  const [path = '', ...query] = rest.split('?')
  const parts = query.join('?').split('&')
  const shown = parts.map((part) => (part.includes('=') ? `${part.slice(0, part.indexOf('='))}=${REDACTED}` : REDACTED))
  return path + (query.length > 0 ? `?${shown.join('&')}` : '') + (fragment.length > 0 ? `#${REDACTED}` : '')
}

/**
 * The URL that somebody means who has read one in its redacted form: the stored one. Undefined for any other that
 * carries REDACTED, which would be stored in place of a value.
 */
export function unredactedUrl(given: string, stored: string | null): string | undefined {
  if (stored !== null && given === redactedUrl(stored)) return stored
  return given.includes(REDACTED) ? undefined : given
}

export const CARRIES_REDACTED = `must not hold ${REDACTED}, unless it is the present URL as it is shown`
