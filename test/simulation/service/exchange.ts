// Hands a request to the app as its server would, without a connection: the answer is the bytes that it wrote.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { App } from '../../../src/http/server/serve.js'

export interface Request {
  method: string
  path: string
  headers: { [name: string]: string }
  body?: string | undefined
}

export interface Answer {
  status: number
  text: string
  headers: { [name: string]: unknown }
}

export function exchange(
  answer: ReturnType<App['callback']>,
  { method, path, headers, body }: Request,
): Promise<Answer> {
  const req = new IncomingMessage(new Socket())
  const content = body === undefined ? {} : contentHeaders(body)
  Object.assign(req, { method, url: path, headers: { host: 'bursar', ...content, ...headers }, httpVersion: '1.1' })
  const written: Uint8Array[] = []
  const res = new ServerResponse(req)
  res.write = (chunk: string | Uint8Array) => written.push(Buffer.from(chunk as string)) > 0
  const done = new Promise<Answer>((resolve) => {
    res.end = (chunk?: unknown) => {
      if (chunk !== undefined && typeof chunk !== 'function') written.push(Buffer.from(chunk as string))
      resolve({ status: res.statusCode, text: Buffer.concat(written).toString(), headers: res.getHeaders() })
      // What an answer holds is freed when its connection has it.
      for (const event of ['finish', 'close']) res.emit(event)
      return res
    }
  })
  if (body !== undefined) req.push(body)
  req.push(null)
  void answer(req, res)
  return done
}

function contentHeaders(body: string): Request['headers'] {
  return { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
}
