// The forms in which this version stores: what a stored folder is recorded with, and what is compared with the next.
import { charts, type Kind } from '../../../machines/index.js'
import { shapeOf } from '../../../src/actor/contextCopies.js'
import type { KernelChart } from '../../../src/actor/turn.js'
import { defaultsAt, type Defaults, type StoredPart } from '../../../src/domain/values/migration.js'
import { SCHEMA } from '../../../src/store/migration/schema.js'
import { PAYMENT_DEFAULTS } from '../../../src/store/records/paymentForm.js'
import { statesOf } from '../../support/walk.js'

/** Of a kind, at one version of its chart. */
export interface ChartForm {
  version: number
  states: string[]
  counted: readonly string[]
  defaults: { readonly [Part in StoredPart]?: Defaults }
}

export interface Forms {
  schema: number
  charts: { [kind: string]: ChartForm }
}

const chartOf = (kind: string): KernelChart => charts[kind as Kind] as KernelChart

function presentDefaults(kind: string): ChartForm['defaults'] {
  const context = shapeOf(chartOf(kind).machine).initial as unknown as Defaults
  return { context, ...(kind === 'payment' && PAYMENT_DEFAULTS) }
}

function formOf(kind: string): ChartForm {
  const { machine, version, counted = [] } = chartOf(kind)
  return { version, states: statesOf(machine).toSorted(), counted, defaults: presentDefaults(kind) }
}

export function presentForms(): Forms {
  return { schema: SCHEMA, charts: Object.fromEntries(Object.keys(charts).map((kind) => [kind, formOf(kind)])) }
}

/** The defaults of an earlier version, as the steps of the chart say that they were. */
export function defaultsBySteps(kind: string, version: number): ChartForm['defaults'] {
  const parts = Object.entries(presentDefaults(kind)) as [StoredPart, Defaults][]
  return Object.fromEntries(parts.map(([part, values]) => [part, defaultsAt(values, chartOf(kind), part, version)]))
}
