// Serves the documentation as it is written, for models and whoever reads text: each page as Markdown, and llms.txt, which
// names them all.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Route } from '../server/route.js'
import { PAGE_HEADERS } from '../server/securityHeaders.js'
import { fileRoute, madeOnce, REVALIDATED, staticFile, type StaticFile } from '../server/staticFile.js'

const FOLDER = new URL('../../../../docs/', import.meta.url)
/** Of the documentation; the first is itself. */
const FOLDERS = ['', 'guides/', 'events/', 'decisions/']
/** A page in a table of the index, and what it says of it. */
const ENTRY = /^\| \[([^\]]+)\]\(([^):]+)\) \| (.+) \|$/
const ABOUT =
  'Bursar governs what AI agents may spend: an agent asks whether it may pay, and gets APPROVED, DENIED with reasons and a way out, or REQUIRES_APPROVAL.'

export function documentRoutes(): Route[] {
  return [
    fileRoute(
      '/llms.txt',
      madeOnce(() => textFile(llmsText(read('README.md')), 'text/plain')),
    ),
    ...FOLDERS.map((folder) => {
      const pages = pagesIn(folder)
      return fileRoute(`/docs/${folder}:file`, ({ file }) => pages.get(file!)?.())
    }),
  ]
}

/** By the names that there are, so that no path leads elsewhere; each is read when it is first asked for. */
function pagesIn(folder: string): Map<string, () => StaticFile> {
  const url = new URL(folder, FOLDER)
  const names = existsSync(url) ? readdirSync(url).filter((name) => name.endsWith('.md')) : []
  return new Map(names.map((name) => [name, madeOnce(() => textFile(read(folder + name), 'text/markdown'))]))
}

function read(path: string): string {
  return readFileSync(new URL(path, FOLDER), 'utf8')
}

function textFile(text: string, type: string): StaticFile {
  return staticFile(text, { type, cacheControl: REVALIDATED, headers: PAGE_HEADERS })
}

/** In the form of llmstxt.org: a title, a summary, and sections of links with what is behind them. */
function llmsText(index: string): string {
  const lines = index.split('\n').flatMap((line) => {
    const [, title, path, says] = ENTRY.exec(line) ?? []
    if (title !== undefined) return path!.startsWith('../') ? [] : [`- [${title}](/docs/${path}): ${plain(says!)}`]
    return line.startsWith('## ') ? ['', line, ''] : []
  })
  const reference = '- [Operations](/openapi.json): every operation as OpenAPI 3.1, with examples'
  return ['# Bursar', '', `> ${ABOUT}`, ...lines, '', '## API', '', reference, ''].join('\n')
}

/** Links of a description lead nowhere from here. */
function plain(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
}
