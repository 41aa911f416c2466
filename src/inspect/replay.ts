// Explains an entry of the audit log as turns. The log stores what a command changed; its guards and asks are found by
// replaying the command in memory on the earlier record. A replay counts only if the chart makes exactly the same
// record; otherwise only the possible choices are named.
import type { Charts, Kind } from '../../machines/index.js'
import { kindOf, type Actor, type Message } from '../actor/actor.js'
import { initialState } from '../actor/step.js'
import type { TakeTurn } from '../actor/turn.js'
import { commandsOf, difference, isBeginning, isRecorded, stateAfter, type AuditEntry } from '../domain/audit.js'
import { canonicalJson, type Json } from '../domain/canonical.js'
import type { Gate } from '../domain/gate.js'
import { messageOf } from './messages.js'
import { choicesFor, type Choice } from './outline.js'
import { isShown, shownValue, type Changed, type Fields } from './shown.js'
import { traceTurn, type Course, type TurnTrace } from './turnTrace.js'

export interface HistoryEntry {
  sequence: number
  at: string
  action: string
  by: { type: string; id: string }
  requestId: string | null
  /** Null when the logged action stands for several messages that cannot be told apart. */
  message: string | null
  /** Null when the command created the actor. */
  from: string | null
  to: string
  /** The changed fields, from the log. */
  changed: Changed[]
  /** `replayed`: a replay made exactly this record. `inferred`: only one choice leads there. */
  basis: 'replayed' | 'inferred' | 'unknown'
  /** The command's own turn and those after it until the actor rested; empty unless replayed. */
  turns: TurnTrace[]
  /** The choice taken in the command's own turn, or all possible ones. */
  choices: string[]
  guard: string | null
}

/** The record between two entries: the logged fields, and the unlogged ones where the replay knows them. */
interface Past {
  state: string
  context: Fields
  actor: Actor
}

interface Given {
  charts: Charts
  take: TakeTurn
  /** The present actor, for fields that are not logged. */
  actor: Actor
  kind: Kind
}

/** Explains entries of one actor, oldest first: all of them, or only the latest ones. */
export function* explainHistory(
  charts: Charts,
  take: TakeTurn,
  actor: Actor,
  entries: readonly AuditEntry[],
): Generator<HistoryEntry> {
  const kind = kindOf(actor.ref) as Kind
  const [oldest] = entries
  const isWhole = oldest && isBeginning(oldest.data)
  let past = isWhole ? undefined : rewound(actor, entries)
  for (const entry of entries) {
    const { explained, past: next } = explainEntry({ charts, take, actor, kind }, past, entry)
    past = next
    const isKnown = isWhole ? isSeen : isRecorded
    yield { ...explained, turns: explained.turns.map((turn) => withChanges(turn, isKnown)) }
  }
}

/** Refused commands that left no entry may have changed these fields in between. */
const UNSEEN: ReadonlySet<string> = new Set(['attempt', 'updatedAt'])

const isSeen = (field: string): boolean => !UNSEEN.has(field)

/** Keeps the changes of these fields; of other ones only the present values are known. */
function withChanges(turn: TurnTrace, isKnown: (field: string) => boolean): TurnTrace {
  return { ...turn, changed: turn.changed.filter(({ field }) => isKnown(field)) }
}

type Data = { [field: string]: Json }

/** The fields that an entry changed, with their values before or after. */
function side(data: Data, name: 'from' | 'to'): Fields {
  const { state: _state, ...fields } = data
  return Object.fromEntries(Object.entries(fields).map(([field, change]) => [field, (change as Fields)[name]!]))
}

/** The record before the first of these entries: the present one with their changes undone. */
function rewound(actor: Actor, entries: readonly AuditEntry[]): Past {
  const today: Past = { state: actor.state, context: actor.context, actor }
  return entries.reduceRight((past, { data }) => before(past, data as Data), today)
}

/** The record as the entry found it: unlogged turns, such as captures, may have changed it since the previous entry. */
function before({ state, context, actor }: Past, data: Data): Past {
  const was = side(data, 'from')
  const from = (data['state'] as { from: string } | undefined)?.from ?? state
  const whole = { ...actor, state: from, context: { ...actor.context, ...was } }
  return { state: from, context: { ...context, ...was }, actor: whole }
}

function contextAfter(past: Fields | undefined, data: Data): Fields {
  const { state: _state, ...fields } = data
  return past ? { ...past, ...side(data, 'to') } : fields
}

function explainEntry(
  given: Given,
  last: Past | undefined,
  entry: AuditEntry,
): { explained: HistoryEntry; past: Past } {
  const { kind, charts, actor } = given
  const data = entry.data as Data
  const past = last && before(last, data)
  const from = past?.state ?? initialState(charts[kind].machine)
  const to = stateAfter(data) ?? past?.state ?? ''
  const context = contextAfter(past?.context, data)
  const [course] = coursesOf(given, past, entry, context)
  const possible = course ? [] : possibleChoices(given, entry, from, to)
  const own = course?.turns[0]
  const only = possible.length === 1 ? possible[0] : undefined
  const events = new Set(possible.map(({ event }) => event))
  const explained: HistoryEntry = {
    sequence: entry.sequence,
    at: entry.at,
    action: entry.action,
    by: entry.actor,
    requestId: entry.requestId ?? null,
    message: own?.message ?? (events.size === 1 ? [...events][0]! : null),
    from: past?.state ?? null,
    to,
    changed: shownChanges(kind, past?.context, context, data),
    basis: course ? 'replayed' : only ? 'inferred' : 'unknown',
    turns: course?.turns ?? [],
    choices: own ? (own.choice === null ? [] : [own.choice]) : possible.map(({ name }) => name),
    guard: own?.guard ?? only?.guard ?? null,
  }
  const machinery = course?.actor.context ?? past?.actor.context ?? actor.context
  return {
    explained,
    past: { state: to, context, actor: { ...actor, state: to, context: { ...machinery, ...context } } },
  }
}

function shownChanges(kind: string, before: Fields | undefined, after: Fields, data: Data): Changed[] {
  return Object.keys(data).flatMap((field) => {
    if (field === 'state' || !isShown(kind, field)) return []
    return [{ field, from: shownValue(field, before?.[field]), to: shownValue(field, after[field]) }]
  })
}

/** The courses that lead to the logged record: for each possible message and each answer of a gate. */
function* coursesOf(given: Given, past: Past | undefined, entry: AuditEntry, after: Fields): Generator<Course> {
  const { actor, kind, charts } = given
  const gates = (actor.context['gates'] ?? []) as unknown as Gate[]
  const by = entry.actor
  const now = Date.parse(entry.at)
  const organization = String(actor.context['organization'])
  const wanted = canonicalJson(entry.data)
  const state = stateAfter(entry.data) ?? past?.state ?? ''
  for (const type of commandsOf(entry.action)) {
    if (choicesFor(charts[kind].machine, past?.state ?? initialState(charts[kind].machine), type).length === 0) continue
    const message = messageOf(kind, type, { before: past?.context, after, state, gates, by, now, organization })
    for (const refusing of REFUSABLE) {
      const course = courseOf(given, past?.actor, message, refusing, after)
      if (course && canonicalJson(difference(past, course.actor)) === wanted) yield course
    }
  }
}

/** The asks that a gate may have refused; undefined for none. */
const REFUSABLE = [undefined, 'RESERVE', 'CAPTURE', 'ADMIT', 'RESTORE'] as const

function courseOf(
  { charts, take, actor: { ref } }: Given,
  from: Actor | undefined,
  command: Message,
  refusing: string | undefined,
  after: Fields,
): Course | undefined {
  const { now, organization } = command
  const told = { ask: refusing, by: after['refusedBy'], violations: after['causes'], command } as unknown as Message
  const message = refusing === undefined ? command : { ...told, type: 'REFUSED', now, organization }
  try {
    const turn = take(ref, from, undefined, message)
    return { turns: [traceTurn(charts, ref, { actor: from }, message, turn)], actor: turn.actor }
  } catch {
    // The chart cannot process a wrong guess.
    return undefined
  }
}

/** Choices for the logged action that lead to the logged state, directly or through states that ask. */
function possibleChoices({ charts, kind }: Given, { action }: AuditEntry, from: string, to: string): Choice[] {
  const { machine } = charts[kind]
  const choices = commandsOf(action).flatMap((command) => choicesFor(machine, from, command))
  const leads = ({ target = from, actions }: Choice): boolean => target === to && (!isIdle(actions) || target !== from)
  return choices.filter(leads)
}

/** True for actions that leave no entry: refusals, and those without a change. */
function isIdle(actions: string[]): boolean {
  return actions.every((action) => action.startsWith('reject'))
}
