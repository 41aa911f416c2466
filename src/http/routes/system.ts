// Routes of the service itself: liveness, readiness, metrics and the OpenAPI document.
import * as v from 'valibot'
import { refuse, succeed } from '../../domain/outcomes/result.js'
import { ok } from '../server/respond.js'
import { route } from '../server/route.js'
import { freeObject, titled, textSchema, recordSchema } from '../input/schemas.js'
import { fileAnswer } from '../server/staticFile.js'

const readinessSchema = titled(
  'Readiness',
  v.strictObject({
    status: v.literal('ready'),
    role: v.pipe(
      v.picklist(['SINGLE', 'OWNER', 'STANDBY']),
      v.description('SINGLE without other nodes. A STANDBY sends requests on to the OWNER of its shard.'),
    ),
    shard: v.pipe(v.string(), v.description('Which organizations the node serves; 0 is the first shard.')),
    epoch: v.pipe(v.number(), v.description('Raised with each new owner of the shard; 0 without other nodes.')),
    applied: v.pipe(v.number(), v.description('The number of the last commit that this node has durably.')),
    lag: v.pipe(v.number(), v.description('How many commits the node is behind its owner; 0 for any but a STANDBY.')),
    warnings: v.optional(
      v.pipe(v.array(v.string()), v.description('What an operator should look at; absent where there is nothing.')),
    ),
  }),
)

const documentSchema = recordSchema('OpenApiDocument', {
  openapi: v.string(),
  info: freeObject,
  servers: v.array(freeObject),
  tags: v.array(freeObject),
  paths: freeObject,
  components: freeObject,
})

/** They need no key, and are answered while the service starts. */
const open = { method: 'GET', access: { key: 'none' }, beforeReady: true } as const
const ofNode = { ...open, everyNode: true } as const

export const systemRoutes = [
  route({
    ...ofNode,
    operationId: 'getHealth',
    path: '/healthz',
    summary: 'Liveness: whether the process answers',
    answers: { 200: titled('Health', v.strictObject({ status: v.literal('ok') })) },
    handler: async () => ok({ status: 'ok' }),
  }),
  route({
    ...ofNode,
    operationId: 'getReadiness',
    path: '/readyz',
    summary: 'Readiness: whether the service accepts requests',
    answers: { 200: readinessSchema },
    handler: async ({ system }) => {
      const status = system.readiness()
      if (status !== 'ready') return refuse('UNAVAILABLE', `The service is ${status}`, { extra: { status } })
      const warnings = system.warnings()
      return ok({ status, ...system.shardRole(), ...(warnings.length > 0 && { warnings }) })
    },
  }),
  route({
    ...ofNode,
    operationId: 'getMetrics',
    path: '/metrics',
    summary: 'Metrics in the Prometheus text format',
    answers: { 200: textSchema('Metrics', 'text/plain') },
    handler: async ({ system: { metrics } }) =>
      succeed({ status: 200 as const, body: await metrics.text(), contentType: metrics.contentType }),
  }),
  route({
    ...open,
    operationId: 'getOpenApi',
    path: '/openapi.json',
    summary: 'This description',
    answers: { 200: documentSchema },
    handler: async ({ system }) => fileAnswer(system.document()),
  }),
]
