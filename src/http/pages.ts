// The dashboard: one page and its files, as they were built. The same page answers at every address that links lead to,
// the rest of the way is behind its #; so what is no address of this table stays a 404. All it does, it does through
// the API.
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { refuse } from '../domain/refusal.js'
import { PAGE_HEADERS } from './pageHeaders.js'
import { route, type Route } from './route.js'

const FOLDER = new URL('../../web/', import.meta.url)

/** The page names the files of its own build. */
const NEVER_KEPT = 'no-store'
/** The name of a file changes with what is in it. */
const KEPT = 'public, max-age=31536000, immutable'

const HTML = 'text/html'
const TYPES: { [extension: string]: string } = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
const UTF_8 = '; charset=utf-8'

interface Page {
  path: string
  summary: string
  /** Query parameters that the page reads. */
  query?: string[]
}

const PAGES: Page[] = [
  { path: '/', summary: 'The dashboard' },
  { path: '/setup', summary: 'The page of a set-up link', query: ['token'] },
  { path: '/signin', summary: 'The page to sign in on', query: ['next'] },
  { path: '/approvals/:approvalRequestId', summary: 'The page to decide on' },
]

export function pageRoutes(): Route[] {
  const page = readFileSync(new URL('index.html', FOLDER), 'utf8')
  return [...PAGES.map((address) => pageRoute(address, page)), assetRoute(readAssets())]
}

function pageRoute({ path, summary, query = [] }: Page, body: string): Route {
  return route({
    method: 'GET',
    path,
    access: { key: 'none' },
    beforeReady: true,
    summary,
    // Links from elsewhere may carry more than the page reads.
    query: v.object(Object.fromEntries(query.map((name) => [name, v.optional(v.string())]))),
    answers: { 200: { name: 'Page', schema: v.string(), contentType: HTML } },
    handler: async () => sent(body, HTML, NEVER_KEPT),
  })
}

interface Asset {
  body: string
  type: string
  /** Made when it is first asked for. */
  packed?: Buffer
}

/** Every file is text, and small: they are read once and kept. */
function readAssets(): Map<string, Asset> {
  const folder = new URL('assets/', FOLDER)
  return new Map(
    readdirSync(folder).map((name): [string, Asset] => {
      const type = TYPES[extname(name)]
      if (type === undefined) throw new Error(`${name} has no content type to be served as`)
      return [name, { body: readFileSync(new URL(name, folder), 'utf8'), type }]
    }),
  )
}

function assetRoute(assets: Map<string, Asset>): Route {
  return route({
    method: 'GET',
    path: '/assets/:file',
    access: { key: 'none' },
    beforeReady: true,
    summary: 'A script, style or picture of the dashboard',
    query: v.object({}),
    answers: { 200: { name: 'Asset', schema: v.string(), contentType: 'text/javascript' } },
    handler: async ({ params }) => {
      const asset = assets.get(params['file']!)
      if (asset === undefined) return refuse('NOT_FOUND')
      asset.packed ??= gzipSync(asset.body)
      return { ...sent(asset.body, asset.type, KEPT), packed: asset.packed }
    },
  })
}

function sent(body: string, type: string, kept: string) {
  return { status: 200, body, contentType: type + UTF_8, headers: { ...PAGE_HEADERS, 'Cache-Control': kept } }
}
