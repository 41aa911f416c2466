// One request and its response: Koa's context, and the state that the core adds to it.
import type { ParameterizedContext } from 'koa'

export interface ContextState {
  requestId: string
  /** The path of the matched route, in router form; absent without a match. */
  route?: string
}

export type Context = ParameterizedContext<ContextState>
