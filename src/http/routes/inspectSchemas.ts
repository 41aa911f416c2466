// Schemas and records of the machine routes' answers: states, choices, holds at gates, entries of a history.
import * as v from 'valibot'
import { idOf, kindOf } from '../../actor/actor.js'
import type { GateHold, Inspected } from '../../commands/audit/inspection.js'
import type { Story } from '../../commands/audit/history.js'
import type { Choice } from '../../inspect/outline.js'
import type { HistoryEntry } from '../../inspect/history.js'
import { iso } from '../server/respond.js'
import { freeObject, recordSchema } from '../input/schemas.js'

const choiceSchema = v.object({
  name: v.string(),
  guard: v.nullable(v.string()),
  target: v.nullable(v.string()),
  actions: v.array(v.string()),
})
const levelSchema = v.picklist(['none', 'held', 'permitted', 'captured'])
const holdSchema = v.object({
  gate: v.string(),
  amount: v.number(),
  level: v.nullable(v.picklist(['held', 'captured'])),
  capturedAt: v.nullable(v.string()),
})
/** Which gate refused the actor's last command, and why. */
const refusedEntries = { refusedBy: v.nullable(v.string()), causes: v.array(v.unknown()) }

export const machineListSchema = recordSchema('Machines', {
  machines: v.array(
    v.object({
      name: v.string(),
      version: v.number(),
      initial: v.string(),
      states: v.array(
        v.object({
          path: v.string(),
          status: v.nullable(v.string()),
          holds: v.nullable(levelSchema),
          calls: v.nullable(v.string()),
          /** By the kind of the gate: the message that it gets. */
          tells: v.nullable(v.record(v.string(), v.string())),
          wakesAt: v.nullable(v.string()),
        }),
      ),
      messages: v.array(v.string()),
    }),
  ),
})

export const inspectedSchema = recordSchema('InspectedActor', {
  machine: v.string(),
  id: v.string(),
  version: v.number(),
  revision: v.number(),
  state: v.string(),
  context: freeObject,
  concealed: v.array(v.string()),
  waitsFor: v.object({ call: v.nullable(v.string()), wakeAt: v.nullable(v.string()) }),
  messages: v.array(v.object({ message: v.string(), choices: v.array(choiceSchema) })),
  holds: v.array(holdSchema),
  ...refusedEntries,
})

const changedSchema = v.object({ field: v.string(), from: v.unknown(), to: v.unknown() })
export const retoldSchema = recordSchema('HistoryEntry', {
  sequence: v.number(),
  at: v.string(),
  action: v.string(),
  by: v.object({ type: v.string(), id: v.string() }),
  requestId: v.nullable(v.string()),
  message: v.string(),
  from: v.nullable(v.string()),
  to: v.string(),
  holds: v.nullable(levelSchema),
  changed: v.array(changedSchema),
  choice: v.nullable(v.string()),
  guard: v.nullable(v.string()),
  passedOver: v.array(v.string()),
  actions: v.array(v.string()),
  refusal: v.nullable(v.string()),
  ...refusedEntries,
  gate: v.nullable(v.string()),
  events: v.array(v.string()),
})

export const storySchema = recordSchema('ActorStory', {
  complete: v.boolean(),
  participants: v.array(v.object({ id: v.string(), kind: v.string(), name: v.nullable(v.string()) })),
  lines: v.array(
    v.object({
      sequence: v.number(),
      at: v.string(),
      kind: v.picklist(['command', 'refusal', 'state', 'event']),
      from: v.string(),
      to: v.string(),
      text: v.string(),
      reasons: v.array(v.string()),
    }),
  ),
  holds: v.array(v.object({ ...holdSchema.entries, state: v.nullable(v.string()) })),
  ...refusedEntries,
})

function choiceRecord({ name, guard, target, actions }: Choice): v.InferOutput<typeof choiceSchema> {
  return { name, guard: guard ?? null, target: target ?? null, actions }
}

function holdRecord<Hold extends GateHold>({
  capturedAt,
  ...hold
}: Hold): Omit<Hold, 'capturedAt'> & { capturedAt: string | null } {
  return { ...hold, capturedAt: capturedAt === null ? null : iso(capturedAt) }
}

export function inspectedRecord(inspected: Inspected): v.InferOutput<typeof inspectedSchema> {
  const { actor, context, concealed, waitsFor, messages, holds, refusedBy, causes } = inspected
  const { ref, version, revision, state } = actor
  const { call, wakeAt } = waitsFor
  return {
    machine: kindOf(ref),
    id: idOf(ref),
    version,
    revision,
    state,
    context,
    concealed,
    waitsFor: { call, wakeAt: wakeAt === null ? null : iso(wakeAt) },
    messages: messages.map(({ message, choices }) => ({ message, choices: choices.map(choiceRecord) })),
    holds: holds.map(holdRecord),
    refusedBy,
    causes,
  }
}

export function historyEntryRecord(entry: HistoryEntry): v.InferOutput<typeof retoldSchema> {
  return entry
}

export function storyRecord({ isWhole, holds, ...story }: Story): v.InferOutput<typeof storySchema> {
  return { complete: isWhole, ...story, holds: holds.map(holdRecord) }
}
