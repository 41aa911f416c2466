// Security headers. Those of the HTML pages: nothing runs or loads except what the service itself serves.
import type { Middleware } from 'koa'
import type { ContextState } from './context.js'

/** Allows scripts, styles and requests of the service's own origin only; no other site may frame a page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  // The URL of the set-up page contains its token.
  'Referrer-Policy': 'no-referrer',
}

/** Tells browsers to use https alone for a year, so that nobody on the way can take a session over http. */
export const strictTransport: Middleware<ContextState> = ({ res }, next) => {
  res.setHeader('Strict-Transport-Security', 'max-age=31536000')
  return next()
}
