// The route of the Model Context Protocol. Authentication, rate limits and the bounds of the body are those of all routes;
// what is answered comes through a port, which is loaded with the first request.
import type { IncomingHttpHeaders } from 'node:http'
import * as v from 'valibot'
import { succeed } from '../../domain/outcomes/result.js'
import { bearerIn } from '../server/auth.js'
import type { HandlerInput, Route, RouteAnswer } from '../server/route.js'

const MAX_BYTES = 64 * 1024
/** Older revisions may send several messages in one body. */
const MAX_MESSAGES = 16

/** Answers a request of MCP with the key of its agent. */
export type AnswerOfMcp = (post: {
  headers: IncomingHttpHeaders
  body: unknown
  agentKey: string
  mayExecute: boolean
}) => Promise<Response>

/** One message, or those of a list. */
const posted = v.looseObject({ messages: v.optional(v.pipe(v.array(v.unknown()), v.maxLength(MAX_MESSAGES))) })

export function mcpRoute(load: () => Promise<AnswerOfMcp>): Route {
  return {
    method: 'POST',
    path: '/mcp',
    access: { key: 'agent' },
    // A tool counts as what it calls, too.
    limit: 'reads',
    ownHostOnly: true,
    withHeaders: true,
    body: posted,
    listField: 'messages',
    bodyLimit: MAX_BYTES,
    // A purchase is repeated under its payment key.
    idempotency: 'none',
    answers: {},
    handler: async (call: HandlerInput<object, unknown, v.InferOutput<typeof posted>>) => {
      const { headers, principal, body: given } = call
      const body = given.messages ?? given
      const answer = await load()
      const agentKey = bearerIn(headers!.authorization)!
      const mayExecute = principal.scopes.includes('payments:execute')
      return succeed(await routeAnswer(await answer({ headers: headers!, body, agentKey, mayExecute })))
    },
  }
}

async function routeAnswer({ status, headers, body }: Response): Promise<RouteAnswer> {
  const { 'content-type': contentType = 'application/json', ...others } = Object.fromEntries(headers)
  const answer = { status, contentType, headers: others }
  if (body === null) return { ...answer, body: '' }
  return { ...answer, body: null, parts: body.pipeThrough(new TextDecoderStream()) }
}
