// Parses JSON given as a string. JSON nested deeper than any rule is not parsed, because processing it costs more than
// it can mean.
import { parseExactly } from '../src/domain/values/exactJson.js'

/** The nesting limit of request bodies. */
const MAX_NESTED = 32

/** The parsed value; the text itself when it is no JSON, or JSON nested more than 32 deep. */
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
    // A backslash outside of quotes is invalid JSON and may be skipped, too.
    if (character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '[' || character === '{')) depth += 1
    else if (!isQuoted && (character === ']' || character === '}')) depth -= 1
    if (depth > MAX_NESTED) return true
  }
  return false
}
