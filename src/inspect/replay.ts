// Explains an entry of the audit log as a turn. The log stores what a command changed; its guards are found by replaying
// the command in memory on the earlier record. A replay counts only if the chart makes exactly the same record; otherwise
// only the possible choices are named.
import type { PaymentContext } from '../../machines/payment/context.js'
import { stopOf } from '../domain/payment/terms.js'
import type { Charts, Kind } from '../../machines/index.js'
import { fieldsOf, kindOf, type Actor, type Message } from '../actor/actor.js'
import { metaOf } from '../actor/stateMeta.js'
import { initialState } from '../actor/transition.js'
import type { RunTurn } from '../actor/turn.js'
import { commandsOf, difference, isBeginning, stateAfter, type AuditEntry } from '../domain/audit/entry.js'
import { canonicalJson, type Json } from '../domain/values/canonical.js'
import type { Ask, Gate, HoldLevel } from '../domain/limits/gate.js'
import type { Violation } from '../domain/outcomes/violation.js'
import { loggedMessage } from './messages.js'
import { choicesFor, type Choice } from './outline.js'
import { isShown, shownValue, type ShownFields } from './shown.js'
import { traceTurn, type TurnTrace } from './turnTrace.js'

export interface Changed {
  field: string
  /** Null for a field that was absent. */
  from: Json
  to: Json
}

/** A command that changed an actor. Guards, actions, events and the refusal are known only where it was replayed. */
export interface HistoryEntry extends Omit<TurnTrace, 'choice'> {
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
  /** What the state reached demands of the actor's gates; null for an actor without gates. */
  holds: HoldLevel | null
  /** The changed fields, from the log. */
  changed: Changed[]
  /** `replayed`: a replay made exactly this record. `inferred`: only one choice leads there. */
  basis: 'replayed' | 'inferred' | 'unknown'
  /** The choice taken, or all possible ones. */
  choices: string[]
  /** The kind of the gate that refused the command; null where none did. */
  refusedBy: string | null
  /** Why the gate, or the payment itself, refused it. */
  causes: Violation[]
}

/** The record between two entries: the logged fields, and the unlogged ones where the replay knows them. */
interface Past {
  state: string
  context: ShownFields
  actor: Actor
}

interface Given {
  charts: Charts
  take: RunTurn
  /** The present actor, for fields that are not logged. */
  actor: Actor
  kind: Kind
}

/** Explains entries of one actor, oldest first: all of them, or only the latest ones. */
export function* explainHistory(
  charts: Charts,
  take: RunTurn,
  actor: Actor,
  entries: readonly AuditEntry[],
): Generator<HistoryEntry> {
  const given = { charts, take, actor, kind: kindOf(actor.ref) as Kind }
  const [oldest] = entries
  let past = oldest && isBeginning(oldest.data) ? undefined : rewound(actor, entries)
  for (const entry of entries) {
    const { explained, past: next } = explainEntry(given, past, entry)
    past = next
    yield explained
  }
}

type Data = { [field: string]: Json }

/** The fields that an entry changed, with their values before or after. */
function side(data: Data, name: 'from' | 'to'): ShownFields {
  const { state: _state, ...fields } = data
  return Object.fromEntries(Object.entries(fields).map(([field, change]) => [field, (change as ShownFields)[name]!]))
}

/** The record before the first of these entries: the present one with their changes undone. */
function rewound(actor: Actor, entries: readonly AuditEntry[]): Past {
  const today: Past = { state: actor.state, context: fieldsOf(actor) as ShownFields, actor }
  return entries.reduceRight((past, { data }) => before(past, data as Data), today)
}

/** The record as the entry found it: unlogged turns, such as captures, may have changed it since the previous entry. */
function before({ state, context, actor }: Past, data: Data): Past {
  const was = side(data, 'from')
  const from = (data['state'] as { from: string } | undefined)?.from ?? state
  const whole = { ...actor, state: from, context: { ...actor.context, ...was } }
  return { state: from, context: { ...context, ...was }, actor: whole }
}

function contextAfter(past: ShownFields | undefined, data: Data): ShownFields {
  const { state: _state, ...fields } = data
  return past ? { ...past, ...side(data, 'to') } : fields
}

function explainEntry(
  given: Given,
  last: Past | undefined,
  entry: AuditEntry,
): { explained: HistoryEntry; past: Past } {
  const { kind, charts, actor } = given
  const { sequence, at, action, actor: by, requestId = null } = entry
  const data = entry.data as Data
  const past = last && before(last, data)
  const from = past?.state ?? initialState(charts[kind].machine)
  const to = stateAfter(data) ?? from
  const context = contextAfter(past?.context, data)
  const [replay] = replaysOf(given, past, entry, context)
  const explained: HistoryEntry = {
    sequence,
    at,
    action,
    by,
    requestId,
    from: past?.state ?? null,
    to,
    holds: metaOf(charts[kind].machine, to).hold ?? null,
    changed: shownChanges(kind, past?.context, context, data),
    ...(replay
      ? replayed(replay)
      : inferred(possibleChoices(given, entry, { from, to, isRefused: isByGate(context) }))),
    ...refusalIn(context),
  }
  const machinery = replay?.actor.context ?? past?.actor.context ?? actor.context
  const whole = { ...actor, state: to, context: { ...machinery, ...context } }
  return { explained, past: { state: to, context, actor: whole } }
}

/** True for a record whose last refusal came from a gate. */
const isByGate = ({ refusedBy = null }: ShownFields): boolean => refusedBy !== null

type Explanation = Pick<HistoryEntry, 'message' | 'basis' | 'choices' | keyof Omit<TurnTrace, 'choice'>>

function replayed({ command, trace: { choice, ...trace } }: Replay): Explanation {
  return { message: command, basis: 'replayed', choices: choice === null ? [] : [choice], ...trace }
}

function inferred(possible: Possible[]): Explanation {
  const [only] = possible.length === 1 ? possible : []
  const commands = new Set(possible.map(({ command }) => command))
  return {
    message: commands.size === 1 ? [...commands][0]! : null,
    basis: only ? 'inferred' : 'unknown',
    choices: possible.map(({ choice }) => choice.name),
    guard: only?.choice.guard ?? null,
    passedOver: [],
    actions: [],
    refusal: null,
    events: [],
  }
}

/** Every command that a payment goes on with clears what the one before was refused for. */
function refusalIn(after: ShownFields): Pick<HistoryEntry, 'refusedBy' | 'causes'> {
  const { refusedBy = null, ...payment } = after as unknown as Partial<PaymentContext>
  return { refusedBy, causes: stopOf({ refusedBy, ...payment }) }
}

function shownChanges(kind: string, before: ShownFields | undefined, after: ShownFields, data: Data): Changed[] {
  return Object.keys(data).flatMap((field) => {
    if (field === 'state' || !isShown(kind, field)) return []
    return [{ field, from: shownValue(field, before?.[field]), to: shownValue(field, after[field]) }]
  })
}

/** A turn that makes the logged record. */
interface Replay {
  command: string
  trace: TurnTrace
  actor: Actor
}

/** The replays that make the logged record: of each possible command, taken or refused by a gate. */
function* replaysOf(given: Given, past: Past | undefined, entry: AuditEntry, after: ShownFields): Generator<Replay> {
  const wanted = canonicalJson(entry.data)
  for (const command of commandsFor(given, past, entry, after)) {
    for (const refused of isByGate(after) ? [undefined, ...REFUSED] : [undefined]) {
      const refusal = refused && refusalOf(command, refused, after)
      const replay = replayOf(given, past, { command, refusal, wanted })
      if (replay) yield replay
    }
  }
}

/** A refused RESERVE is final; other refusals differ only by their reasons. */
const REFUSED: readonly Ask[] = ['RESERVE', 'CAPTURE']

/** The messages that the entry may have been recorded for. */
function commandsFor(
  { actor, kind, charts }: Given,
  past: Past | undefined,
  entry: AuditEntry,
  after: ShownFields,
): Message[] {
  const { machine } = charts[kind]
  const from = past?.state ?? initialState(machine)
  const gates = (fieldsOf(actor)['gates'] ?? []) as unknown as Gate[]
  const organization = actor.context.organization
  const state = stateAfter(entry.data) ?? from
  const logged = {
    before: past?.context,
    after,
    state,
    gates,
    by: entry.actor,
    now: Date.parse(entry.at),
    organization,
  }
  const types = commandsOf(entry.action).filter((type) => choicesFor(machine, from, type).length > 0)
  return types.map((type) => loggedMessage(kind, type, logged))
}

/** What the actor heard of the refusal, from the record that it keeps of it. */
function refusalOf(command: Message, ask: Ask, { refusedBy, causes }: ShownFields): Message {
  const { now, organization } = command
  return { type: 'REFUSED', now, organization, ask, by: refusedBy, violations: causes, command: command as Json }
}

/** The replay of a command or of its refusal, where it makes the wanted record. */
function replayOf(
  { charts, take, actor: { ref } }: Given,
  past: Past | undefined,
  { command, refusal, wanted }: { command: Message; refusal: Message | undefined; wanted: string },
): Replay | undefined {
  const message = refusal ?? command
  try {
    const turn = take(ref, past?.actor, undefined, message)
    if (canonicalJson(difference(past, turn.actor)) !== wanted) return undefined
    const trace = traceTurn(charts, ref, past?.actor, message, turn)
    return { command: command.type, trace, actor: turn.actor }
  } catch {
    // From a wrong guess the chart may make what has no canonical form, or nothing at all.
    return undefined
  }
}

interface Possible {
  command: string
  choice: Choice
}

/** Choices for the logged action, or for its refusal, that lead to the logged state. */
function possibleChoices(
  { charts, kind }: Given,
  { action }: AuditEntry,
  { from, to, isRefused }: { from: string; to: string; isRefused: boolean },
): Possible[] {
  const { machine } = charts[kind]
  const commands = commandsOf(action).filter((command) => choicesFor(machine, from, command).length > 0)
  const choices = commands.flatMap((command) =>
    choicesFor(machine, from, isRefused ? 'REFUSED' : command).map((choice) => ({ command, choice })),
  )
  return choices.filter(
    ({ choice: { target = from, actions } }) => target === to && (target !== from || !isIdle(actions)),
  )
}

/** True for actions that leave no entry: refusals, and those without a change. */
function isIdle(actions: string[]): boolean {
  return actions.every((action) => action.startsWith('reject'))
}
