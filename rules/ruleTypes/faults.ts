// What is wrong with a rule as it was written.
import type { Detail } from '../../src/domain/outcomes/result.js'

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
  const code = CODES.find((one) => faults.some((fault) => fault.code === one))
  // The first detail is the message, which has to be about the code.
  const isAbout = (fault: Faults): number => (fault.code === code ? 0 : 1)
  const details = faults.toSorted((one, other) => isAbout(one) - isAbout(other)).flatMap((fault) => fault.details)
  return { ok: false, details, ...(code && { code }) }
}

/** One fault; `kind` is its code, if it has one of its own. */
export function fault(detail: Detail, kind: unknown): Faults {
  const code = CODES.find((one) => one === kind)
  return { ok: false, details: [detail], ...(code && { code }) }
}
