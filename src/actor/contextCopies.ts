// Copies and compares contexts with functions generated for each chart. V8 runs such a function at full speed while it
// meets objects of one shape, and twenty times slower once it meets the contexts of all charts. The functions are
// generated from the names of the context's fields and nothing else.
import type { AnyStateMachine } from 'xstate'
import type { Hold, TurnFields } from '../domain/limits/gate.js'
import type { Actor } from './actor.js'

export type StoredContext = Actor['context']
export type StoredFields = TurnFields & { [field: string]: unknown }

export interface Shape {
  /** Copies a stored context and adds the fields of one turn. */
  begun(context: StoredContext, hold: Hold | null): StoredFields
  /** Copies a context without the fields of the turn. */
  ended(context: StoredFields): StoredContext
  /** True when a stored field has another value. */
  differ(context: StoredFields, from: StoredContext): boolean
  /** The context of an actor that does not exist yet. */
  initial: StoredContext
}

/** Fields that exist during one turn and are never stored. */
export const TURN_FIELDS = ['hold', 'violations', 'refusal', 'events']
const NAME = /^[A-Za-z]+$/

const shapes = new WeakMap<AnyStateMachine, Shape>()

export function shapeOf(machine: AnyStateMachine): Shape {
  let shape = shapes.get(machine)
  if (!shape) {
    shape = buildShape(machine)
    shapes.set(machine, shape)
  }
  return shape
}

function buildShape({ id, config }: AnyStateMachine): Shape {
  const initial = config.context as StoredFields
  const fields = Object.keys(initial).filter((field) => !TURN_FIELDS.includes(field))
  const invalid = fields.find((field) => !NAME.test(field))
  if (invalid !== undefined) throw new Error(`Chart ${id} has a field with the name ${invalid}`)
  const copied = fields.map((field) => `${field}: context.${field}`).join(', ')
  const other = fields.map((field) => `context.${field} !== from.${field}`).join(' || ')
  const ended = new Function('context', `return { ${copied} }`) as Shape['ended']
  return {
    begun: new Function(
      'context, hold',
      `return { ${copied}, hold, violations: [], refusal: null, events: [] }`,
    ) as Shape['begun'],
    ended,
    differ: new Function('context, from', `return ${other}`) as Shape['differ'],
    initial: ended(initial),
  }
}
