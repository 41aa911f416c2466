// The one result of whatever may be refused: a value, or a refusal. A refusal is an expected outcome: a code of the table
// and a sentence that names what was wrong.
import { CODES, type Code } from './codes.js'
import type { Barrier } from './governance.js'

export interface Detail {
  path: string
  message: string
}

export interface Refusal<C extends Code = Code> {
  code: C
  message: string
  details?: Detail[]
  /** Why a payment could not be executed, one sentence a cause. */
  reasons?: string[]
  /** Further members of the error body, for instance an approval request's id. */
  extra?: { [member: string]: string }
  /** The command needs an approval first. */
  barrier?: Barrier
}

export interface Succeeded<T> {
  ok: true
  value: T
}

export interface Refused<C extends Code = Code> {
  ok: false
  refusal: Refusal<C>
}

/** `C` are the codes with which it may be refused. */
export type Result<T, C extends Code = Code> = Succeeded<T> | Refused<C>

export function succeed<T>(value: T): Succeeded<T> {
  return { ok: true, value }
}

/** The message defaults to the code's own. */
export function refuse<C extends Code>(
  code: C,
  message: string = CODES[code].message,
  more: Omit<Refusal, 'code' | 'message'> = {},
): Refused<C> {
  return { ok: false, refusal: { code, message, ...more } }
}

/** For these fields; its message is about the first one. */
export function refuseFields(details: Detail[]): Refused<'VALIDATION_ERROR'>
export function refuseFields<C extends Code>(details: Detail[], code: C): Refused<C>
export function refuseFields(details: Detail[], code: Code = 'VALIDATION_ERROR'): Refused {
  const [first] = details
  return refuse(code, first && `${first.path} ${first.message}`.trimStart(), { details })
}

/** VALIDATION_ERROR for one field. */
export function refuseField(path: string, message: string): Refused<'VALIDATION_ERROR'> {
  return refuseFields([{ path, message }])
}

/** Another code than VALIDATION_ERROR that is about one field; the message is a whole sentence. */
export function refuseAt<C extends Code>(code: C, path: string, message: string): Refused<C> {
  return refuse(code, message, { details: [{ path, message }] })
}

/** LIMIT_REACHED: there are as many as there may be. `limit` names what is limited. */
export function refuseLimit(limit: string, message: string): Refused<'LIMIT_REACHED'> {
  return refuseAt('LIMIT_REACHED', limit, message)
}
