// The routes of the reference: the page, its stylesheet and its script.
import { readFileSync } from 'node:fs'
import { PAGE_HEADERS } from '../../server/securityHeaders.js'
import type { Route } from '../../server/route.js'
import { fileRoute, REVALIDATED, staticFile } from '../../server/staticFile.js'
import type { Document } from './document.js'
import { referencePage } from './page.js'

const FOLDER = new URL('../../../../../assets/reference/', import.meta.url)

export function referenceRoutes(document: Document): Route[] {
  return [
    row('/docs', 'text/html', referencePage(document)),
    row('/docs/style.css', 'text/css', textOf('style.css')),
    row('/docs/filter.js', 'text/javascript', textOf('filter.js')),
  ]
}

function textOf(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8')
}

function row(path: string, type: string, text: string): Route {
  const file = staticFile(text, { type, cacheControl: REVALIDATED, headers: PAGE_HEADERS })
  return fileRoute(path, () => file)
}
