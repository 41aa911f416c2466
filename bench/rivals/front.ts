// The HTTP front of a rival: the service's own, with its checks, its schemas and its one route for requests, in front
// of the rival's decision.
import { createHash, hash, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Services } from '../../src/commands/ports.js'
import { newId } from '../../src/domain/values/ids.js'
import { toNumber, type Micros } from '../../src/domain/values/money.js'
import type { Principal } from '../../src/domain/access/principal.js'
import { refuse } from '../../src/domain/outcomes/result.js'
import { createApp } from '../../src/http/app.js'
import { wanted } from '../../src/http/routes/payments/payments.js'
import { titled } from '../../src/http/input/schemas.js'
import { ok } from '../../src/http/server/respond.js'
import { route } from '../../src/http/server/route.js'
import { serve } from '../../src/http/server/serve.js'
import { endWithParent } from '../listening.js'
import { REQUEST_PATH } from '../wish.js'
import { BENCH_KEY, SCENE } from './scene.js'

/** A payment request, as the rivals receive it. */
export interface Asked {
  id: string
  organization: string
  agent: string
  key: string
  bodyHash: string
  amount: Micros
  /** In canonical form. */
  recipient: string
  category: string
  /** The terms of the request, as JSON. */
  terms: string
}

export interface Decided {
  id: string
  status: string
  reasons: string | string[]
  expiresAt: string
  wallet: string
}

export type Authorize = (asked: Asked) => Promise<Decided>

/** Keys are hashed and looked up in memory, as the service does. */
const SECRET = 'the secret that keys are hashed with'
const hashOf = (bearer: string): string => hash('sha256', SECRET + bearer, 'hex')

const principal: Principal = {
  type: 'AGENT_KEY',
  id: newId(randomBytes),
  name: 'bench',
  keyPrefix: 'service',
  organization: SCENE.organization,
  agent: SCENE.agent,
  scopes: ['payments:request'],
}
const principals = new Map([[hashOf(BENCH_KEY), principal]])

/** Listens and sends the ports to the parent, one front for each way of deciding. */
export async function listenFor(ways: { [name: string]: Authorize }): Promise<void> {
  const ports: { [name: string]: number } = {}
  for (const [name, authorize] of Object.entries(ways)) ports[name] = await frontFor(authorize)
  process.send?.({ port: 0, ports })
  endWithParent()
}

async function frontFor(authorize: Authorize): Promise<number> {
  const random = (bytes: number): Uint8Array => randomBytes(bytes)
  const app = createApp(
    {
      authenticate: (bearer) => principals.get(hashOf(bearer)),
      authenticateSession: () => undefined,
      publicUrl: () => 'http://127.0.0.1',
      origins: () => [],
      // The rival stores the idempotency record itself, in the transaction of its decision.
      idempotencyStore: { find: async () => undefined, payment: () => undefined, put: async () => {} },
      // No route of a rival uses them.
      services: {} as Services,
      hold: async () => refuse('UNAVAILABLE'),
      gauges: [],
      readiness: () => 'ready',
      shardRole: () => ({ role: 'SINGLE', shard: '0', epoch: 0, applied: 0, lag: 0 }),
      isUnavailable: () => false,
      warnings: () => [],
      now: () => Date.now(),
      random,
      trustedProxies: undefined,
      isHttps: false,
      rateLimits: 'off',
      log: (event, fields) => process.stderr.write(`${event} ${String(fields['error'])}\n`),
    },
    [asking(authorize)],
  )
  const { url } = await serve(app, { host: '127.0.0.1', port: 0, random })
  return Number(new URL(url).port)
}

function asking(authorize: Authorize) {
  return route({
    operationId: 'requestPayment',
    method: 'POST',
    path: REQUEST_PATH,
    access: { key: 'agent', scope: 'payments:request' },
    limit: 'payments',
    summary: 'Request a payment',
    body: wanted,
    idempotency: 'payment',
    idempotencyField: 'idempotencyKey',
    answers: { 200: titled('Decision', v.looseObject({})) },
    handler: async ({ principal: { organization, agent }, body, idempotencyKey }) => {
      const { amount, recipientAddress, ...more } = body
      const terms = JSON.stringify({ ...more, amount, recipientAddress: recipientAddress.display, currency: 'USDC' })
      const decided = await authorize({
        id: newId(randomBytes),
        organization,
        agent: agent!,
        key: idempotencyKey!,
        bodyHash: createHash('sha256').update(terms).digest('hex'),
        amount,
        recipient: recipientAddress.canonical,
        category: body.category ?? '',
        terms,
      })
      return ok(answerOf(decided, amount, recipientAddress.display))
    },
  })
}

function answerOf({ id, status, reasons, expiresAt, wallet }: Decided, amount: Micros, recipientAddress: string) {
  return {
    requestId: id,
    status,
    amount: toNumber(amount),
    currency: 'USDC',
    recipientAddress,
    reasons: typeof reasons === 'string' ? [reasons] : reasons,
    expiresAt,
    wallet: { id: wallet, address: recipientAddress, chainId: '84532', custodyType: 'MANAGED' },
    policyDecision: { decisionId: id, policySetHash: SCENE.policy },
  }
}
