// Parses and checks lists of sanctioned addresses. A list with any fault is refused as a whole.
import { comparable, parseAddress, type Address } from '../values/address.js'
import { refuse, succeed, type Result } from '../outcomes/result.js'
import type { Violation } from '../outcomes/violation.js'
import { isCalendarDay } from '../time/windows.js'

export interface SanctionsList {
  name: string
  source: string
  /** The list's day, `2024-09-27`. */
  date: string
  /** Canonical. */
  addresses: ReadonlySet<string>
}

/** The file in the data folder that an operator may load. */
export const SANCTIONS_FILE = 'sanctions.json'

const OLD_MS = 30 * 24 * 60 * 60_000

const wrong = (message: string) => refuse('VALIDATION_ERROR', message)

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** `text` is JSON: `{list, source, asOf, addresses}` with addresses in any letter case; other members are ignored. */
export function readSanctionsList(text: string): Result<SanctionsList, 'VALIDATION_ERROR'> {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return wrong('is not JSON')
  }
  if (typeof raw !== 'object' || raw === null) return wrong('is not a JSON object')
  const { list, source, asOf, addresses } = raw as { [field: string]: unknown }
  if (!isText(list)) return wrong('has no list: the name of the list')
  if (!isText(source)) return wrong('has no source: where the list comes from')
  if (!isText(asOf) || !isCalendarDay(asOf)) return wrong('has no asOf: the day of the list, like 2026-01-31')
  if (!Array.isArray(addresses) || addresses.length === 0) return wrong('has no addresses')
  const bad = addresses.findIndex((address) => parseAddress(address, { checksum: 'ignored' }) === undefined)
  if (bad >= 0) return wrong(`has no address at addresses[${bad}]`)
  return succeed({ name: list, source, date: asOf, addresses: new Set(addresses.map(comparable)) })
}

/** The age of the list in days, when above 30; undefined for a recent one. */
export function daysTooOld({ date }: SanctionsList, now: number): number | undefined {
  const age = now - Date.parse(date)
  return age > OLD_MS ? Math.floor(age / (OLD_MS / 30)) : undefined
}

export const UNREADABLE_LIST = 'The sanctions list cannot be read: nothing is paid until it can'

/** The violation of paying this address. An undefined `list` cannot be read; then no address may be paid. */
export function sanctionOf(list: SanctionsList | undefined, { canonical }: Address): Violation | undefined {
  if (!list) return { type: 'SANCTIONED_ADDRESS', message: UNREADABLE_LIST }
  if (!list.addresses.has(canonical)) return undefined
  return { type: 'SANCTIONED_ADDRESS', message: `The recipient is on the sanctions list ${list.name} of ${list.date}` }
}
