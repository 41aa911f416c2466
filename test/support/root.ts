// The project's root folder, for tests that read its sources; tests run compiled, from a folder below it.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectRoot = rootAbove(dirname(fileURLToPath(import.meta.url)))

/** Where tests put what must resolve the project's packages; the runner names a folder, which it removes. */
export const insideProject = process.env['INSIDE_PROJECT'] ?? join(projectRoot, 'dist')

function rootAbove(folder: string): string {
  if (nameIn(folder) === 'bursar') return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('No package.json named bursar above the tests')
  return rootAbove(parent)
}

function nameIn(folder: string): unknown {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown }).name
  } catch {
    return undefined
  }
}
