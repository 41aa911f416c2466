// The few pages that people need before there is a dashboard: set-up, sign-in, where both lead, and decisions. They are files; what
// they do, they do through the API.
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { route, type Route } from './route.js'

const FOLDER = new URL('../../web/', import.meta.url)

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

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  // The address of the set-up page holds its token.
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}

const HTML = 'text/html'
const UTF_8 = '; charset=utf-8'

interface Page {
  path: string
  file: string
  summary: string
  type: string
  /** Query parameters that the page's script reads. */
  query?: string[]
}

const PAGES: Page[] = [
  { path: '/', file: 'index.html', summary: 'The page people land on', type: HTML },
  { path: '/setup', file: 'setup.html', summary: 'The page of a set-up link', type: HTML, query: ['token'] },
  { path: '/signin', file: 'signin.html', summary: 'The page to sign in on', type: HTML, query: ['next'] },
  { path: '/approvals/:approvalRequestId', file: 'approval.html', summary: 'The page to decide on', type: HTML },
  { path: '/web/people.js', file: 'people.js', summary: 'What the pages do', type: 'text/javascript' },
  { path: '/web/style.css', file: 'style.css', summary: 'How the pages look', type: 'text/css' },
]

export function pageRoutes(): Route[] {
  return PAGES.map(({ path, file, summary, type, query = [] }) => {
    const body = readFileSync(new URL(file, FOLDER), 'utf8')
    const parameters = Object.fromEntries(query.map((name) => [name, v.optional(v.string())]))
    return route({
      method: 'GET',
      path,
      access: { key: 'none' },
      beforeReady: true,
      summary,
      // Links from elsewhere may carry more than the page reads.
      query: v.object(parameters),
      answers: { 200: { name: 'Page', schema: v.string(), contentType: type } },
      handler: async () => ({ status: 200, body, contentType: type + UTF_8, headers: HEADERS }),
    })
  })
}
