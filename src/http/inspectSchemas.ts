// Schemas and records of the machine routes' answers: turns, choices, rows of gates, entries of a history.
import * as v from 'valibot'
import { idOf, kindOf } from '../actor/actor.js'
import type { Inspected, Row } from '../commands/inspection.js'
import type { Story } from '../commands/history.js'
import type { Json } from '../domain/canonical.js'
import type { Hold } from '../domain/gate.js'
import type { Choice } from '../inspect/outline.js'
import type { HistoryEntry } from '../inspect/replay.js'
import { iso } from './respond.js'
import { freeObject } from './schemas.js'

type Shown = { [field: string]: Json }

const askSchema = v.nullable(v.object({ type: v.string(), to: v.string() }))
const choiceSchema = v.object({
  name: v.string(),
  guard: v.nullable(v.string()),
  target: v.nullable(v.string()),
  actions: v.array(v.string()),
})
const entrySchema = v.nullable(
  v.object({
    state: v.string(),
    amount: v.number(),
    capturedAt: v.nullable(v.string()),
  }),
)
const rowEntries = { gate: v.string(), amount: v.number(), entry: entrySchema }
const rowSchema = v.object(rowEntries)

export const machineListSchema = v.object({
  machines: v.array(
    v.object({
      name: v.string(),
      version: v.number(),
      initial: v.string(),
      states: v.array(
        v.object({
          path: v.string(),
          asks: v.nullable(v.string()),
          calls: v.nullable(v.string()),
          wakesAt: v.nullable(v.string()),
        }),
      ),
      messages: v.array(v.string()),
    }),
  ),
})

export const inspectedSchema = v.object({
  machine: v.string(),
  id: v.string(),
  version: v.number(),
  revision: v.number(),
  state: v.string(),
  context: freeObject,
  concealed: v.array(v.string()),
  waitsFor: v.object({ ask: askSchema, call: v.nullable(v.string()), wakeAt: v.nullable(v.string()) }),
  messages: v.array(v.object({ message: v.string(), choices: v.array(choiceSchema) })),
  rows: v.array(rowSchema),
})

const changedSchema = v.object({ field: v.string(), from: v.unknown(), to: v.unknown() })
const turnSchema = v.object({
  ref: v.string(),
  message: v.string(),
  from: v.string(),
  to: v.string(),
  choice: v.nullable(v.string()),
  guard: v.nullable(v.string()),
  passedOver: v.array(v.string()),
  actions: v.array(v.string()),
  changed: v.array(changedSchema),
  refusal: v.nullable(v.string()),
  violations: v.array(v.unknown()),
  events: v.array(v.string()),
  hold: v.unknown(),
})

export const retoldSchema = v.object({
  sequence: v.number(),
  at: v.string(),
  action: v.string(),
  by: v.object({ type: v.string(), id: v.string() }),
  requestId: v.nullable(v.string()),
  message: v.nullable(v.string()),
  from: v.nullable(v.string()),
  to: v.string(),
  changed: v.array(changedSchema),
  basis: v.picklist(['replayed', 'inferred', 'unknown']),
  turns: v.array(turnSchema),
  choices: v.array(v.string()),
  guard: v.nullable(v.string()),
})

export const storySchema = v.object({
  complete: v.boolean(),
  participants: v.array(v.object({ id: v.string(), kind: v.string(), name: v.nullable(v.string()) })),
  lines: v.array(
    v.object({
      sequence: v.number(),
      at: v.string(),
      kind: v.picklist(['command', 'ask', 'answer', 'event', 'state']),
      from: v.string(),
      to: v.string(),
      text: v.string(),
      reasons: v.array(v.string()),
    }),
  ),
  rows: v.array(v.object({ ...rowEntries, state: v.nullable(v.string()) })),
})

function choiceRecord({ name, guard, target, actions }: Choice): Shown {
  return { name, guard: guard ?? null, target: target ?? null, actions }
}

function entryRecord(hold: Hold | null): Json {
  if (hold === null) return null
  const { amount, capturedAt } = hold
  if (capturedAt === undefined) return { state: 'held', amount, capturedAt: null }
  return { state: 'captured', amount, capturedAt: iso(capturedAt) }
}

function rowRecord({ gate, amount, hold }: Row): Shown {
  return { gate, amount, entry: entryRecord(hold) }
}

export function inspectedRecord({ actor, context, concealed, waitsFor, messages, rows }: Inspected): Shown {
  const { ref, version, revision, state } = actor
  const { ask, call, wakeAt } = waitsFor
  return {
    machine: kindOf(ref),
    id: idOf(ref),
    version,
    revision,
    state,
    context,
    concealed,
    waitsFor: { ask: ask && { ...ask }, call, wakeAt: wakeAt === null ? null : iso(wakeAt) },
    messages: messages.map(({ message, choices }) => ({ message, choices: choices.map(choiceRecord) })),
    rows: rows.map(rowRecord),
  }
}

export function historyEntryRecord(entry: HistoryEntry): Shown {
  return entry as unknown as Shown
}

export function storyRecord({ isWhole, participants, lines, rows }: Story): Shown {
  const shownRows = rows.map(({ state, ...row }) => ({ ...rowRecord(row), state }))
  return {
    complete: isWhole,
    participants: participants as unknown as Json,
    lines: lines as unknown as Json,
    rows: shownRows,
  }
}
