// When a limit counts as nearly used up.
import { toNumber, type Micros } from '../domain/values/money.js'

/** The smallest amount that is so many percent (a whole number) of the limit or more; exact for every limit. */
export function warningMark(limit: Micros, percent: number): Micros {
  const hundreds = Math.floor(limit / 100)
  return hundreds * percent + Math.ceil(((limit - hundreds * 100) * percent) / 100)
}

export function usedUp(used: Micros, limit: Micros): string {
  return `${toNumber(used)} of the ${toNumber(limit)} USDC`
}
