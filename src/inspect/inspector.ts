// Converts audit log entries to the format of XState inspectors (`@xstate.actor`, `@xstate.event`,
// `@xstate.snapshot`). A snapshot's context holds the fields that the entry changed, except concealed ones.
import type { Chart, Charts, Kind } from '../../machines/index.js'
import { BoundedCache } from '../domain/values/boundedCache.js'
import type { Json } from '../domain/values/canonical.js'
import { isBeginning, stateAfter, type AuditEntry } from '../domain/audit/entry.js'
import { chartDefinitionOf } from './source.js'
import { isShown, shownValue, type ShownFields } from './shown.js'

/** The version of the inspector format. */
const VERSION = '0.4.0'

type Shown = { [field: string]: Json }

const definitions = new WeakMap<Chart, string>()

/** Cached by chart, because every actor event contains the definition and charts do not change. */
function definitionText(chart: Chart): string {
  let text = definitions.get(chart)
  if (text === undefined) definitions.set(chart, (text = JSON.stringify(chartDefinitionOf(chart))))
  return text
}

/** Keeps which actors one listener has been sent an `@xstate.actor` event for; those dropped are introduced again. */
export class Inspector {
  readonly #charts: Charts
  /** The last state of each; null while no entry has reported one. */
  readonly #states = new BoundedCache<string, string | null>(10_000)

  constructor(charts: Charts) {
    this.#charts = charts
  }

  eventsOf(entry: AuditEntry): Shown[] {
    const { sequence, resource, resourceId, action, actor, at, data } = entry
    if (!Object.hasOwn(this.#charts, resource)) return []
    const sessionId = `${resource}/${resourceId}`
    const chart = this.#charts[resource as Kind]
    const known = this.#states.get(sessionId)
    const value = stateAfter(data) ?? known
    const base = { sessionId, rootId: sessionId, createdAt: String(Date.parse(at)), _version: VERSION }
    const snapshot = {
      status: 'active',
      ...(typeof value === 'string' && { value: nested(value) }),
      context: contextOf(resource, data),
    }
    const event = { type: action.slice(action.indexOf('.') + 1).toUpperCase() }
    this.#states.set(sessionId, value ?? null)
    const introduced = { ...base, type: '@xstate.actor', id: `${sequence}-actor`, name: sessionId, snapshot }
    return [
      ...(known === undefined ? [{ ...introduced, definition: definitionText(chart) }] : []),
      { ...base, type: '@xstate.event', id: `${sequence}-event`, event, sourceId: `${actor.type}/${actor.id}` },
      { ...base, type: '@xstate.snapshot', id: `${sequence}-snapshot`, event, snapshot },
    ]
  }
}

/** `transferring.signing` as a nested XState value. */
function nested(state: string): Json {
  const dot = state.indexOf('.')
  return dot < 0 ? state : { [state.slice(0, dot)]: nested(state.slice(dot + 1)) }
}

function contextOf(kind: string, data: Json): ShownFields {
  const { state: _state, ...changes } = data as ShownFields
  const isFirst = isBeginning(data)
  const fields = Object.entries(changes).filter(([field]) => isShown(kind, field))
  return Object.fromEntries(
    fields.map(([field, change]) => [field, shownValue(field, isFirst ? change : (change as { to: Json }).to)]),
  )
}
