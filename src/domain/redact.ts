// What may not be shown or kept of records and requests: which of their fields hold secrets, and URLs, of which the
// values in a query or fragment may be secrets.
import type { Json } from './canonical.js'

/** Fields that are secrets, sealed or hashed, or may have one in them: nothing of them leaves its actor. */
export const SECRETS = ['hash', 'secret', 'previousSecret', 'heldRequest', 'transfers'] as const

/** Nobody is shown these either, but the log tells that they changed, and what is in them that is none of the above. */
const AROUND_SECRETS = ['token', 'password', 'setUp'] as const

const CONCEALED = new Set<string>([...SECRETS, ...AROUND_SECRETS])
const URLS = new Set(['url', 'callbackUrl', 'webhookUrl'])

/** True for a field that nobody is shown. */
export function isConcealed(field: string): boolean {
  return CONCEALED.has(field)
}

/** The value of a field that is no secret, as it may be shown: where it is a URL, without what may be secret of it. */
export function redacted<Value extends Json | undefined>(field: string, value: Value): Value | string {
  return URLS.has(field) && typeof value === 'string' ? redactedUrl(value) : value
}

/** The URL with every value of its query, and its fragment, replaced by REDACTED. */
export function redactedUrl(url: string): string {
  const [rest = '', ...fragment] = url.split('#')
  const [path = '', ...query] = rest.split('?')
  const parts = query.join('?').split('&')
  const shown = parts.map((part) => (part.includes('=') ? `${part.slice(0, part.indexOf('='))}=REDACTED` : 'REDACTED'))
  return path + (query.length > 0 ? `?${shown.join('&')}` : '') + (fragment.length > 0 ? '#REDACTED' : '')
}
