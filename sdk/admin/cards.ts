// Cards: registration, limits, and the agents and policies that they are assigned to.
import type { Body, Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

export function cards({ call, list }: Client) {
  return {
    list: (query?: Query<'GET /api/cards'>, options?: CallOptions) =>
      list('GET /api/cards', 'cards', { query }, options),
    get: (cardId: string, options?: CallOptions) => call('GET /api/cards/{cardId}', { path: { cardId } }, options),
    /** Limits are USD; without them only its assignments and policies limit the card. */
    create: (body: Body<'POST /api/cards'>, options?: CallOptions) => call('POST /api/cards', { body }, options),
    /** Throws INVALID_STATUS for a card that is CANCELLED. */
    update: (cardId: string, body: Body<'PATCH /api/cards/{cardId}'>, options?: CallOptions) =>
      call('PATCH /api/cards/{cardId}', { path: { cardId }, body }, options),
    policies: {
      assign: (cardId: string, policyId: string, options?: CallOptions) =>
        call('POST /api/cards/{cardId}/policies', { path: { cardId }, body: { policyId } }, options),
      unassign: (cardId: string, policyId: string, options?: CallOptions) =>
        call('DELETE /api/cards/{cardId}/policies', { path: { cardId }, query: { policyId } }, options),
    },
  }
}

/** The cards of an agent. */
export function cardAssignments({ call, list }: Client) {
  return {
    list: (agentId: string, query?: Query<'GET /api/agents/{agentId}/cards'>, options?: CallOptions) =>
      list('GET /api/agents/{agentId}/cards', 'cards', { path: { agentId }, query }, options),
    /** Limits are never above the card's, which are those of an assignment without its own. */
    assign: (agentId: string, body: Body<'POST /api/agents/{agentId}/cards'>, options?: CallOptions) =>
      call('POST /api/agents/{agentId}/cards', { path: { agentId }, body }, options),
    unassign: (agentId: string, cardId: string, options?: CallOptions) =>
      call('DELETE /api/agents/{agentId}/cards', { path: { agentId }, query: { cardId } }, options),
  }
}
