// Security headers of the HTML pages: nothing runs or loads except what the service itself serves.

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
