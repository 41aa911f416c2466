// What is wrong with a rule as it was written.
import type { Detail } from '../../src/domain/refusal.js'

/** Faults with an error code of their own, the weightiest first. */
const CODES = ['INVALID_AMOUNT', 'INVALID_ADDRESS'] as const
export type FaultCode = (typeof CODES)[number]

export interface Faults {
  ok: false
  /** At least one. */
  details: Detail[]
  /** Present where an amount or an address is malformed. */
  code?: FaultCode
}

/** The faults of all that were read; undefined when there are none. */
export function faultsOf(read: readonly ({ ok: true } | Faults)[]): Faults | undefined {
  const faults = read.filter((one) => !one.ok)
  if (faults.length === 0) return undefined
  return withCode(
    faults.flatMap(({ details }) => details),
    faults.map(({ code }) => code),
  )
}

/** Faults with the weightiest of these codes. */
export function withCode(details: Detail[], codes: readonly unknown[]): Faults {
  const code = CODES.find((one) => codes.includes(one))
  return { ok: false, details, ...(code && { code }) }
}
