// Parses JSON without rounding: a number that a double cannot hold as written becomes its text, so that checks see all
// of its digits. It checks nothing itself.

/** A double keeps fewer digits, unless the exponent is far below zero. */
const MAY_BE_ROUNDED = /\d[\d.]{15}|[eE]-\d{3}/
/** For well-formed JSON, where every string ends. `1e-400`, six characters, is the shortest number that is rounded. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|[\d.eE+-]{6,}/g
const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/

/** JSON.parse with text in place of rounded numbers; throws SyntaxError like it. */
export function parseExactly(json: string): unknown {
  const parsed: unknown = JSON.parse(json)
  if (!MAY_BE_ROUNDED.test(json)) return parsed
  return JSON.parse(
    json.replace(TEXT_OR_NUMBER, (token) => (token[0] !== '"' && isRounded(token) ? `"${token}"` : token)),
  )
}

/** False for a number too large for a double: it parses as Infinity, which no check accepts. */
function isRounded(written: string): boolean {
  if (!MAY_BE_ROUNDED.test(written)) return false
  const double = Number(written)
  return Number.isFinite(double) && normal(written) !== normal(String(double))
}

/** Equal for equal numbers: the digits from the first to the last non-zero one, and the power of ten of the last. */
function normal(number: string): string {
  const [, sign, units = '', decimals = '', exponent = '0'] = PARTS.exec(number) ?? []
  const digits = (units + decimals).replace(/^0+/, '')
  // No regular expression here: it would try each zero in the middle as the end.
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  if (end === 0) return '0'
  return `${sign}${digits.slice(0, end)}e${Number(exponent) - decimals.length + digits.length - end}`
}
