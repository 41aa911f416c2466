// The audit log: its entries, the verification of its chain, and the checkpoints and proofs with which others check it.
import type { Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

export function audit({ call, lines, list }: Client) {
  return {
    list: (query?: Query<'GET /api/audit-logs'>, options?: CallOptions) =>
      list('GET /api/audit-logs', 'entries', { query }, options),
    /** Checks the whole chain; `firstBrokenSequence` is the first entry that does not fit. */
    verify: (options?: CallOptions) => call('GET /api/audit-logs/verify', {}, options),
    /** The whole log as JSON Lines, one entry per line: one text when awaited, line by line when iterated. */
    export: (options?: CallOptions) => lines('GET /api/audit-logs/export', {}, options),
    /** The signed checkpoint of the log as it is now. */
    checkpoint: (options?: CallOptions) => call('GET /api/audit-logs/checkpoint', {}, options),
    /** The Ed25519 key that verifies checkpoints. */
    publicKey: (options?: CallOptions) => call('GET /api/audit-logs/public-key', {}, options),
    /** A proof that the present log continues an earlier one of the given size. */
    consistency: (query: Query<'GET /api/audit-logs/consistency'>, options?: CallOptions) =>
      call('GET /api/audit-logs/consistency', { query }, options),
    /** An inclusion proof: the entry with this sequence is in the log. */
    proof: (sequence: number, query?: Query<'GET /api/audit-logs/{sequence}/proof'>, options?: CallOptions) =>
      call('GET /api/audit-logs/{sequence}/proof', { path: { sequence }, query }, options),
  }
}
