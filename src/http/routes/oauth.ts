// OAuth for clients of MCP: who issues tokens for the MCP endpoint (RFC 9728), and the consent of a person. The protocol
// itself is answered by a library, under /oauth.
import * as v from 'valibot'
import type { Actor } from '../../actor/actor.js'
import {
  consentedParams,
  consentTo,
  findConsentRequest,
  unusedGrants,
  type AskedParams,
} from '../../commands/people/oauthGrants.js'
import type { Services } from '../../commands/ports.js'
import { mcpResource, OAUTH_SCOPES } from '../../domain/access/oauth.js'
import { id, opaqueText, recordSchema, text } from '../input/schemas.js'
import { answered, iso, ok } from '../server/respond.js'
import { route, type HandlerInput, type Route } from '../server/route.js'

/** Where the library answers, and under what its metadata is found by the issuer's address (RFC 8414). */
const ISSUER_PATH = '/oauth'
const ISSUER_METADATA = '/.well-known/oauth-authorization-server/oauth'

const ANSWERED = ['authorize', 'token', 'register', 'revoke', 'jwks', '.well-known/openid-configuration']
const PATHS: ReadonlySet<string> = new Set([...ANSWERED.map((name) => `${ISSUER_PATH}/${name}`), ISSUER_METADATA])

/** Only as they are spelled here: the library would take others for the same, and answer some that nobody needs. */
export function isOfOAuth(path: string): boolean {
  return PATHS.has(path)
}

/** Requests of clients that name no organization, and have a token of one in their body. */
export const OAUTH_TOKEN_PATHS: readonly string[] = [`${ISSUER_PATH}/token`, `${ISSUER_PATH}/revoke`]

/** For clients that were only told the address of the endpoint. It is no operation of the interface. */
export const resourceMetadataRoutes: readonly Route[] = ['', '/mcp'].map((resource) => ({
  method: 'GET',
  path: `/.well-known/oauth-protected-resource${resource}`,
  access: { key: 'none' },
  limit: 'reads',
  query: v.object({}),
  answers: {},
  handler: async ({ services }: HandlerInput) => ok(resourceMetadata(services)),
}))

function resourceMetadata({ publicUrl }: Services) {
  return {
    resource: mcpResource(publicUrl()),
    authorization_servers: [`${publicUrl()}${ISSUER_PATH}`],
    scopes_supported: OAUTH_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Bursar',
  }
}

const MOST_CHARACTERS = 12_000

const requestText = opaqueText(1, MOST_CHARACTERS)

const consentRequestSchema = recordSchema('ConsentRequest', {
  clientName: v.string(),
  /** Where the client gets its code, with the scheme where that opens another program. */
  redirectHost: v.string(),
  /** The same with scheme and path, as a person compares it. */
  redirectTo: v.string(),
  /** Where the client is described, of one whose id is the address of its description. */
  clientHost: v.optional(v.string()),
  expiresAt: v.string(),
  /** Where the browser tells the client that it was refused. */
  refusalUrl: v.string(),
  /** What the person has consented to already, and the client has not taken up: approved meanwhile. */
  granted: v.array(v.object({ agentId: v.string(), mayExecute: v.boolean() })),
})

const consentSchema = recordSchema('Consent', {
  keyId: v.string(),
  /** Where the browser goes on to the client, within five minutes; absent where an approval carried the consent out. */
  redirectUrl: v.optional(v.string()),
})

export const oauthRoutes = [
  route({
    operationId: 'getConsentRequest',
    method: 'GET',
    path: '/api/oauth/consent',
    access: { key: 'person', scope: 'agents:write' },
    summary: 'What a client of OAuth asks the signed-in person for',
    query: v.strictObject({ request: requestText }),
    answers: { 200: consentRequestSchema },
    handler: async ({ services, caller, query }) => {
      const asked = findConsentRequest(services, caller, query.request)
      if (!asked.ok) return asked
      const { clientName, redirectHost, params, expiresAt } = asked.value
      const granted = unusedGrants(services, caller, asked.value).map(({ context: { fields } }) => {
        return { agentId: fields.agentId!, mayExecute: fields.scopes.includes('payments:execute') }
      })
      const refusalUrl = refusalOf(services, params)
      const shown = { clientName, redirectHost, ...placesOf(params) }
      return ok({ ...shown, expiresAt: iso(expiresAt), refusalUrl, granted })
    },
  }),
  route({
    operationId: 'consentToClient',
    method: 'POST',
    path: '/api/oauth/consent',
    access: { key: 'person', scope: 'agents:write' },
    summary: 'Let a client of OAuth act for an agent, in the name of the signed-in person',
    governed: 'key.create',
    idempotency: 'none',
    // It is long, and says nothing to whoever approves.
    sealedField: { name: 'request', shown: () => null },
    bodyLimit: 32 * 1024,
    body: v.strictObject({
      request: requestText,
      clientName: text(1, MOST_CHARACTERS),
      redirectHost: opaqueText(1, MOST_CHARACTERS),
      agentId: id(),
      mayExecute: v.optional(v.boolean(), false),
    }),
    answers: { 200: consentSchema },
    refuses: ['NOT_FOUND', 'LIMIT_REACHED'],
    handler: (call) =>
      answered(
        call,
        (key: Actor<'key'>) => ok({ keyId: key.context.id, ...onward(call, key) }),
        (caller) => consentTo(call.services, caller, call.body),
      ),
  }),
]

/** Where the person's browser goes on; nobody waits for it once an approval has carried the consent out. */
function onward({ services, caller, body }: Consenting, key: Actor<'key'>): { redirectUrl?: string } {
  const asked = caller.principal.approved ? undefined : findConsentRequest(services, caller, body.request)
  if (!asked?.ok) return {}
  const params = new URLSearchParams(consentedParams(services, key, asked.value.params))
  return { redirectUrl: `${services.publicUrl()}${ISSUER_PATH}/authorize?${params.toString()}` }
}

type Consenting = HandlerInput<object, unknown, { request: string }>

/** A registered client's id is no address. */
function placesOf({ redirect_uri: to, client_id: id }: AskedParams): { redirectTo: string; clientHost?: string } {
  const { protocol, host, pathname } = new URL(to)
  const redirectTo = `${protocol}//${host}${pathname}`
  return { redirectTo, ...(URL.canParse(id) && { clientHost: new URL(id).host }) }
}

function refusalOf({ publicUrl }: Services, params: { [name: string]: string }): string {
  const url = new URL(params['redirect_uri']!)
  const said: [string, string | undefined][] = [
    ['error', 'access_denied'],
    ['error_description', 'The person has refused'],
    ['state', params['state']],
    ['iss', `${publicUrl()}${ISSUER_PATH}`],
  ]
  for (const [name, value] of said) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
