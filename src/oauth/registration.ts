// What clients say of themselves, when they register or in a document under the URL that is their id.
import { errors } from 'oidc-provider'
import type { OAuthClient } from '../commands/people/oauthClients.js'
import { hasCardNumber } from '../domain/values/cardNumber.js'
import { cleanName } from '../domain/values/text.js'
import { redirectRefusal } from './redirect.js'

/** What every client is: public, on the person's own device or not, with codes and refresh tokens. */
export const REGISTERED = {
  application_type: 'native',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
} as const

const MOST_REDIRECTS = 10
const MOST_CHARACTERS = 2_000
const LONGEST_NAME = 100

/** What is kept of a registration; throws InvalidClientMetadata. */
export function saidIn(metadata: { [name: string]: unknown }): OAuthClient {
  const { client_name: given, redirect_uris: uris } = metadata
  const name = given === undefined ? undefined : nameIn(given)
  return { ...(name !== undefined && { name }), redirectUris: redirectsIn(uris) }
}

function nameIn(given: unknown): string {
  const clean = typeof given === 'string' ? cleanName(given, LONGEST_NAME) : undefined
  if (clean === undefined) throw new errors.InvalidClientMetadata('client_name must be text')
  if (!clean.ok) throw new errors.InvalidClientMetadata(`client_name ${clean.refusal.message}`)
  if (hasCardNumber(clean.value)) throw new errors.InvalidClientMetadata('client_name must have no card number')
  if (!VISIBLE.test(clean.value)) throw new errors.InvalidClientMetadata('client_name must have a visible character')
  return clean.value
}

/** White space and marks alone show nothing, and neither do some letters (U+3164, for example). */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{C}\p{Z}\p{M}\u2800]/u

function redirectsIn(given: unknown): string[] {
  const uris = Array.isArray(given) ? given.filter((uri) => typeof uri === 'string') : []
  const isWhole = Array.isArray(given) && uris.length === given.length
  if (!isWhole || uris.length === 0) throw new errors.InvalidClientMetadata('redirect_uris must be a list of URLs')
  if (uris.length > MOST_REDIRECTS || uris.join('').length > MOST_CHARACTERS) {
    throw new errors.InvalidClientMetadata(
      `redirect_uris must be at most ${MOST_REDIRECTS}, of ${MOST_CHARACTERS} characters together`,
    )
  }
  for (const uri of uris) {
    const reason = redirectRefusal(uri)
    if (reason !== undefined) throw new errors.InvalidClientMetadata(`redirect_uris ${reason}`)
  }
  return uris
}
