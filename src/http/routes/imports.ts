// What the bulk imports share: each entry is validated on its own, so that an invalid one is reported and the others are
// imported.
import * as v from 'valibot'
import { refuse, succeed } from '../../domain/outcomes/result.js'
import { jsonSchemaOf } from '../docs/jsonSchema.js'
import type { Schema } from '../server/route.js'
import { readAs } from '../input/schemas.js'

/** The largest body of an import, in bytes. */
export const IMPORT_BYTES = 1024 * 1024

/** Documented with the entry's schema but accepts anything without a card number: the handler validates each entry. */
export function anyEntry(entry: Schema, name: string) {
  return readAs<unknown>(jsonSchemaOf(entry, name).schema, (value) => {
    const { issues = [] } = v.safeParse(entry, value)
    const refused = issues.find(({ expected }) => expected === 'CARD_NUMBER_REFUSED')
    return refused ? refuse('CARD_NUMBER_REFUSED', refused.message) : succeed(value)
  })
}
