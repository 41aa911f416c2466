// Reads JSON without rounding: a number that its double does not show as it is written becomes the text that stands
// there, so that whoever judges it sees all of its digits. It judges nothing itself.

/** Fewer digits, with no exponent far below zero, are kept by a double. */
const MAY_BE_ROUNDED = /\d[\d.]{15}|[eE]-\d{3}/
/** Of well-formed JSON, where every text ends: `1e-400` is as short as a number can be that is rounded. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|[\d.eE+-]{6,}/g
const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/

/** As JSON.parse, which throws SyntaxError, but with text in the place of each number that would be rounded. */
export function parseExactly(json: string): unknown {
  const parsed: unknown = JSON.parse(json)
  return MAY_BE_ROUNDED.test(json) ? JSON.parse(json.replace(TEXT_OR_NUMBER, quotedIfRounded)) : parsed
}

function quotedIfRounded(token: string): string {
  return token[0] !== '"' && isRounded(token) ? `"${token}"` : token
}

/** What is too large for a double is Infinity, which nobody takes for a number of JSON. */
function isRounded(written: string): boolean {
  if (!MAY_BE_ROUNDED.test(written)) return false
  const double = Number(written)
  return Number.isFinite(double) && normal(written) !== normal(String(double))
}

/** Equal for equal numbers: the digits from the first to the last that is not 0, and the power of ten of the last. */
function normal(number: string): string {
  const [, sign, units = '', decimals = '', exponent = '0'] = PARTS.exec(number) ?? []
  const digits = (units + decimals).replace(/^0+/, '')
  // Not with a pattern: zeros in the middle would each be tried for the end.
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  if (end === 0) return '0'
  return `${sign}${digits.slice(0, end)}e${Number(exponent) - decimals.length + digits.length - end}`
}
