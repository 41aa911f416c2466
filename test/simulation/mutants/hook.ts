// Makes the changes of a mutant in the files that Node loads, and nowhere else.
import { changed, type Change } from './mutant.js'

interface Loaded {
  format: string
  source: string | Uint8Array
}
type Load = (url: string, context: unknown) => Promise<Loaded>

let changes: readonly Change[] = []

export function initialize(data: { changes: readonly Change[] }): void {
  changes = data.changes
}

export async function load(url: string, context: unknown, next: Load): Promise<Loaded> {
  const loaded = await next(url, context)
  const meant = changes.filter(({ file }) => url.endsWith(`/dist/${file}`))
  if (meant.length === 0) return loaded
  return { ...loaded, source: meant.reduce((text, change) => changed(text, change), String(loaded.source)) }
}
