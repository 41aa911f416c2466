// Bulk import of counterparties over HTTP.
import * as v from 'valibot'
import { importCounterparties, type ImportEntry } from '../commands/counterpartyImports.js'
import type { Services } from '../commands/ports.js'
import type { Json } from '../domain/canonical.js'
import { COUNTERPARTY_CATEGORIES, COUNTERPARTY_STATUSES } from '../domain/counterparty.js'
import { write } from './counterparties.js'
import { anyEntry, IMPORT_BYTES } from './imports.js'
import { ok, reader } from './respond.js'
import { route, type Answer, type Route } from './route.js'
import { address, enumOf, list, name } from './schemas.js'
import { shortened, validate } from './validate.js'

const MOST = 500

const imported = v.strictObject({
  name: name(200),
  address: address(),
  category: v.optional(enumOf(COUNTERPARTY_CATEGORIES), 'OTHER'),
  status: v.optional(enumOf(COUNTERPARTY_STATUSES), 'UNKNOWN'),
})

const importSchema = v.object({
  imported: v.number(),
  resumed: v.number(),
  skipped: v.number(),
  errors: v.array(v.object({ index: v.number(), address: v.string(), error: v.string(), code: v.string() })),
  counterparties: v.array(v.object({ id: v.string(), name: v.string() })),
})

export function counterpartyImportRoute(services: Services): Route {
  return route({
    operationId: 'importCounterparties',
    method: 'POST',
    path: '/api/counterparties/import',
    access: write,
    summary: 'Register many counterparties at once',
    bodyLimit: IMPORT_BYTES,
    body: v.strictObject({ counterparties: list(anyEntry(imported, 'ImportedCounterparty'), { min: 1, max: MOST }) }),
    invalid: 'INVALID_INPUT',
    answers: { 200: { name: 'CounterpartyImport', schema: importSchema } },
    handler: async (call) => {
      const entries = call.body.counterparties.map(importEntry)
      const answer = (result: object): Answer => ok({ ...result } as Json)
      const record = (result: object) => call.record?.(answer(result))
      return answer(await importCounterparties(services, reader(call), entries, record))
    },
  })
}

function importEntry(raw: unknown): ImportEntry {
  const checked = validate(imported, raw, 'INVALID_INPUT', 'field', 'The entry')
  if (checked.ok) {
    const counterparty = checked.value as v.InferOutput<typeof imported>
    return { ok: true, counterparty: { ...counterparty, notes: null, website: null } }
  }
  const given = (raw as { address?: unknown } | null)?.address
  return { ...checked, address: typeof given === 'string' ? shortened(given) : '' }
}
