// Writes the results into docs/performance.md, between the marks of their section, with the machine that they were
// measured on.
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, release } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../test/support/root.js'

const PAGE = join(projectRoot, 'docs', 'performance.md')

export type Section = 'rows' | 'quick' | 'rules' | 'growth' | 'soak' | 'bytes' | 'journal' | 'x402'

export function writeSection(section: Section, text: string): void {
  writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), section, `${machine()}\n\n${text}`))
}

/** Throws if the page has no such section. */
export function withSection(page: string, section: Section, text: string): string {
  const [begin, end] = [`<!-- ${section} -->`, `<!-- end of ${section} -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no section between ${begin} and ${end}`)
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`
}

function machine(): string {
  const [first] = cpus()
  const day = new Date().toISOString().slice(0, 10)
  const processors = `${cpus().length} processors (${first?.model.trim() ?? 'unknown'})`
  return `${day}, ${processors}, ${platform()} ${release()} ${arch()}, Node ${process.version}`
}
