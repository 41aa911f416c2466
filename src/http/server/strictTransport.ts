// Tells browsers to use https alone for a year, so that nobody on the way can take a session over http.
import type { Middleware } from 'koa'
import type { ContextState } from './context.js'

export const strictTransport: Middleware<ContextState> = ({ res }, next) => {
  res.setHeader('Strict-Transport-Security', 'max-age=31536000')
  return next()
}
