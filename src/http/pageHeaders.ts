// What every page for browsers is sent with: a policy that lets nothing run or load but what the service itself serves.

/** Scripts, styles and requests of the service itself, and nothing else; no other site may frame a page. */
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
  // The address of the set-up page holds its token.
  'Referrer-Policy': 'no-referrer',
}
