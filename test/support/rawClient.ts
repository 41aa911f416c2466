// Sends requests over real HTTP: by fetch, or as raw text on a connection for what fetch cannot send.
import { connect } from 'node:net'

export interface Reply {
  status: number
  headers: Headers
  /** Parsed if it is JSON, otherwise text. */
  body: Body
}

/** The members that tests read; those that an answer lacks are undefined. */
export type Body = { [member: string]: unknown } & {
  error?: string
  code?: string
  details?: { path: string; message: string }[]
}

export interface Request {
  method?: string
  key?: string
  headers?: { [name: string]: string }
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown
}

export async function ask(url: string, path: string, request: Request = {}): Promise<Reply> {
  const { method = 'GET', key, headers, body } = request
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const content = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(url + path, {
    method,
    headers: { ...authorization, ...content, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const written = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const read = isJson && written !== '' ? JSON.parse(written) : { text: written }
  return { status: response.status, headers: response.headers, body: read }
}

export interface RawOptions {
  /** Ends the exchange after this many answers; by default when the other side closes. */
  answers?: number
  /** Disconnects once everything is written. */
  leave?: boolean
}

/** Writes the pieces to a socket and returns everything received until the end. */
export function raw(url: string, pieces: (string | Buffer)[], options: RawOptions = {}): Promise<string> {
  const { answers, leave = false } = options
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece)
      if (leave) socket.write('', () => socket.destroy())
    })
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (answers !== undefined && isComplete(received, answers)) socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
}

/** Every answer of the core ends its JSON body with a brace. */
function isComplete(received: string, answers: number): boolean {
  const heads = received.match(/HTTP\/1\.1 (?!100)\d{3}/g) ?? []
  return heads.length >= answers && received.endsWith('}')
}
