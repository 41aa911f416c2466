// One request and its answer as the core sees them: Koa's context, and what the core itself notes on it.
import type { ParameterizedContext } from 'koa'

export interface ExchangeState {
  requestId: string
  /** Path of the row that took the request, in router form; absent when none did. */
  route?: string
}

export type Exchange = ParameterizedContext<ExchangeState>
