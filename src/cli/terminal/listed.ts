// Prints lists of the service, and finds entries of a list by name.
import { isId } from '../../domain/values/ids.js'
import { comparableName } from '../../domain/values/text.js'
import type { Shown, ServiceCommand } from './asking.js'
import { integerOption } from './arguments.js'
import { Failure } from '../../config/failure.js'
import { table, type Columns } from './show.js'

const DEFAULT_LIMIT = 50

/** The first entries of a list, up to `--limit`. */
export async function printedList<Row>(
  asking: ServiceCommand,
  entries: AsyncIterable<Row>,
  columns: Columns<Row>,
): Promise<Shown> {
  const limit = integerOption('--limit', asking.text('limit')) ?? DEFAULT_LIMIT
  const rows: Row[] = []
  for await (const row of entries) {
    if (rows.length === limit) {
      asking.context.complain(`Only the first ${limit} are shown: use --limit for more`)
      break
    }
    rows.push(row)
  }
  return { json: rows, lines: (style) => (rows.length === 0 ? ['none'] : table(columns, rows, style)) }
}

/** The id of the entry that `word` names: the word itself when it is an id, without reading the list. */
export async function idNamed(word: string, list: () => AsyncIterable<{ id: string; name: string }>): Promise<string> {
  if (isId(word)) return word
  const found: string[] = []
  for await (const { id, name } of list()) if (comparableName(name) === comparableName(word)) found.push(id)
  if (found.length === 1) return found[0]!
  throw new Failure(
    found.length === 0 ? `No match for ${word}` : `${found.length} entries are named ${word}: use the id`,
  )
}
