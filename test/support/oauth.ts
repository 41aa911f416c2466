// The official client of MCP with its OAuth, and the person who consents, without a browser.
import {
  auth,
  Client as McpClient,
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  type StoredOAuthClientInformation,
} from '@modelcontextprotocol/client'
import type { Consent, ConsentRequest } from '../../sdk/api.js'
import type { Answer, Client } from './client.js'
import type { ToolResult } from './mcp.js'
import type { Scope } from './process.js'
import type { Started } from './service.js'

export const REDIRECT = 'http://127.0.0.1:33418/callback'

/** What the official client stores, in memory, and what it was told. */
export class Connecting implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadata: { client_name: string; redirect_uris: string[]; scope: string }
  client: StoredOAuthClientInformation | undefined
  kept: OAuthTokens | undefined
  verifier = ''
  discovered: OAuthDiscoveryState | undefined
  /** Where the person was sent last. */
  sentTo: URL | undefined

  constructor(redirectUrl = REDIRECT) {
    this.redirectUrl = redirectUrl
    this.clientMetadata = { client_name: 'Desk', redirect_uris: [redirectUrl], scope: '' }
  }

  state = () => 'state-1'
  clientInformation = () => this.client
  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.client = client
  }
  tokens = () => this.kept
  saveTokens(tokens: OAuthTokens): void {
    this.kept = tokens
  }
  redirectToAuthorization(url: URL): void {
    this.sentTo = url
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovered = state
  }
  discoveryState = () => this.discovered
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier
  }
  codeVerifier = () => this.verifier
}

/** GET as a browser does, without following. */
export async function browse(
  url: string | URL,
  cookie?: string,
): Promise<{ status: number; to: URL; headers: Headers; text: string }> {
  const headers: { [name: string]: string } = cookie === undefined ? {} : { cookie }
  const answer = await fetch(url, { redirect: 'manual', headers })
  const location = answer.headers.get('location')
  return {
    status: answer.status,
    to: new URL(location ?? 'about:blank', url),
    headers: answer.headers,
    text: await answer.text(),
  }
}

/** Up to the consent page: its request. */
export async function requestOf(
  connecting: Connecting,
  { url }: Pick<Started, 'url'>,
  cookie: string,
): Promise<string> {
  await auth(connecting, { serverUrl: `${url}/mcp` })
  const page = await browse(connecting.sentTo!, cookie)
  const request = page.to.searchParams.get('request')
  if (request === null) throw new Error(`${page.status} ${page.to.href} ${page.text}`)
  return request
}

/** The same by the requests alone. */
export async function newRequest(client: Client, cookie: string): Promise<string> {
  const { client_name, redirect_uris } = new Connecting().clientMetadata
  const registered = await client.post<{ client_id: string }>('/oauth/register', '', { client_name, redirect_uris })
  const asked = { ...ASKED, client_id: registered.body.client_id }
  const page = await client.get(`/oauth/authorize?${new URLSearchParams(asked).toString()}`, cookie)
  return new URL(page.headers.location!).searchParams.get('request')!
}

/** A request for a code that is in order, but for its client. The challenge is that of VERIFIER. */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const ASKED = {
  response_type: 'code',
  redirect_uri: REDIRECT,
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: 'state-1',
}

/** What a person read of the request of `newRequest`. */
export const ASKED_CONSENT = { clientName: 'Desk', redirectHost: '127.0.0.1:33418' }

export interface Choice {
  agentId: string
  mayExecute?: boolean
}

export async function consent(
  { client }: Pick<Started, 'client'>,
  cookie: string,
  request: string,
  choice: Choice,
): Promise<Answer<Consent>> {
  const path = `/api/oauth/consent?${new URLSearchParams({ request }).toString()}`
  const { body } = await client.get<ConsentRequest>(path, cookie)
  const { clientName, redirectHost } = body
  return client.post<Consent>('/api/oauth/consent', cookie, { request, clientName, redirectHost, ...choice })
}

/** The code that a consent leads to. */
export async function codeOf(service: Started, cookie: string, request: string, choice: Choice): Promise<string> {
  const { status, body } = await consent(service, cookie, request, choice)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  const { to, text } = await browse(body.redirectUrl!, cookie)
  const code = to.searchParams.get('code')
  if (code === null) throw new Error(`${to.href} ${text}`)
  return code
}

/** The whole way of the official client; resolves with its tokens. */
export async function connected(
  service: Started,
  cookie: string,
  choice: Choice,
  connecting = new Connecting(),
): Promise<Connecting & { kept: OAuthTokens }> {
  const request = await requestOf(connecting, service, cookie)
  const authorizationCode = await codeOf(service, cookie, request, choice)
  const serverUrl = `${service.url}/mcp`
  await auth(connecting, { serverUrl, authorizationCode, iss: `${service.url}/oauth` })
  return connecting as Connecting & { kept: OAuthTokens }
}

/** Calls tools with what the client has, which it refreshes by itself. */
export async function toolsOf(scope: Scope, { url }: Started, connecting: Connecting) {
  const client = new McpClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { authProvider: connecting })
  scope.teardown(() => client.close())
  await client.connect(transport)
  return async (name: string, input: object = {}) =>
    (await client.callTool({ name, arguments: { ...input } })) as unknown as ToolResult
}

/** The same client, whose pages are at another address than it asks. */
export function ofPages(client: Client, origin: string): Client {
  return { ...client, post: (path, key, body, headers) => client.post(path, key, body, { Origin: origin, ...headers }) }
}

export interface FormAnswer {
  status: number
  body: { [member: string]: unknown }
}

/** A form as it is given, to an endpoint under /oauth. */
export async function postForm(
  { url }: Pick<Started, 'url'>,
  path: string,
  form: { [name: string]: string },
): Promise<FormAnswer> {
  const answer = await fetch(`${url}/oauth/${path}`, { method: 'POST', body: new URLSearchParams(form) })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as FormAnswer['body']) }
}

/** What a client says of itself when it registers. */
export async function register({ url }: Pick<Started, 'url'>, metadata: object): Promise<FormAnswer> {
  const answer = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
  return { status: answer.status, body: (await answer.json()) as FormAnswer['body'] }
}

export async function newClientOf(service: Pick<Started, 'url'>): Promise<string> {
  return String((await register(service, { client_name: 'Desk', redirect_uris: [REDIRECT] })).body['client_id'])
}

/** Changes of parameters; undefined leaves one out. */
export interface Changes {
  [name: string]: string | undefined
}

/** The answer to an authorization request of a new client, in the browser of this person. */
export async function authorizing(service: Started, cookie: string, changes: Changes = {}) {
  const given = Object.entries({ ...ASKED, client_id: await newClientOf(service), ...changes })
  const params = new URLSearchParams(given.filter((pair): pair is [string, string] => pair[1] !== undefined))
  return browse(`${service.url}/oauth/authorize?${params.toString()}`, cookie)
}

export interface Code {
  code: string
  clientId: string
}

/** A code, and the client that it is for. */
export async function newCodeOf(
  service: Pick<Started, 'client' | 'url'>,
  cookie: string,
  agentId: string,
): Promise<Code> {
  const request = await newRequest(service.client, cookie)
  const { body } = await consent(service, cookie, request, { agentId })
  const asked = new URL(body.redirectUrl!)
  const { to } = await browse(new URL(asked.pathname + asked.search, service.url), cookie)
  return { code: to.searchParams.get('code')!, clientId: asked.searchParams.get('client_id')! }
}

export function exchanged(service: Pick<Started, 'url'>, { code, clientId }: Code, verifier = VERIFIER) {
  const form = { grant_type: 'authorization_code', code, client_id: clientId, code_verifier: verifier }
  return postForm(service, 'token', { ...form, redirect_uri: REDIRECT })
}
