// Bulk import of counterparties over HTTP.
import { succeed } from '../../../domain/outcomes/result.js'
import * as v from 'valibot'
import {
  importCounterparties,
  type Imported,
  type CounterpartyImportEntry,
} from '../../../commands/counterparties/imports.js'
import type { Json } from '../../../domain/values/canonical.js'
import { COUNTERPARTY_CATEGORIES, COUNTERPARTY_STATUSES } from '../../../domain/parties/counterparty.js'
import { changeCounterparty } from './counterparties.js'
import { anyEntry, IMPORT_BYTES } from '../imports.js'
import { ok, pendingSchema } from '../../server/respond.js'
import { route } from '../../server/route.js'
import { addressSchema, enumOf, listSchema, name, recordSchema } from '../../input/schemas.js'
import { shortInput, validate } from '../../input/validate.js'

const MOST = 500

const imported = v.strictObject({
  name: name(200),
  address: addressSchema(),
  category: v.optional(enumOf(COUNTERPARTY_CATEGORIES), 'OTHER'),
  status: v.optional(enumOf(COUNTERPARTY_STATUSES), 'UNKNOWN'),
})

const importSchema = recordSchema('CounterpartyImport', {
  imported: v.number(),
  resumed: v.number(),
  skipped: v.number(),
  errors: v.array(v.object({ index: v.number(), address: v.string(), error: v.string(), code: v.string() })),
  counterparties: v.array(v.object({ id: v.string(), name: v.string() })),
})

export const counterpartyImportRoute = route({
  operationId: 'importCounterparties',
  method: 'POST',
  path: '/api/counterparties/import',
  access: changeCounterparty,
  summary: 'Register many counterparties at once',
  bodyLimit: IMPORT_BYTES,
  body: v.strictObject({
    counterparties: listSchema(anyEntry(imported, 'ImportedCounterparty'), { min: 1, max: MOST }),
  }),
  invalid: 'INVALID_INPUT',
  governed: 'counterparty.trust',
  answers: {
    200: importSchema,
    202: recordSchema('PendingImport', { ...pendingSchema.entries, ...importSchema.entries }),
  },
  handler: async (call) => {
    const given = call.body.counterparties
    const answer = ({ result }: Imported) => ok({ ...result })
    // An import of which a part waits is recorded with the request that waits.
    const record = (all: Imported) => (all.waiting ? undefined : call.record?.(answer(all).value))
    const all = await importCounterparties(call.services, call.caller, given.map(importEntry), record)
    if (!all.waiting) return answer(all)
    const { barrier, indexes } = all.waiting
    return succeed({
      ...answer(all).value,
      waits: { barrier, body: { counterparties: indexes.map((index) => given[index] as Json) } },
    })
  },
})

function importEntry(raw: unknown): CounterpartyImportEntry {
  const checked = validate(imported, raw, 'INVALID_INPUT', 'field', 'The entry')
  if (checked.ok) {
    const counterparty = checked.value as v.InferOutput<typeof imported>
    return { ok: true, counterparty: { ...counterparty, notes: null, website: null } }
  }
  const given = (raw as { address?: unknown } | null)?.address
  return { ...checked, address: typeof given === 'string' ? shortInput(given) : '' }
}
