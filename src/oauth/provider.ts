// The authorization server for clients of MCP: oidc-provider, narrowed to what they need. Codes with PKCE (S256) and refresh
// tokens for public clients, one audience, consent in the dashboard. It has a clock and randomness of its own.
import { generateKeyPairSync } from 'node:crypto'
import Provider, {
  errors,
  interactionPolicy,
  type Configuration,
  type KoaContextWithOIDC,
  type Interaction,
} from 'oidc-provider'
import { isGranted, registeredId } from '../commands/people/oauthClients.js'
import { consentedKey, signedConsentRequest, type AskedParams } from '../commands/people/oauthGrants.js'
import { authenticateSession } from '../commands/people/sessions.js'
import type { Services } from '../commands/ports.js'
import { ACCESS_SECONDS, CODE_SECONDS, mcpResource, OAUTH_SCOPES, REFRESH_SECONDS } from '../domain/access/oauth.js'
import { writeErrorPage } from './errorPage.js'
import { recordsOf } from './records.js'
import { mayRotate, shareFamily } from './refreshing.js'
import { redirectHostOf } from './redirect.js'
import { REGISTERED, saidIn } from './registration.js'

const { Check, Prompt } = interactionPolicy

export interface ProviderPorts {
  services: Services
  /** The name of the cookie with the token of the person's session. */
  sessionCookie: string
  /** The headers of pages, by which no other site shows them in a frame. */
  pageHeaders: { [name: string]: string }
  /** Reads documents of clients, from public addresses alone. */
  documentFetch: typeof fetch
}

/** Where it is in the service. */
export const MOUNTED_AT = '/oauth'

/** Of what is asked for, so that the address of the consent page stays within what proxies take. */
const MOST_CHARACTERS = 4_000

export function authorizationServer(ports: ProviderPorts): Provider {
  const issuer = `${ports.services.publicUrl()}${MOUNTED_AT}`
  const provider = new Provider(issuer, configurationOf(ports))
  // The mount says by these what the service is called.
  provider.proxy = true
  shareFamily(provider, ports.services)
  return provider
}

function configurationOf(ports: ProviderPorts): Configuration {
  const { services, sessionCookie, documentFetch } = ports
  return {
    adapter: recordsOf(services, () => Provider.ctx?.oidc?.client?.clientId),
    clientAuthMethods: ['none'],
    clientDefaults: { ...REGISTERED, grant_types: [...REGISTERED.grant_types], ...NO_ID_TOKENS.client },
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
    cookies: { names: { session: sessionCookie }, long: { signed: false }, short: { signed: false } },
    enabledJWA: NO_ID_TOKENS.algorithms,
    expiresWithSession: () => false,
    extraParams: ['consent'],
    features: featuresOf(ports),
    fetch: (url, options) => documentFetch(String(url), options),
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { policy: policy(), url: (ctx, interaction) => consentPage(services, ctx, interaction) },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    jwks: { keys: [NO_ID_TOKENS.key()] },
    loadExistingGrant: (ctx) => grantOf(services, ctx),
    pkce: { required: () => true },
    renderError: (ctx, said) => writeErrorPage(ctx, ports.pageHeaders, said),
    responseTypes: ['code'],
    revokeGrantPolicy: () => true,
    rotateRefreshToken: mayRotate,
    routes: {
      authorization: '/authorize',
      token: '/token',
      registration: '/register',
      revocation: '/revoke',
      jwks: '/jwks',
    },
    scopes: [],
    ttl: {
      AccessToken: ACCESS_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      RefreshToken: REFRESH_SECONDS,
      Grant: REFRESH_SECONDS,
      Interaction: CODE_SECONDS,
      Session: CODE_SECONDS,
    },
  }
}

/** The library wants a key for ID tokens, and nobody gets such a token. */
const NO_ID_TOKENS = {
  client: { id_token_signed_response_alg: 'ES256' },
  algorithms: { idTokenSigningAlgValues: ['ES256'] },
  key: () => ({
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
    use: 'sig',
  }),
} as const satisfies object

function featuresOf({ services, sessionCookie }: ProviderPorts): Configuration['features'] {
  const off = { enabled: false }
  return {
    devInteractions: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    rpInitiatedLogout: off,
    userinfo: off,
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      // Nobody has the service ask other places who may not consent.
      allowFetch: (ctx, id) => isGranted(services, id) || mayConsent(services, ctx.cookies.get(sessionCookie)),
      allowClient: (_ctx, client) => {
        saidIn({ client_name: client.clientName, redirect_uris: client.redirectUris })
        return true
      },
    },
    registration: {
      enabled: true,
      initialAccessToken: false,
      issueRegistrationAccessToken: false,
      idFactory: (ctx) => {
        const body = ctx.oidc.body ?? {}
        const said = saidIn(body)
        const { name, redirectUris } = said
        // The rest of what was said is replaced (RFC 7591, 3.2.1): every client is public.
        for (const member of Object.keys(body)) delete body[member]
        Object.assign(body, REGISTERED, { redirect_uris: redirectUris }, name !== undefined && { client_name: name })
        return registeredId(services, said)
      },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => mcpResource(services.publicUrl()),
      getResourceServerInfo: (_ctx, resource) => {
        if (resource !== mcpResource(services.publicUrl())) throw new errors.InvalidTarget()
        return { scope: OAUTH_SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque' }
      },
      useGrantedResource: () => true,
    },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
  }
}

function mayConsent(services: Services, token = ''): boolean {
  return authenticateSession(services, token)?.scopes.includes('agents:write') === true
}

/** A person consents once for each connection: whoever may be signed in, a request without its consent asks. */
function policy(): ReturnType<typeof interactionPolicy.base> {
  const consent = new Check('consent_missing', 'the person has not consented', ({ oidc }) => {
    return oidc.entities.Grant?.jti === undefined
  })
  const prompts = interactionPolicy.base()
  prompts.clear()
  prompts.add(new Prompt({ name: 'login', requestable: true }))
  prompts.add(new Prompt({ name: 'consent', requestable: true }, consent))
  return prompts
}

/** The grant that the person has made for exactly this request. */
async function grantOf(services: Services, ctx: KoaContextWithOIDC) {
  const { params, session, provider, client } = ctx.oidc
  const key = consentedKey(services, session!.accountId!, params as AskedParams)
  return key && client ? provider.Grant.find(key.context.id) : undefined
}

/** The consent page, with all of the request that matters; nothing of it is kept here. */
function consentPage(services: Services, { oidc }: KoaContextWithOIDC, { params }: Interaction): Promise<string> {
  const { client_id, redirect_uri, code_challenge, resource, state } = params as AskedParams
  const asked: AskedParams = {
    client_id: client_id!,
    redirect_uri: redirect_uri!,
    code_challenge: code_challenge!,
    code_challenge_method: 'S256',
    // The same may have been said twice.
    resource: [resource].flat()[0]!,
    response_type: 'code',
    ...(state !== undefined && { state }),
  }
  const redirectHost = redirectHostOf(asked.redirect_uri)
  const clientName = oidc.client?.clientName ?? redirectHost
  if (JSON.stringify(asked).length > MOST_CHARACTERS) throw new errors.InvalidRequest('the request is too long')
  const request = signedConsentRequest(services, { clientName, redirectHost, params: asked })
  return Promise.resolve(`${services.publicUrl()}/connect?${new URLSearchParams({ request }).toString()}`)
}
