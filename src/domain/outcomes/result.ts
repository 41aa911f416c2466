// A refusal is an expected outcome, and so a value: a code of the table and a sentence that names what was wrong.
import { CODES, type Code } from './codes.js'
import type { Barrier } from './governance.js'

export interface Detail {
  path: string
  message: string
}

export interface Refusal {
  code: Code
  message: string
  details?: Detail[]
  /** Why a payment could not be executed, one sentence a cause. */
  reasons?: string[]
  /** Further members of the error body, for instance an approval request's id. */
  extra?: { [member: string]: string }
  /** The command needs an approval first. */
  barrier?: Barrier
}

export interface Refused {
  ok: false
  refusal: Refusal
}

/** The result of one check: a value, or a refusal. */
export type Checked<T> = { ok: true; value: T } | Refused

export function passed<T>(value: T): Checked<T> {
  return { ok: true, value }
}

/** VALIDATION_ERROR for these fields, unless they have another code; its message is about the first one. */
export function refuseFields(details: Detail[], code: Code = 'VALIDATION_ERROR'): Refused {
  const [first] = details
  return refuse(code, first && `${first.path} ${first.message}`.trimStart(), { details })
}

/** VALIDATION_ERROR for one field. */
export function refuseField(path: string, message: string): Refused {
  return refuseFields([{ path, message }])
}

/** The message defaults to the code's own. */
export function refuse(
  code: Code,
  message: string = CODES[code].message,
  more: Omit<Refusal, 'code' | 'message'> = {},
): Refused {
  return { ok: false, refusal: { code, message, ...more } }
}

/** LIMIT_REACHED: there are as many as there may be. `limit` names what is limited. */
export function refuseLimit(limit: string, message: string): Refused {
  return refuse('LIMIT_REACHED', message, { details: [{ path: limit, message }] })
}
