// Explains entries of the audit log by the charts: which transition a command took, which guards did not hold before it,
// and how the record was before and after. It takes no turn.
import type { PaymentContext } from '../../machines/payment/context.js'
import type { Charts, Kind } from '../../machines/index.js'
import { fieldsOf, kindOf, type Actor } from '../actor/actor.js'
import { shapeOf } from '../actor/contextCopies.js'
import { metaOf } from '../actor/stateMeta.js'
import { initialState } from '../actor/transition.js'
import { isBeginning, stateAfter, wholeData, type AuditEntry } from '../domain/audit/entry.js'
import type { HoldLevel, Ref } from '../domain/limits/gate.js'
import type { Code } from '../domain/outcomes/codes.js'
import type { Violation } from '../domain/outcomes/violation.js'
import { stopOf } from '../domain/payment/terms.js'
import type { Json } from '../domain/values/canonical.js'
import { choicesFor } from './outline.js'
import { isShown, shownValue, type ShownFields } from './shown.js'

export interface Changed {
  field: string
  /** Null for a field that was absent. */
  from: Json
  to: Json
}

/** A command that changed an actor. */
export interface HistoryEntry {
  sequence: number
  at: string
  action: string
  by: { type: string; id: string }
  requestId: string | null
  message: string
  /** Null when the command created the actor. */
  from: string | null
  to: string
  /** What the state reached demands of the actor's gates; null for an actor without gates. */
  holds: HoldLevel | null
  /** The changed fields, from the log. */
  changed: Changed[]
  /** The name of the transition taken; null when today's chart does not have it. */
  choice: string | null
  /** The guard of the transition taken; null when it has none. */
  guard: string | null
  /** The guards that were tried before and did not hold. */
  passedOver: string[]
  actions: string[]
  /** Why the command was refused; null when it was not. */
  refusal: Code | null
  /** The kind of the gate that refused the command; null where none did. */
  refusedBy: string | null
  gate: Ref | null
  /** Why the gate, or the payment itself, refused it. */
  causes: Violation[]
  events: string[]
}

/** The logged state and fields of an actor between two entries. */
interface Past {
  state: string
  fields: ShownFields
}

type Data = { [field: string]: Json }

/** Explains entries of one actor, oldest first: all of them, or only the latest ones. */
export function* explainHistory(
  charts: Charts,
  actor: Actor,
  entries: readonly AuditEntry[],
): Generator<HistoryEntry, void> {
  const [oldest] = entries
  const kind = kindOf(actor.ref) as Kind
  const { initial } = shapeOf(charts[kind].machine)
  const whole = entries.map((entry) => ({ ...entry, data: wholeData(entry, initial) }))
  let past = oldest && !isBeginning(oldest.data) ? rewound(actor, whole) : undefined
  for (const entry of whole) {
    const { explained, next } = explainEntry(charts, kind, past, entry)
    past = next
    yield explained
  }
}

/** The record before the first of these entries: the present one with their changes undone. */
function rewound(actor: Actor, entries: readonly AuditEntry[]): Past {
  const today: Past = { state: actor.state, fields: fieldsOf(actor) as ShownFields }
  return entries.reduceRight<Past>((past, { data }) => before(past, data as Data), today)
}

/** The record as the entry found it: unlogged turns, such as captures, may have changed it since the previous entry. */
function before({ state, fields }: Past, data: Data): Past {
  const from = (data['state'] as { from: string } | undefined)?.from ?? state
  return { state: from, fields: { ...fields, ...side(data, 'from') } }
}

function after(past: Past | undefined, data: Data): ShownFields {
  const { state: _state, ...fields } = data
  return past ? { ...past.fields, ...side(data, 'to') } : fields
}

/** The fields that an entry changed, with their values before or after. */
function side(data: Data, name: 'from' | 'to'): ShownFields {
  const { state: _state, ...fields } = data
  return Object.fromEntries(Object.entries(fields).map(([field, change]) => [field, (change as ShownFields)[name]!]))
}

function explainEntry(
  charts: Charts,
  kind: Kind,
  last: Past | undefined,
  entry: AuditEntry,
): { explained: HistoryEntry; next: Past } {
  const { machine } = charts[kind]
  const { sequence, at, action, actor: by, requestId = null, turn } = entry
  const data = entry.data as Data
  const past = last && before(last, data)
  const to = stateAfter(data) ?? past!.state
  const fields = after(past, data)
  const { command, refusal = null, refusedBy: gate = null, events = [] } = turn
  const refusedBy = gate && kindOf(gate)
  const explained: HistoryEntry = {
    sequence,
    at,
    action,
    by,
    requestId,
    message: command,
    from: past?.state ?? null,
    to,
    holds: metaOf(machine, to).hold ?? null,
    changed: shownChanges(kind, past?.fields, fields, data),
    ...transitionOf(machine, past?.state ?? initialState(machine), turn),
    refusal,
    refusedBy,
    gate,
    causes: stopOf({ ...(fields as Partial<PaymentContext>), refusedBy }),
    events,
  }
  return { explained, next: { state: to, fields } }
}

/** The transition that the turn took in this state, with the guards that come before it. */
function transitionOf(
  machine: Charts[Kind]['machine'],
  from: string,
  { command, refusedBy, guard }: AuditEntry['turn'],
): Pick<HistoryEntry, 'choice' | 'guard' | 'passedOver' | 'actions'> {
  const choices = choicesFor(machine, from, refusedBy === undefined ? command : 'REFUSED')
  const place = choices.findIndex((choice) => choice.guard === guard)
  const taken = choices[place]
  return {
    choice: taken?.name ?? null,
    guard: guard ?? null,
    passedOver: taken ? choices.slice(0, place).map((choice) => choice.guard!) : [],
    actions: taken?.actions ?? [],
  }
}

function shownChanges(kind: string, before: ShownFields | undefined, after: ShownFields, data: Data): Changed[] {
  return Object.keys(data).flatMap((field) => {
    if (field === 'state' || !isShown(kind, field)) return []
    return [{ field, from: shownValue(field, before?.[field]), to: shownValue(field, after[field]) }]
  })
}
