// Summaries of tiles, so that a filtered search can skip whole tiles. A summary may let a tile without matches through,
// but never skips a tile with matches.
import { hash } from 'node:crypto'
import type { EntryFilter } from '../../actor/auditLog.js'
import type { StoredEntry } from '../../domain/audit/forms.js'

const TERM_BYTES = 4

export interface SummaryRow {
  /** Epoch ms of the earliest and the latest entry; entries need not be in order of time. */
  earliest: number
  latest: number
  /** Four bytes of the digest of each field and value, in base64. */
  terms: string
}

export class Summary {
  #earliest = Infinity
  #latest = -Infinity
  readonly #terms = new Set<number>()

  add(entry: StoredEntry): void {
    const at = Date.parse(entry.at)
    this.#earliest = Math.min(this.#earliest, at)
    this.#latest = Math.max(this.#latest, at)
    for (const term of termsOf({ ...entry, actorId: entry.actor.id })) this.#terms.add(term)
  }

  row(): SummaryRow {
    const terms = Buffer.alloc(this.#terms.size * TERM_BYTES)
    let end = 0
    for (const term of this.#terms) end = terms.writeUInt32BE(term, end)
    return { earliest: this.#earliest, latest: this.#latest, terms: terms.toString('base64') }
  }
}

/** One term for each field that has a value. */
function termsOf({ action, resource, resourceId, actorId }: EntryFilter): number[] {
  const fields = Object.entries({ action, resource, resourceId, actorId })
  const given = fields.filter(([, value]) => value !== undefined)
  return given.map(([field, value]) => hash('sha256', `${field}=${value}`, 'buffer').readUInt32BE(0))
}

/** False when none of the tile's entries passes the filter. */
export function mayHold({ earliest, latest, terms }: SummaryRow, filter: EntryFilter): boolean {
  if (latest < (filter.from ?? -Infinity) || earliest > (filter.to ?? Infinity)) return false
  const wanted = termsOf(filter)
  if (wanted.length === 0) return true
  const held = Buffer.from(terms, 'base64')
  return wanted.every((term) => holds(held, term))
}

function holds(terms: Buffer, wanted: number): boolean {
  for (let at = 0; at < terms.length; at += TERM_BYTES) if (terms.readUInt32BE(at) === wanted) return true
  return false
}

export function passes(entry: StoredEntry, filter: EntryFilter): boolean {
  const { action, resource, resourceId, actorId, from, to } = filter
  const at = Date.parse(entry.at)
  return (
    (action === undefined || entry.action === action) &&
    (resource === undefined || entry.resource === resource) &&
    (resourceId === undefined || entry.resourceId === resourceId) &&
    (actorId === undefined || entry.actor.id === actorId) &&
    (from === undefined || at >= from) &&
    (to === undefined || at <= to)
  )
}
