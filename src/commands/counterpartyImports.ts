// Imports counterparties in bulk, each entry by itself, so that a bad one does not stop the rest.
import type { Code } from '../domain/codes.js'
import type { Barrier } from '../domain/governance.js'
import type { Refused } from '../domain/refusal.js'
import { counterpartyContext } from './contexts.js'
import { createCounterparty, type NewCounterparty } from './counterparties.js'
import type { Caller, Services } from './ports.js'

/** A checked entry, or what is wrong with it. */
export type ImportEntry = { ok: true; counterparty: NewCounterparty } | (Refused & { address: string })

export interface ImportResult {
  imported: number
  skipped: number
  errors: { index: number; address: string; error: string; code: Code }[]
  /** In the order of the entries. */
  counterparties: { id: string; name: string }[]
}

/** Entries that need a second person: by their index, and what holds them up. */
export interface Waiting {
  indexes: number[]
  barrier: Barrier
}

/**
 * Sends all entries at once, to share commits; they are still carried out in order. Of entries with the same address
 * the first makes the record and the others find it. Those that need a second person are left out, to wait together.
 */
export async function importCounterparties(
  services: Services,
  { record: _record, ...caller }: Caller,
  entries: readonly ImportEntry[],
): Promise<{ result: ImportResult; waiting: Waiting | undefined }> {
  let waiting: Waiting | undefined
  const made = entries.map((entry) => (entry.ok ? createCounterparty(services, caller, entry.counterparty) : entry))
  const result: ImportResult = { imported: 0, skipped: 0, errors: [], counterparties: [] }
  for (const [index, done] of (await Promise.all(made)).entries()) {
    if (done.ok) {
      const { id, name } = counterpartyContext(done.actor)
      result.imported += 1
      result.counterparties.push({ id, name })
    } else if (done.refusal.barrier) {
      // One change for many has no id of its own.
      waiting ??= { indexes: [], barrier: { ...done.refusal.barrier, createsId: null } }
      waiting.indexes.push(index)
    } else if (done.refusal.code === 'ALREADY_EXISTS') result.skipped += 1
    else
      result.errors.push({
        index,
        address: addressOf(entries[index]!),
        error: done.refusal.message,
        code: done.refusal.code,
      })
  }
  return { result, waiting }
}

function addressOf(entry: ImportEntry): string {
  return entry.ok ? entry.counterparty.address.display : entry.address
}
