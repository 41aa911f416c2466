// The fields for a new password, which is typed twice.
import { BursarError } from '../api.js'
import type { Rows } from './fields.js'

export interface NewPassword {
  password: string
  again: string
}

const PASSWORD = {
  type: 'password',
  autoComplete: 'new-password',
  required: true,
  minLength: 12,
  maxLength: 128,
} as const

/** `path` is that of the password in the errors of the service. */
export const passwordFields = (path: string, hint: string): Rows<NewPassword> => [
  { name: 'password', label: 'New password', path, ...PASSWORD, hint },
  { name: 'again', label: 'Confirm password', ...PASSWORD },
]

/** Throws unless both are the same. */
export function checkPassword({ password, again }: NewPassword): void {
  if (password === again) return
  const message = 'The passwords do not match'
  throw new BursarError(message, { code: 'VALIDATION_ERROR', status: 400, details: [{ path: 'again', message }] })
}
