// The audit log: entries, whether the chain holds, and the proofs with which others can check it.
import type { Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

export function audit({ call, lines, list }: Client) {
  return {
    list: (query?: Query<'GET /api/audit-logs'>, options?: CallOptions) =>
      list('GET /api/audit-logs', 'entries', { query }, options),
    verify: (options?: CallOptions) => call('GET /api/audit-logs/verify', {}, options),
    /** The whole log, one entry of JSON a line: as one text when awaited, line after line when iterated. */
    export: (options?: CallOptions) => lines('GET /api/audit-logs/export', {}, options),
    /** The signed head. */
    checkpoint: (options?: CallOptions) => call('GET /api/audit-logs/checkpoint', {}, options),
    publicKey: (options?: CallOptions) => call('GET /api/audit-logs/public-key', {}, options),
    /** That the log of now goes on from the log of then. */
    consistency: (query: Query<'GET /api/audit-logs/consistency'>, options?: CallOptions) =>
      call('GET /api/audit-logs/consistency', { query }, options),
    /** That the log has this entry. */
    proof: (sequence: number, query?: Query<'GET /api/audit-logs/{sequence}/proof'>, options?: CallOptions) =>
      call('GET /api/audit-logs/{sequence}/proof', { path: { sequence }, query }, options),
  }
}
