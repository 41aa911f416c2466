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
  redirectUrl = REDIRECT
  clientMetadata = { client_name: 'Desk', redirect_uris: [REDIRECT], scope: '' }
  client: StoredOAuthClientInformation | undefined
  kept: OAuthTokens | undefined
  verifier = ''
  discovered: OAuthDiscoveryState | undefined
  /** Where the person was sent last. */
  sentTo: URL | undefined

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
export async function browse(url: string | URL, cookie?: string): Promise<{ status: number; to: URL; headers: Headers; text: string }> {
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
export async function requestOf(connecting: Connecting, { url }: Pick<Started, 'url'>, cookie: string): Promise<string> {
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
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const ASKED = {
  response_type: 'code',
  redirect_uri: REDIRECT,
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: 'state-1',
}

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

export interface FormAnswer {
  status: number
  body: { [member: string]: unknown }
}

/** A form as it is given, to an endpoint under /oauth. */
export async function postForm({ url }: Started, path: string, form: { [name: string]: string }): Promise<FormAnswer> {
  const answer = await fetch(`${url}/oauth/${path}`, { method: 'POST', body: new URLSearchParams(form) })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as FormAnswer['body']) }
}
