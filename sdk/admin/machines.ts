// The machines: their charts, and the actors at work: as they stand, how they came there, and what a message would do.
import type { Body, Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

type History = 'GET /api/machines/{machine}/actors/{actorId}/history'
type WhatIf = 'POST /api/machines/{machine}/actors/{actorId}/what-if'

export function machines({ call, text, list }: Client) {
  return {
    list: (options?: CallOptions) => call('GET /api/machines', {}, options),
    /** What XState and its visualizer take. */
    definition: (machine: string, options?: CallOptions) => call('GET /api/machines/{machine}', { path: { machine } }, options),
    /** SVG. */
    picture: (machine: string, options?: CallOptions) => text('GET /api/machines/{machine}.svg', { path: { machine } }, options),
    /** Mermaid. */
    diagram: (machine: string, options?: CallOptions) => text('GET /api/machines/{machine}.mmd', { path: { machine } }, options),
    /** TypeScript that stands by itself. */
    source: (machine: string, options?: CallOptions) =>
      text('GET /api/machines/{machine}/source', { path: { machine } }, options),
    actor: (machine: string, actorId: string, options?: CallOptions) =>
      call('GET /api/machines/{machine}/actors/{actorId}', { path: { machine, actorId } }, options),
    history: (machine: string, actorId: string, query?: Query<History>, options?: CallOptions) =>
      list('GET /api/machines/{machine}/actors/{actorId}/history', 'entries', { path: { machine, actorId }, query }, options),
    story: (machine: string, actorId: string, options?: CallOptions) =>
      call('GET /api/machines/{machine}/actors/{actorId}/story', { path: { machine, actorId } }, options),
    /** Nothing of it happens. */
    whatIf: (machine: string, actorId: string, body: Body<WhatIf>, options?: CallOptions) =>
      call('POST /api/machines/{machine}/actors/{actorId}/what-if', { path: { machine, actorId }, body }, options),
    /** Server-sent events as text, once the stream ends: `seconds` says when, 0 at once. */
    stream: (query?: Query<'GET /api/inspect/stream'>, options?: CallOptions) => text('GET /api/inspect/stream', { query }, options),
  }
}
