// Imports counterparties in bulk, each entry by itself, so that a bad one does not stop the rest.
import { succeed, type Refused } from '../../domain/outcomes/result.js'
import type { Code } from '../../domain/outcomes/codes.js'
import type { Barrier } from '../../domain/outcomes/governance.js'
import { createCounterparty, type NewCounterparty } from './counterparties.js'
import { importing, type Progress, type RecordResult } from '../importProgress.js'
import type { Caller, Services } from '../ports.js'

/** A checked entry, or what is wrong with it. */
export type CounterpartyImportEntry = { ok: true; counterparty: NewCounterparty } | (Refused & { address: string })

export interface CounterpartyImportResult {
  imported: number
  /** Made by an earlier call of the same entries that was interrupted. */
  resumed: number
  skipped: number
  errors: { index: number; address: string; error: string; code: Code }[]
  /** Those imported and resumed, in the order of the entries. */
  counterparties: { id: string; name: string }[]
}

/** Entries that require approval: by their index, and what holds them up. */
export interface Waiting {
  indexes: number[]
  barrier: Barrier
}

/** What was made, and what waits. */
export interface Imported {
  result: CounterpartyImportResult
  waiting: Waiting | undefined
}

export function importCounterparties(
  services: Services,
  caller: Caller,
  entries: readonly CounterpartyImportEntry[],
  recordOf: RecordResult<Imported> = () => undefined,
): Promise<Imported> {
  const work = (progress: Progress<'counterparty'>) => importAll(services, entries, progress)
  return importing(services, caller, ['counterparties', entries], work, recordOf)
}

/**
 * Sends all entries at once, to share commits; they are still carried out in order. Of entries with the same address
 * the first makes the record and the others find it. Those that require approval are left out, to wait together.
 */
async function importAll(
  services: Services,
  entries: readonly CounterpartyImportEntry[],
  { madeOf, making }: Progress<'counterparty'>,
): Promise<Imported> {
  let waiting: Waiting | undefined
  const known = entries.map((_, index) => madeOf(index))
  const made = entries.map((entry, index) => {
    if (!entry.ok) return entry
    const actor = known[index]
    return actor ? succeed(actor) : createCounterparty(services, making(index), entry.counterparty)
  })
  const result: CounterpartyImportResult = { imported: 0, resumed: 0, skipped: 0, errors: [], counterparties: [] }
  for (const [index, done] of (await Promise.all(made)).entries()) {
    if (done.ok) {
      const { id, name } = done.value.context
      result[known[index] ? 'resumed' : 'imported'] += 1
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

function addressOf(entry: CounterpartyImportEntry): string {
  return entry.ok ? entry.counterparty.address.display : entry.address
}
