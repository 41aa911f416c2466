// Counterparties: registration, trust and blocks, and what is known of an address.
import type { Body, Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

export function counterparties(client: Client) {
  const { call, list } = client
  return {
    list: (query?: Query<'GET /api/counterparties'>, options?: CallOptions) =>
      list('GET /api/counterparties', 'counterparties', { query }, options),
    get: (counterpartyId: string, options?: CallOptions) =>
      call('GET /api/counterparties/{counterpartyId}', { path: { counterpartyId } }, options),
    create: (body: Body<'POST /api/counterparties'>, options?: CallOptions) =>
      call('POST /api/counterparties', { body }, options),
    update: (counterpartyId: string, body: Body<'PUT /api/counterparties/{counterpartyId}'>, options?: CallOptions) =>
      call('PUT /api/counterparties/{counterpartyId}', { path: { counterpartyId }, body }, options),
    /** Deletes the record. Its history stays, and so does a block of the address. */
    delete: (counterpartyId: string, options?: CallOptions) =>
      call('DELETE /api/counterparties/{counterpartyId}', { path: { counterpartyId } }, options),
    /** Registers at most 500 counterparties; the answer reports an error for each that was refused. */
    import: (body: Body<'POST /api/counterparties/import'>, options?: CallOptions) =>
      call('POST /api/counterparties/import', { body }, options),
    transactions: (
      counterpartyId: string,
      query?: Query<'GET /api/counterparties/{counterpartyId}/transactions'>,
      options?: CallOptions,
    ) =>
      list(
        'GET /api/counterparties/{counterpartyId}/transactions',
        'transactions',
        { path: { counterpartyId }, query },
        options,
      ),
    ...standing(client),
    ...knowledge(client),
  }
}

function standing({ call }: Client) {
  return {
    trust: (counterpartyId: string, reason: string, options?: CallOptions) =>
      call('POST /api/counterparties/{counterpartyId}/trust', { path: { counterpartyId }, body: { reason } }, options),
    /** Stops all payments to the address, also those that are approved already. */
    block: (counterpartyId: string, reason: string, options?: CallOptions) =>
      call('POST /api/counterparties/{counterpartyId}/block', { path: { counterpartyId }, body: { reason } }, options),
    unblock: (counterpartyId: string, options?: CallOptions) =>
      call('POST /api/counterparties/{counterpartyId}/unblock', { path: { counterpartyId } }, options),
  }
}

function knowledge({ call }: Client) {
  return {
    lookup: (address: string, options?: CallOptions) =>
      call('GET /api/counterparties/lookup', { query: { address } }, options),
    networkTrust: (address: string, options?: CallOptions) =>
      call('GET /api/counterparties/network-trust', { query: { address } }, options),
    /** The list of sanctioned addresses in force: its name, source and date. */
    sanctions: (options?: CallOptions) => call('GET /api/sanctions', {}, options),
  }
}
