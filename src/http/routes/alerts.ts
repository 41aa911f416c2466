// Alert routes and the alert record, and the forecast of an agent's limits.
import * as v from 'valibot'
import { charts } from '../../../machines/index.js'
import type { Actor } from '../../actor/actor.js'
import { statusOf } from '../../actor/turn.js'
import {
  acknowledgeAlert,
  findAlert,
  listAlerts,
  resolveAlert,
  updateAlertSettings,
} from '../../commands/alerts/alerts.js'
import { forecast, type LimitForecast } from '../../commands/agents/forecast.js'
import { findOrganization } from '../../commands/organizations/organizations.js'
import { ALERT_STATUSES, ALERT_TYPES, SEVERITIES, type AlertStatus } from '../../domain/outcomes/alert.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import { toNumber, type Micros } from '../../domain/values/money.js'
import { page } from '../input/querySchemas.js'
import { amountSchema, enumOf, id, identitySchema, recordSchema, wholeFrom } from '../input/schemas.js'
import { answered, iso, ok, pageAnswer, paginationSchema } from '../server/respond.js'
import { route } from '../server/route.js'

const alertSchema = recordSchema('Alert', {
  id: v.string(),
  type: v.picklist(ALERT_TYPES),
  severity: v.picklist(SEVERITIES),
  status: v.picklist(ALERT_STATUSES),
  title: v.string(),
  message: v.string(),
  agentId: v.optional(v.string()),
  walletId: v.optional(v.string()),
  paymentId: v.optional(v.string()),
  /** How often its cause has come. */
  count: v.number(),
  firstAt: v.string(),
  lastAt: v.string(),
  acknowledgedBy: v.optional(identitySchema),
  resolvedBy: v.optional(identitySchema),
})

function alertRecord(alert: Actor<'alert'>): v.InferOutput<typeof alertSchema> {
  const { id, fields, count, createdAt, lastAt, acknowledgedBy, resolvedBy } = alert.context
  const { agentId, walletId, paymentId, ...said } = fields
  return {
    id,
    ...said,
    status: statusOf(charts, alert) as AlertStatus,
    count,
    firstAt: iso(createdAt),
    lastAt: iso(lastAt),
    ...(agentId !== null && { agentId }),
    ...(walletId !== null && { walletId }),
    ...(paymentId !== null && { paymentId }),
    ...(acknowledgedBy && { acknowledgedBy }),
    ...(resolvedBy && { resolvedBy }),
  }
}

const alertListSchema = recordSchema('AlertList', { alerts: v.array(alertSchema), pagination: paginationSchema })

const settingsSchema = recordSchema('AlertSettings', {
  spendWarningAt: v.number(),
  lowBalanceBelow: v.nullable(v.number()),
  highValueAbove: v.nullable(v.number()),
})

const shownAmount = (amount: Micros | null): number | null => (amount === null ? null : toNumber(amount))

function settingsRecord(organization: Actor<'organization'>): v.InferOutput<typeof settingsSchema> {
  const { spendWarningAt, lowBalanceBelow, highValueAbove } = organization.context.alerts
  return {
    spendWarningAt,
    lowBalanceBelow: shownAmount(lowBalanceBelow),
    highValueAbove: shownAmount(highValueAbove),
  }
}

const limitForecastSchema = recordSchema('LimitForecast', {
  walletId: v.string(),
  window: v.picklist(['DAY', 'WEEK', 'MONTH']),
  limit: v.number(),
  spent: v.number(),
  reserved: v.number(),
  perHour: v.number(),
  exhaustedAt: v.optional(v.string()),
})
const forecastSchema = recordSchema('Forecast', { limits: v.array(limitForecastSchema) })

function forecastRecord({
  walletId,
  window,
  exhaustedAt,
  ...amounts
}: LimitForecast): v.InferOutput<typeof limitForecastSchema> {
  const { limit, spent, reserved, perHour } = amounts
  return {
    walletId,
    window,
    limit: toNumber(limit),
    spent: toNumber(spent),
    reserved: toNumber(reserved),
    perHour: toNumber(perHour),
    ...(exhaustedAt !== undefined && { exhaustedAt: iso(exhaustedAt) }),
  }
}

const mark = v.optional(v.nullable(amountSchema()))
const read = { key: 'organization', scope: 'alerts:read' } as const
const write = { key: 'organization', scope: 'alerts:write' } as const

export const alertRoutes = [
  route({
    operationId: 'listAlerts',
    method: 'GET',
    path: '/api/alerts',
    access: read,
    summary: 'List alerts',
    query: v.strictObject({
      ...page,
      status: v.optional(enumOf(ALERT_STATUSES)),
      severity: v.optional(enumOf(SEVERITIES)),
      type: v.optional(enumOf(ALERT_TYPES)),
      agentId: v.optional(id()),
    }),
    answers: { 200: alertListSchema },
    handler: async (call) =>
      pageAnswer('alerts', await listAlerts(call.services, call.caller, call.query), call.query, alertRecord),
  }),
  route({
    operationId: 'getAlertSettings',
    method: 'GET',
    path: '/api/alerts/settings',
    access: read,
    summary: 'Read what raises alerts',
    answers: { 200: settingsSchema },
    handler: async (call) => ok(settingsRecord(await findOrganization(call.services, call.caller))),
  }),
  route({
    operationId: 'updateAlertSettings',
    method: 'PATCH',
    path: '/api/alerts/settings',
    access: write,
    summary: 'Change what raises alerts',
    body: v.strictObject({
      spendWarningAt: v.optional(wholeFrom(1, 99)),
      lowBalanceBelow: mark,
      highValueAbove: mark,
    }),
    answers: { 200: settingsSchema },
    handler: (call) =>
      answered(
        call,
        (organization: Actor<'organization'>) => ok(settingsRecord(organization)),
        (caller) => updateAlertSettings(call.services, caller, omitUndefined(call.body)),
      ),
  }),
  route({
    operationId: 'getAlert',
    method: 'GET',
    path: '/api/alerts/:alertId',
    access: read,
    summary: 'Read an alert',
    answers: { 200: alertSchema },
    handler: async (call) => {
      const found = await findAlert(call.services, call.caller, call.params.alertId)
      return found.ok ? ok(alertRecord(found.value)) : found
    },
  }),
  route({
    operationId: 'acknowledgeAlert',
    method: 'POST',
    path: '/api/alerts/:alertId/acknowledge',
    access: write,
    summary: 'Say that somebody has seen an alert; its cause still counts in it',
    answers: { 200: alertSchema },
    refuses: ['INVALID_STATUS', 'ALREADY_RESOLVED'],
    handler: (call) =>
      answered(
        call,
        (alert: Actor<'alert'>) => ok(alertRecord(alert)),
        (caller) => acknowledgeAlert(call.services, caller, call.params.alertId),
      ),
  }),
  route({
    operationId: 'resolveAlert',
    method: 'POST',
    path: '/api/alerts/:alertId/resolve',
    access: write,
    summary: 'Resolve an alert: its cause raises another one',
    answers: { 200: alertSchema },
    refuses: ['INVALID_STATUS', 'ALREADY_RESOLVED'],
    handler: (call) =>
      answered(
        call,
        (alert: Actor<'alert'>) => ok(alertRecord(alert)),
        (caller) => resolveAlert(call.services, caller, call.params.alertId),
      ),
  }),
  route({
    operationId: 'getAgentForecast',
    method: 'GET',
    path: '/api/agents/:agentId/forecast',
    access: { key: 'organization', scope: 'agents:read' },
    summary: "When an agent's spending limits will be used up, going by the last day",
    answers: { 200: forecastSchema },
    handler: async (call) => {
      const limits = await forecast(call.services, call.caller, call.params.agentId)
      return limits.ok ? ok({ limits: limits.value.map(forecastRecord) }) : limits
    },
  }),
]
