// Building blocks of query schemas: whole numbers and booleans written as text, and paging.
import { refuse, succeed } from '../../domain/outcomes/result.js'
import * as v from 'valibot'
import { readAs } from './schemas.js'

export function integerParameter(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`
  return readAs<number>({ type: 'integer', minimum: least, maximum: most }, (value) => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    const fits = isWhole(number) && number >= least && number <= most
    return fits ? succeed(number) : refuse('VALIDATION_ERROR', message)
  })
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/** `fallback` is given as a number so that the document shows it as one. */
export function wholeNumberOr(fallback: number, least: number, most: number) {
  return v.optional(integerParameter(least, most), fallback)
}

export const booleanQuery = v.pipe(
  v.picklist(['true', 'false'], 'must be true or false'),
  v.metadata({ type: 'boolean', enum: [true, false] }),
  v.transform((word) => word === 'true'),
)

export const limitQuery = wholeNumberOr(50, 1, 100)

export const offsetQuery = wholeNumberOr(0, 0, Number.MAX_SAFE_INTEGER)

/** The `nextCursor` of the previous page, valid only for the same list. */
export const cursorQuery = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]{1,1024}$/, 'must be the nextCursor of the page before'),
)

/** The paging parameters of every list, to spread into its query's entries. */
export const page = {
  limit: limitQuery,
  offset: offsetQuery,
  cursor: v.optional(cursorQuery),
}
