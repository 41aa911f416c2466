// Posts a message of MCP as it is given, with any headers, which the official clients would not send.
import { request } from 'node:http'

export interface PostAnswer {
  status: number
  text: string
}

export function rawRequest(
  url: string,
  key: string,
  message: unknown,
  headers: { [name: string]: string } = {},
): Promise<PostAnswer> {
  const own = { Authorization: `Bearer ${key}`, Accept: 'application/json, text/event-stream' }
  const options = { method: 'POST', agent: false, headers: { ...own, 'Content-Type': 'application/json', ...headers } }
  return new Promise((resolve, reject) => {
    const posted = request(new URL('/mcp', url), options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode!, text }))
    })
    posted.on('error', reject)
    posted.end(JSON.stringify(message))
  })
}
