// A small HTTP client on node:http: keeps connections, sends exactly the text it is given, and never retries. An error that
// the service's description does not declare fails the test.
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import type { Scope } from './process.js'

export interface Answer<Body> {
  status: number
  headers: IncomingHttpHeaders
  body: Body
}

export interface Failure {
  error: string
  code: string
  reasons?: string[]
  details?: { path: string; message: string }[]
}

type Send = <Body = Failure>(
  method: string,
  path: string,
  key: string,
  body?: unknown,
  headers?: Headers,
) => Promise<Answer<Body>>

export interface Client {
  get<Body = Failure>(path: string, key: string): Promise<Answer<Body>>
  /** `body` is sent as JSON; text is sent as it is, undefined as no body. */
  post<Body = Failure>(path: string, key: string, body?: unknown, headers?: Headers): Promise<Answer<Body>>
  send: Send
}

type Headers = { [name: string]: string }

/** A session cookie may be given in place of a key, and is sent as the service's own pages send it. */
function credentialHeaders(key: string, url: string): Headers {
  const isCookie = key.startsWith('bursar_session=')
  return isCookie ? { Cookie: key, Origin: new URL(url).origin } : { Authorization: `Bearer ${key}` }
}

/** A client of the service at `url`, with at most `connections` at a time. */
export function newClient(scope: Scope, url: string, connections = 64): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  scope.teardown(() => agent.destroy())
  const send: Send = async <Body>(...[method, path, key, body, headers = {}]: Parameters<Send>) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const content = text === undefined ? {} : contentHeaders(text)
    const all = { ...credentialHeaders(key, url), ...content, ...headers }
    const target = new URL(path, url)
    const answer = await exchange<Body>(target, { method, agent, headers: all }, text)
    await checkDeclared(target, method, answer.status, (answer.body as Partial<Failure> | undefined)?.code)
    return answer
  }
  return {
    send,
    get: (path, key) => send('GET', path, key),
    post: (path, key, body, headers) => send('POST', path, key, body, headers),
  }
}

function contentHeaders(text: string): Headers {
  return { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }
}

function exchange<Body>(
  url: URL,
  options: { method: string; agent: Agent; headers: Headers },
  text: string | undefined,
): Promise<Answer<Body>> {
  return new Promise((resolve, reject) => {
    const asked = request(url, options, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (part: string) => (body += part))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode, headers } = response
        resolve({ status: statusCode!, headers, body: bodyIn(body, headers) as Body })
      })
    })
    asked.on('error', reject)
    asked.end(text)
  })
}

/** JSON parsed, anything else as text. */
function bodyIn(text: string, headers: IncomingHttpHeaders): unknown {
  if (text === '') return undefined
  return /^application\/json(;|$)/.test(headers['content-type'] ?? '') ? JSON.parse(text) : text
}

interface Declared {
  codes: string[]
  responses: object
  method: string
  pattern: RegExp
  /** The length of what is not a parameter: of two matches, the one with more of it is meant. */
  literal: number
}

interface Document {
  paths: { [path: string]: { [method: string]: { 'x-error-codes': string[]; responses: object } } }
}

/** The same for all services of one build. */
let known: Declared[] | undefined

async function readFrom(origin: string): Promise<Declared[]> {
  const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as Document
  const declared = Object.entries(paths).flatMap(([path, item]) => {
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
    const literal = path.replace(/\{\w+\}/g, '').length
    return Object.entries(item).map(([method, { 'x-error-codes': codes, responses }]) => {
      return { method: method.toUpperCase(), pattern, literal, codes, responses }
    })
  })
  return declared.toSorted((a, b) => b.literal - a.literal)
}

/** Throws for an error that the operation does not declare; where there is no operation, nothing declares any. */
export async function checkDeclared(url: URL, method: string, status: number, code: unknown): Promise<void> {
  if (status < 400 || code === 'METHOD_NOT_ALLOWED') return
  // A service that has ended in the meantime declares nothing.
  known ??= await readFrom(url.origin).catch(() => undefined)
  const operation = known?.find((one) => one.method === method && one.pattern.test(url.pathname))
  if (operation === undefined) return
  if (operation.codes.includes(code as string) && String(status) in operation.responses) return
  throw new Error(`${method} ${url.pathname} answers ${status} ${code}, which its description does not declare`)
}
