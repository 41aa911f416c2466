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

/** A message that any key of an agent may send. */
export const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

/** The status of the answer to it. */
export async function statusWith({ url }: { url: string }, key: string): Promise<number> {
  return (await rawRequest(url, key, LIST_TOOLS)).status
}
