// Serves the built dashboard: one page and its files, and the documentation beside it. The page answers at every path of this table, and its own routes
// follow the `#`; all other paths stay 404. The dashboard uses only the API.
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { documentRoutes } from './documents.js'
import { PAGE_HEADERS } from '../server/securityHeaders.js'
import type { Route } from '../server/route.js'
import { fileRoute, madeOnce, staticFile, type StaticFile } from '../server/staticFile.js'

const FOLDER = new URL('../../../web/', import.meta.url)

/** The page is not cached, because it names the files of its build, and the URL of a set-up link holds its token. */
const NEVER_KEPT = 'no-store'
/** Files are cached forever, because their names change with their content. */
const KEPT = 'public, max-age=31536000, immutable'

const TYPES: { [extension: string]: string } = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** The dashboard, the pages of a set-up link, of signing in, of a decision, of a Slack user, and of a client's consent. */
const PATHS = ['/', '/setup', '/signin', '/approvals/:approvalRequestId', '/slack', '/connect']

export function pageRoutes(): Route[] {
  const page = read(new URL('index.html', FOLDER), 'text/html', NEVER_KEPT)
  const assets = readAssets()
  return [
    ...PATHS.map((path) => fileRoute(path, page)),
    fileRoute('/assets/:file', ({ file }) => assets.get(file!)?.()),
    ...documentRoutes(),
  ]
}

/** Reads all files into memory: they are text and small. */
function readAssets(): Map<string, () => StaticFile> {
  const folder = new URL('assets/', FOLDER)
  return new Map(
    readdirSync(folder).map((name): [string, () => StaticFile] => {
      const type = TYPES[extname(name)]
      if (type === undefined) throw new Error(`${name} has no content type to be served as`)
      return [name, read(new URL(name, folder), type, KEPT)]
    }),
  )
}

/** Read at the start, which belongs to the files' build, and compressed for the first request, in milliseconds. */
function read(url: URL, type: string, cacheControl: string): () => StaticFile {
  const text = readFileSync(url, 'utf8')
  return madeOnce(() => staticFile(text, { type, cacheControl, headers: PAGE_HEADERS }))
}
