// The routes of the reference: the page, its stylesheet and its script.
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { PAGE_HEADERS } from '../pageHeaders.js'
import { route, type Route } from '../route.js'
import type { Document } from './document.js'
import { referencePage } from './page.js'

const FOLDER = new URL('../../../../assets/reference/', import.meta.url)

/** The document and the page are generated at the first request. */
export function referenceRoutes(document: () => Document): Route[] {
  let page: string | undefined
  return [
    row('/docs', 'This interface, for people to read', 'text/html', () => (page ??= referencePage(document()))),
    row('/docs/style.css', 'How the reference looks', 'text/css', fileOf('style.css')),
    row('/docs/filter.js', 'What filters the reference', 'text/javascript', fileOf('filter.js')),
  ]
}

function fileOf(name: string): () => string {
  const text = readFileSync(new URL(name, FOLDER), 'utf8')
  return () => text
}

function row(path: string, summary: string, type: string, text: () => string): Route {
  return route({
    method: 'GET',
    path,
    access: { key: 'none' },
    beforeReady: true,
    summary,
    // Not strict: links from elsewhere may carry further parameters.
    query: v.object({}),
    answers: { 200: { name: 'ReferencePage', schema: v.string(), contentType: type } },
    handler: async () => ({
      status: 200,
      body: text(),
      contentType: `${type}; charset=utf-8`,
      headers: { ...PAGE_HEADERS, 'Cache-Control': 'no-store' },
    }),
  })
}
