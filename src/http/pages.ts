// Serves the built dashboard: one page and its files. The page answers at every path of this table, and its own routes
// follow the `#`; all other paths stay 404. The dashboard uses only the API.
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { refuse } from '../domain/refusal.js'
import { PAGE_HEADERS } from './pageHeaders.js'
import { route, type Route } from './route.js'

const FOLDER = new URL('../../web/', import.meta.url)

/** The page is not cached, because it names the files of its build. */
const NEVER_KEPT = 'no-store'
/** Files are cached for ever, because their names change with their content. */
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
  /** The query parameters that the page reads. */
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
    // Not strict: links from elsewhere may carry further parameters.
    query: v.object(Object.fromEntries(query.map((name) => [name, v.optional(v.string())]))),
    answers: { 200: { name: 'Page', schema: v.string(), contentType: HTML } },
    handler: async () => sent(body, HTML, NEVER_KEPT),
  })
}

interface Asset {
  body: string
  type: string
  /** The gzip form, made at the first request for it. */
  packed?: Buffer
}

/** Reads all files into memory: they are text and small. */
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
