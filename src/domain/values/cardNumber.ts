// Finds the numbers of payment cards in free text, which is refused with one before anything stores or logs it. A
// number is found by its form alone: it need not be a card's that exists.

/** Fewest and most digits of a number. */
const FEWEST = 13
const MOST = 19

/** What may stand once between two digits. */
const SEPARATOR = '[\\p{Zs}\\p{Pd}]'
/** Most texts have no such run, and need no further look. */
const LONG_RUN = new RegExp(`\\d(?:${SEPARATOR}?\\d){${FEWEST - 1}}`, 'u')
const RUNS = new RegExp(`\\d+(?:${SEPARATOR}\\d+)*`, 'gu')
/** Its groups are of hexadecimal digits, and sometimes of decimal ones alone. */
const UUIDS = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi

/**
 * The prefixes of Visa, Maestro, Mastercard, Discover, RuPay and UnionPay, American Express, Diners Club, JCB and Mir.
 * No prefix that times in milliseconds have before the year 2096 is followed by as few digits as they have.
 */
const ISSUERS = new RegExp(
  [
    '^(?:4|5[0-8]|6)\\d+$',
    '^3[47]\\d{13}$',
    '^3(?:(?:0[0-5]|[689]\\d)\\d{11,16}|095\\d{10,15})$',
    '^35(?:2[89]|[3-8]\\d)\\d{11,15}$',
    '^(?:222[1-9]|22[3-9]\\d|2[3-6]\\d\\d|27[01]\\d|2720)\\d{12}$',
    '^220[0-4]\\d{12,15}$',
    '^8[12]\\d{14,17}$',
  ].join('|'),
)

const NEXT_TO_LETTER = { before: /[\p{L}\p{N}]$/u, after: /^[\p{L}\p{N}]/u }

/** True for text with the number of a card: as one run of digits, or in groups with one space or dash between them. */
export function hasCardNumber(text: string): boolean {
  if (!LONG_RUN.test(text)) return false
  // A UUID is one word, as any other id is.
  const searched = text.replace(UUIDS, (id) => 'x'.repeat(id.length))
  for (const { 0: run, index } of searched.matchAll(RUNS)) if (isInRun(run, searched, index)) return true
  return false
}

/** Looks at any groups of the run that follow each other: an expiry date or a code may stand before or after them. */
function isInRun(run: string, text: string, at: number): boolean {
  // No character that separates is outside the basic plane.
  const groups = run.split(/\D/)
  const first = NEXT_TO_LETTER.before.test(text.slice(Math.max(0, at - 2), at)) ? 1 : 0
  const end = at + run.length
  const last = groups.length - (NEXT_TO_LETTER.after.test(text.slice(end, end + 2)) ? 2 : 1)
  for (let from = first; from <= last; from += 1) {
    let digits = ''
    for (let to = from; to <= last && digits.length + groups[to]!.length <= MOST; to += 1) {
      digits += groups[to]!
      if (digits.length >= FEWEST && ISSUERS.test(digits) && isLuhn(digits)) return true
    }
  }
  return false
}

/** Whether the last digit checks the others (ISO/IEC 7812-1). */
function isLuhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place])
    const weighted = place % 2 === 0 ? digit : 2 * digit
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}
