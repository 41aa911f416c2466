// What is wrong with a rule as it was written: refusals with a detail for each fault.
import { refuseFields, type Detail, type Refused, type Result } from '../../src/domain/outcomes/result.js'

/** The weightiest first. */
const CODES = ['INVALID_AMOUNT', 'INVALID_ADDRESS', 'VALIDATION_ERROR'] as const
export type FaultCode = (typeof CODES)[number]

const MAX_DETAILS = 20

/** The faults of all that were read, as one refusal; undefined when there are none. */
export function faultsOf(read: readonly Result<unknown, FaultCode>[]): Refused<FaultCode> | undefined {
  const faults = read.filter((one) => !one.ok).map(({ refusal }) => refusal)
  const code = CODES.find((one) => faults.some((fault) => fault.code === one))
  if (code === undefined) return undefined
  // The first detail is the message, which has to be about the code.
  const ordered = [...faults.filter((fault) => fault.code === code), ...faults.filter((fault) => fault.code !== code)]
  return refuseFields(ordered.flatMap(({ details = [] }) => details).slice(0, MAX_DETAILS), code)
}

/** One fault; `kind` is its code, if it has one of its own. */
export function fault(detail: Detail, kind: unknown): Refused<FaultCode> {
  return refuseFields([detail], CODES.find((one) => one === kind) ?? 'VALIDATION_ERROR')
}
