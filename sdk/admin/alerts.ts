// Alerts, and what raises them.
import type { Body, Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

export function alerts({ call, list }: Client) {
  return {
    list: (query?: Query<'GET /api/alerts'>, options?: CallOptions) =>
      list('GET /api/alerts', 'alerts', { query }, options),
    get: (alertId: string, options?: CallOptions) => call('GET /api/alerts/{alertId}', { path: { alertId } }, options),
    /** Says that somebody has seen it; its cause still counts in it. */
    acknowledge: (alertId: string, options?: CallOptions) =>
      call('POST /api/alerts/{alertId}/acknowledge', { path: { alertId } }, options),
    /** Its cause raises another alert. */
    resolve: (alertId: string, options?: CallOptions) =>
      call('POST /api/alerts/{alertId}/resolve', { path: { alertId } }, options),
    settings: (options?: CallOptions) => call('GET /api/alerts/settings', {}, options),
    updateSettings: (body: Body<'PATCH /api/alerts/settings'>, options?: CallOptions) =>
      call('PATCH /api/alerts/settings', { body }, options),
  }
}
