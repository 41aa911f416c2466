// The machines: their statecharts, and the state and history of actors.
import type { Client, Query } from '../call.js'
import type { CallOptions } from '../send.js'

type History = 'GET /api/machines/{machine}/actors/{actorId}/history'

export function machines({ call, text, list }: Client) {
  return {
    /** Every machine with its states (status, holds, calls, wake times) and its messages. */
    list: (options?: CallOptions) => call('GET /api/machines', {}, options),
    /** The definition, as XState and its visualizer take it. */
    definition: (machine: string, options?: CallOptions) =>
      call('GET /api/machines/{machine}', { path: { machine } }, options),
    /** The statechart as SVG. */
    picture: (machine: string, options?: CallOptions) =>
      text('GET /api/machines/{machine}.svg', { path: { machine } }, options),
    /** The machine as one self-contained file of TypeScript. */
    source: (machine: string, options?: CallOptions) =>
      text('GET /api/machines/{machine}/source', { path: { machine } }, options),
    /** The actor's state, its context without secrets, its holds at gates, what it waits for and what may happen next. */
    actor: (machine: string, actorId: string, options?: CallOptions) =>
      call('GET /api/machines/{machine}/actors/{actorId}', { path: { machine, actorId } }, options),
    /** The latest 500 commands that changed the actor, newest first, with guards, actions and refusals. */
    history: (machine: string, actorId: string, query?: Query<History>, options?: CallOptions) =>
      list(
        'GET /api/machines/{machine}/actors/{actorId}/history',
        'entries',
        { path: { machine, actorId }, query },
        options,
      ),
    /** The actor's commands, refusals, states and events in order, for a sequence diagram, and its holds. */
    story: (machine: string, actorId: string, options?: CallOptions) =>
      call('GET /api/machines/{machine}/actors/{actorId}/story', { path: { machine, actorId } }, options),
    /** Server-sent events as text, when the stream has ended: after `seconds`, with 0 at once. */
    stream: (query?: Query<'GET /api/inspect/stream'>, options?: CallOptions) =>
      text('GET /api/inspect/stream', { query }, options),
  }
}
