// The layout of the tables has one version, the schema. A folder of an earlier one is brought up before it is opened,
// table by table, where there are steps that lead on from it; every other folder is refused.
import type { Json } from '../../domain/values/canonical.js'
import { LaterVersion } from './laterVersion.js'

/** Of the layout of the tables, and of every row that has no version of its own. */
export const SCHEMA = 15

/** A row as it is written; null for one that has a key alone. */
export interface WrittenRow {
  table: string
  key: string
  value: Json
}

/**
 * What becomes of each row of the tables that change, by table: the row that it was goes. INVARIANT: a row that stays in
 * its table keeps its key, so that none is taken twice.
 */
export interface SchemaStep {
  readonly [table: string]: (key: string, value: Json) => readonly WrittenRow[]
}

/** By the schema that they lead on from. */
export interface SchemaSteps {
  readonly [schema: number]: SchemaStep
}

/** Where few organizations had paid, nothing was kept of what the day began with: until the next day it counts as nothing. */
function withSmallFigures(row: Json): Json {
  const { before, ...rest } = row as { [field: string]: Json }
  return { ...rest, before: before ?? NOTHING_PAID }
}

const NOTHING_PAID = {
  transactionCount: 0,
  totalVolume: 0,
  failedCount: 0,
  firstTransactionAt: null,
  lastTransactionAt: null,
  unusualAt: null,
  organizationCount: 0,
  blockedCount: 0,
}

/** From each earlier schema that is still read to the next. */
export const SCHEMA_STEPS: SchemaSteps = {
  // The tables stayed as they were: since then a folder may have a journal, which earlier versions would not read.
  12: {},
  13: { network: (key, row) => [{ table: 'network', key, value: withSmallFigures(row) }] },
  // Nor did they here: since then audit entries may be packed, which earlier versions would not find.
  14: {},
}

/** No steps lead on from the folder's schema. */
export class OtherSchema extends Error {
  constructor(folder: string, found: number) {
    super(`The data folder ${folder} has schema ${found}; this version reads ${SCHEMA}`)
  }
}

/** Throws OtherSchema or LaterVersion, unless `steps` lead from the folder's schema to the present one. */
export function refuseSchema(folder: string, found: number | undefined, steps: SchemaSteps): void {
  if (found === undefined || found === SCHEMA) return
  if (found > SCHEMA) throw new LaterVersion(`The data folder ${folder} has schema`, found, SCHEMA)
  for (let from = found; from < SCHEMA; from += 1) if (!steps[from]) throw new OtherSchema(folder, found)
}
