// Routes of the service itself: liveness, readiness, metrics and the OpenAPI document.
import * as v from 'valibot'
import { refuse, succeed } from '../../domain/outcomes/result.js'
import type { Readiness } from '../server/endpoint.js'
import type { Metrics } from '../server/metrics.js'
import { route, type Operation } from '../server/route.js'
import { freeObject, titled, textSchema, recordSchema } from '../input/schemas.js'
import { fileAnswer, type StaticFile } from '../server/staticFile.js'

export interface SystemPorts {
  readiness: () => Readiness
  warnings: () => string[]
  metrics: Pick<Metrics, 'text' | 'contentType'>
}

export function systemRoutes(ports: SystemPorts): Operation[] {
  return [healthz, readyz(ports), metricsRoute(ports)]
}

const healthz = route({
  operationId: 'getHealth',
  method: 'GET',
  path: '/healthz',
  access: { key: 'none' },
  beforeReady: true,
  summary: 'Liveness: whether the process answers',
  answers: { 200: titled('Health', v.strictObject({ status: v.literal('ok') })) },
  handler: async () => succeed({ status: 200, body: { status: 'ok' } }),
})

const readinessSchema = titled(
  'Readiness',
  v.strictObject({
    status: v.literal('ready'),
    warnings: v.optional(
      v.pipe(v.array(v.string()), v.description('What an operator should look at; absent where there is nothing.')),
    ),
  }),
)

function readyz({ readiness, warnings }: SystemPorts): Operation {
  return route({
    operationId: 'getReadiness',
    method: 'GET',
    path: '/readyz',
    access: { key: 'none' },
    beforeReady: true,
    summary: 'Readiness: whether the service accepts requests',
    answers: { 200: readinessSchema },
    handler: async () => {
      const status = readiness()
      if (status !== 'ready') return refuse('UNAVAILABLE', `The service is ${status}`, { extra: { status } })
      const warned = warnings()
      return succeed({ status: 200, body: { status, ...(warned.length > 0 && { warnings: warned }) } })
    },
  })
}

function metricsRoute({ metrics }: SystemPorts): Operation {
  return route({
    operationId: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    access: { key: 'none' },
    beforeReady: true,
    summary: 'Metrics in the Prometheus text format',
    answers: { 200: textSchema('Metrics', 'text/plain') },
    handler: async () => succeed({ status: 200, body: await metrics.text(), contentType: metrics.contentType }),
  })
}

const documentSchema = recordSchema('OpenApiDocument', {
  openapi: v.string(),
  info: freeObject,
  servers: v.array(freeObject),
  tags: v.array(freeObject),
  paths: freeObject,
  components: freeObject,
})

/** The row of the document, which describes itself, too; it is made of the table of rows only later. */
export function documentRoute(document: () => StaticFile): Operation {
  return route({
    operationId: 'getOpenApi',
    method: 'GET',
    path: '/openapi.json',
    access: { key: 'none' },
    beforeReady: true,
    summary: 'This description',
    answers: { 200: documentSchema },
    handler: async () => fileAnswer(document()),
  })
}
