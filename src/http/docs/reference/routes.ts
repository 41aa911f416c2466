// The routes of the reference: the page, its stylesheet and its script.
import { readFileSync } from 'node:fs'
import { PAGE_HEADERS } from '../../server/securityHeaders.js'
import type { Route } from '../../server/route.js'
import { fileRoute, madeOnce, REVALIDATED, staticFile, type StaticFile } from '../../server/staticFile.js'
import type { Document } from './document.js'
import { referencePage } from './page.js'

const FOLDER = new URL('../../../../../assets/reference/', import.meta.url)

/** The files by their paths; each is made when it is asked for first. */
export function referenceFiles(document: () => Document): Map<string, () => StaticFile> {
  return new Map([
    ['/docs', fileOf('text/html', () => referencePage(document()))],
    ['/docs/style.css', fileOf('text/css', () => textOf('style.css'))],
    ['/docs/filter.js', fileOf('text/javascript', () => textOf('filter.js'))],
  ])
}

export function referenceRoutes(files: ReturnType<typeof referenceFiles>): Route[] {
  return [...files].map(([path, file]) => fileRoute(path, file))
}

function textOf(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8')
}

function fileOf(type: string, text: () => string): () => StaticFile {
  return madeOnce(() => staticFile(text(), { type, cacheControl: REVALIDATED, headers: PAGE_HEADERS }))
}
