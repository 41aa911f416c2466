// How a figure compares with the one of the period before, in words.
import { grouped, micros } from '../format/money.js'

/** `+12 % on the 7 days before`; `before` names that period. */
export function comparison(now: number, then: number, before: string): string {
  if (then === 0) return `none in ${before}`
  if (now === then) return `as in ${before}`
  const [own, other] = [micros(now), micros(then)]
  const percent = Number(((own - other) * 1000n) / other) / 10
  const rounded = Math.round(percent)
  if (rounded === 0) return `about as in ${before}`
  return `${rounded > 0 ? '+' : '−'}${grouped(Math.abs(rounded))} % on ${before}`
}
