// bursar webhook: runs a local receiver that verifies and prints deliveries, or sends a synthetic event to one. Neither
// needs a key, a service or a data folder.
import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BursarError } from '../../sdk/error.js'
import { verifyWebhook } from '../../sdk/webhook.js'
import { newId } from '../domain/values/ids.js'
import { ReceiverConnections } from '../webhooks/connection.js'
import { createDeliver } from '../webhooks/deliver.js'
import { isLoopback } from '../webhooks/destination.js'
import { testPayload } from '../webhooks/payloads.js'
import { newSecret } from '../webhooks/sign.js'
import { readArguments, integerOption } from './terminal/arguments.js'
import { showing } from './terminal/asking.js'
import { Failure } from '../config/failure.js'
import { EXIT, UsageError, type Command, type CommandContext } from './terminal/command.js'
import { clean } from './terminal/show.js'

const DEFAULT_PORT = 4400
const MAX_PORT = 65_535
const MAX_BYTES = 1024 * 1024

const listen: Command = {
  usage: 'webhook listen [--port N]',
  summary: 'receive events on this machine, verify them with BURSAR_WEBHOOK_SECRET, and print them',
  run: async (args, context) => {
    const [port, secret] = [listenPort(args), secretIn(context)]
    const server = createServer((request, response) => void receive(request, response, secret, context))
    server.listen(port, '127.0.0.1')
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE' ? new Failure(`Port ${port} is in use: choose another with --port`) : error
    })
    context.say(`Listening at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    if (secret === undefined) context.say('BURSAR_WEBHOOK_SECRET is not set: signatures are not verified')
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    server.close()
    server.closeAllConnections()
    return 0
  },
}

function listenPort(args: string[]): number {
  const { text } = readArguments(listen.usage, args)
  // Port 0 stands for any free port.
  return integerOption('--port', text('port'), 0, MAX_PORT) ?? DEFAULT_PORT
}

/** From the environment, because every process on the machine can read arguments. */
function secretIn({ env }: CommandContext): string | undefined {
  return env['BURSAR_WEBHOOK_SECRET'] || undefined
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  secret: string | undefined,
  { say }: CommandContext,
): Promise<void> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > MAX_BYTES) return void request.destroy()
      parts.push(part)
    }
  } catch {
    return say('A request ended early')
  }
  const body = Buffer.concat(parts)
  const { headers } = request
  const verdict = await verdictOf(body, headers, secret)
  const [event, id, attempt] = ['event', 'delivery-id', 'delivery-attempt'].map((name) =>
    text(headers, `x-service-${name}`),
  )
  say(clean(`${verdict}  ${event ?? 'no event'}  ${id ?? 'no delivery'}  attempt ${attempt ?? '?'}`))
  // Untrusted text: anything can reach the port, so control characters are removed.
  for (const line of indented(body.toString()).split('\n')) say(clean(line))
  response.writeHead(verdict === 'WRONG SIGNATURE' ? 401 : 204).end()
}

async function verdictOf(
  body: Buffer,
  headers: IncomingMessage['headers'],
  secret: string | undefined,
): Promise<string> {
  if (secret === undefined) return 'unverified'
  try {
    await verifyWebhook(body, headers, secret, { toleranceSeconds: Infinity })
    return 'verified'
  } catch (error) {
    // What is signed but is no event has another code.
    const isSigned = error instanceof BursarError && error.code !== 'AUTH_FAILED'
    return isSigned ? 'verified' : 'WRONG SIGNATURE'
  }
}

function text(headers: IncomingMessage['headers'], name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const sendTest = showing({
  usage: 'webhook send-test URL',
  summary:
    'send a test payment.confirmed to a receiver on this machine, signed with BURSAR_WEBHOOK_SECRET or a new secret',
  run: async ({ words: [word] }, context) => {
    const [url, given] = [receiverIn(word!), secretIn(context)]
    const secret = given ?? newSecret(randomBytes)
    if (given === undefined) context.complain(`Signing with the new secret ${secret}`)
    const resolve = (name: string) => lookup(name, { all: true })
    const connections = new ReceiverConnections({ resolve, allows: isLoopback })
    const deliver = createDeliver({ connections, now: Date.now })
    const [deliveryId, at] = [newId(randomBytes), Date.now()]
    const told = { deliveryId, event: 'payment.confirmed', at, data: JSON.stringify(testPayload(at)) }
    const { statusCode, error } = await deliver({
      ...told,
      attempt: 1,
      endpoint: url,
      url,
      secrets: { current: secret },
    })
    connections.close()
    const delivered = statusCode !== undefined && statusCode >= 200 && statusCode < 300
    return {
      json: { deliveryId, delivered, statusCode, error },
      lines: () => [`${delivered ? 'Delivered' : 'Not delivered'} ${deliveryId}: ${error ?? statusCode}`],
      exit: delivered ? EXIT.ok : EXIT.refused,
    }
  },
})

function receiverIn(url: string): string {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' }
  const host = hostname.replace(/^\[|\]$/g, '')
  if (!/^https?:$/.test(protocol) || (host !== 'localhost' && !isLoopback(host))) {
    throw new UsageError('The URL must point to this machine, like http://127.0.0.1:4400')
  }
  return url
}

export const webhookCommands = { 'webhook listen': listen, 'webhook send-test': sendTest }
