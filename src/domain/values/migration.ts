// How what an earlier version of a chart stored becomes what the present version stores: one pure step from each version
// to the next.
import type { Json } from './canonical.js'

/** What fields have where nothing else is stored; undefined for a field that there is not. */
export interface Defaults {
  readonly [field: string]: unknown
}

/** A stored actor with all of its fields, as some version of its chart knows it. */
export interface Snapshot {
  /** Dotted path of the state. */
  state: string
  context: { [field: string]: Json | undefined }
  /** Of a payment: the idempotency record of its request. */
  record?: { [field: string]: Json | undefined }
}

/** The parts of stored actors that leave out defaults; all but the context belong to payments. */
export type StoredPart = 'context' | 'terms' | 'decision' | 'record'

/** From one version of a chart to the next. */
export interface MigrationStep {
  /** The defaults that the earlier version had otherwise than the next; undefined for a field that it had not. */
  defaults?: { readonly [Part in StoredPart]?: Defaults }
  /** Fields that it leaves out get the defaults of the next version. Left out itself, defaults are all that changed. */
  step?(stored: Snapshot): Snapshot
}

/** By the version that they lead on from. */
export interface MigrationSteps {
  readonly [version: number]: MigrationStep
}

/** What is known of the versions of a chart. */
export interface Versioned {
  version: number
  steps?: MigrationSteps
}

/** The versions before the present one from which no step leads on. */
export function versionsWithoutStep({ version, steps = {} }: Versioned): number[] {
  const earlier = Array.from({ length: version - 1 }, (_, index) => index + 1)
  return earlier.filter((from) => steps[from] === undefined)
}

/** The defaults of a part at an earlier version, from those of the present one. */
export function defaultsAt(
  present: Defaults,
  { version, steps = {} }: Versioned,
  part: StoredPart,
  at: number,
): Defaults {
  let values = present
  for (let from = version - 1; from >= at; from -= 1) values = { ...values, ...steps[from]?.defaults?.[part] }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** The snapshot as the present version knows it; `initial` is the context of its actors that do not exist yet. */
export function migrated(snapshot: Snapshot, chart: Versioned, initial: Defaults, from: number): Snapshot {
  let known = snapshot
  for (let at = from; at < chart.version; at += 1) {
    const { step } = chart.steps![at]!
    const next = step ? step(known) : known
    known = { ...next, context: completed(next.context, defaultsAt(initial, chart, 'context', at + 1)) }
  }
  return known
}

/** The fields of a version and no others. */
function completed(context: Snapshot['context'], defaults: Defaults): Snapshot['context'] {
  const fields = Object.entries(defaults).map(([field, value]) => {
    return [field, context[field] === undefined ? value : context[field]]
  })
  return Object.fromEntries(fields) as Snapshot['context']
}
