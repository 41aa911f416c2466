// Kinds of values that rule types share: amounts, addresses, lists, choices. Each converts the written form into one
// stored form, so that equal content has an equal hash, and leaves a stored form unchanged.
import * as v from 'valibot'
import { parseAddress } from '../../src/domain/values/address.js'
import { categoryOf, LONGEST_CATEGORY } from '../../src/domain/values/category.js'
import { parseAmount, toNumber, type Micros } from '../../src/domain/values/money.js'
import { scopeIn } from '../../src/domain/values/host.js'
import { quoted } from '../shown.js'
import type { FaultCode } from './faults.js'
import { wrongChoice } from './ruleType.js'

export const MAX_ENTRIES = 1_000

/**
 * A value converted by `read`, which returns undefined for input to refuse; `code` is that of the refusal, where it is
 * not the one of all fields.
 */
function readAs<Kept>(read: (written: unknown) => Kept | undefined, wanted: string, code?: FaultCode) {
  return v.pipe(
    v.unknown(),
    v.rawTransform<unknown, Kept>(({ dataset, addIssue, NEVER }) => {
      const kept = read(dataset.value)
      if (kept !== undefined) return kept
      addIssue({ message: `must be ${wanted}, not ${quoted(dataset.value)}`, ...(code && { expected: code }) })
      return NEVER
    }),
  )
}

/** Stored as a number; 0 allows nothing. */
export const amount = readAs(
  (written) => {
    const micros = parseAmount(written, { zero: true })
    return micros === undefined ? undefined : toNumber(micros)
  },
  'an amount: a number from 0, below 1000000000 and with at most 6 decimals',
  'INVALID_AMOUNT',
)

/** A stored amount in micro-units. */
export function microsOf(kept: number): Micros {
  // INVARIANT: every amount that `amount` stores parses again.
  return parseAmount(kept, { zero: true }) as Micros
}

export function integerValue(least: number, most: number) {
  return readAs((written) => {
    const isWhole = typeof written === 'number' && Number.isInteger(written)
    return isWhole && least <= written && written <= most ? written : undefined
  }, `a whole number from ${least} to ${most}`)
}

/** Stored in display form. */
export const address = readAs(
  (written) => parseAddress(written)?.display,
  'an EVM address (0x, 40 hex digits, right checksum) or a Solana one (base58 of 32 bytes)',
  'INVALID_ADDRESS',
)

/** Stored as by `categoryOf`. */
export const category = readAs((written) => {
  if (typeof written !== 'string' || written.length > LONGEST_CATEGORY) return undefined
  const kept = categoryOf(written)
  // Upper case may be longer: SS for ß.
  const fits = kept !== '' && kept.length <= LONGEST_CATEGORY
  return fits && !ILL_FORMED.test(kept) ? kept : undefined
}, `a category of 1 to ${LONGEST_CATEGORY} characters`)

/** Stored as written: four digits. */
export const merchantCategory = readAs(
  (written) => (typeof written === 'string' && /^[0-9]{4}$/.test(written) ? written : undefined),
  'a merchant category code: a text of four digits',
)

/** Stored in lower case: a host name in punycode, or `*.` and a domain, for all hosts below it. */
export const serviceHost = readAs(
  (written) => (typeof written === 'string' ? scopeIn(written) : undefined),
  'a host name, or *. and a domain for every host below it',
)

const MAX_SERVICES = 100

/** A list of 1 to 100 hosts, without repetitions: each is a comparison of its own. */
export function serviceSet(entry: v.GenericSchema<unknown, string>) {
  const wanted = `must be a list of 1 to ${MAX_SERVICES} hosts`
  return v.pipe(setOf(entry), v.maxLength(MAX_SERVICES, wanted))
}

const ILL_FORMED = /[\p{Cc}\p{Surrogate}]/u

export function oneOf<const Choice extends string>(choices: readonly Choice[]) {
  return v.picklist(choices, ({ input }) => wrongChoice(choices, input))
}

/** A list of 1 to 1,000 entries. Its length is checked before its entries, and checks stop at the first wrong entry. */
export function list<Entry>(entry: v.GenericSchema<unknown, Entry>) {
  const wanted = `must be a list of 1 to ${MAX_ENTRIES} entries`
  const isList = (written: unknown): boolean =>
    Array.isArray(written) && written.length > 0 && written.length <= MAX_ENTRIES
  const bounded = v.custom<unknown[]>(isList, ({ input }) => `${wanted}, not ${quoted(input)}`)
  return v.pipe(bounded, v.config(v.array(entry), { abortEarly: true }))
}

/** A list without repetitions. */
export function setOf<Entry extends string>(entry: v.GenericSchema<unknown, Entry>) {
  return v.pipe(
    list(entry),
    v.transform((entries) => [...new Set(entries)]),
  )
}
