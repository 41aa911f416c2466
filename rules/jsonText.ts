// Reads JSON that is written as text. What nests deeper than any rule is not read at all, because taking it apart again
// costs more than it could ever mean.
import { parseExactly } from '../src/domain/exactJson.js'

/** As deep as the body of a request may nest. */
const MOST_NESTED = 32

/** What the text holds; the text itself where it holds no JSON, or JSON that nests more than 32 deep. */
export function readJsonText(text: string): unknown {
  if (nestsTooDeep(text)) return text
  try {
    return parseExactly(text)
  } catch {
    return text
  }
}

function nestsTooDeep(text: string): boolean {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    // A backslash outside of quotes is no JSON, and may be passed over too.
    if (character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '[' || character === '{')) depth += 1
    else if (!isQuoted && (character === ']' || character === '}')) depth -= 1
    if (depth > MOST_NESTED) return true
  }
  return false
}
