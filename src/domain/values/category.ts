// Normalizes categories for storage and comparison: letter case, composition and outer spaces do not matter.
import { folded } from './text.js'

/** Most characters of a category. */
export const LONGEST_CATEGORY = 100

/** ASCII text is in NFC in any letter case. */
const ASCII = /^[\x20-\x7e]*$/

/** NFC, upper-case, trimmed; empty for null and for white space alone. */
export function categoryOf(text: string | null): string {
  if (text !== null && ASCII.test(text)) return text.toUpperCase().trim()
  // Folding can break NFC.
  return folded((text ?? '').normalize('NFC'))
    .normalize('NFC')
    .trim()
}
