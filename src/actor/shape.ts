// Copies and compares the contexts of one chart. V8 does that at the speed of the machine in a function that meets
// objects of one shape only, and twenty times slower in one that meets those of all charts, so each chart has functions
// of its own. They are made from the names of its context's fields and of nothing else.
import type { AnyStateMachine } from 'xstate'
import type { Entry, Passing } from '../domain/gate.js'
import type { Actor } from './actor.js'

export type Lasting = Actor['context']
export type Context = Passing & { [field: string]: unknown }

export interface Shape {
  /** A copy for one turn, with what lives only during it. */
  begun(context: Lasting, entry: Entry | null): Context
  /** A copy without that. */
  ended(context: Context): Lasting
  /** True when a field that lasts is another one. */
  differ(context: Context, from: Lasting): boolean
  /** Of an actor that does not exist yet. */
  initial: Lasting
}

/** Of a turn alone; nothing of them is kept. */
export const PASSING = ['entry', 'violations', 'refusal', 'events']
const NAME = /^[A-Za-z]+$/

const shapes = new WeakMap<AnyStateMachine, Shape>()

export function shapeOf(machine: AnyStateMachine): Shape {
  let shape = shapes.get(machine)
  if (!shape) {
    shape = madeFor(machine)
    shapes.set(machine, shape)
  }
  return shape
}

function madeFor({ id, config }: AnyStateMachine): Shape {
  const initial = config.context as Context
  const fields = Object.keys(initial).filter((field) => !PASSING.includes(field))
  const unfit = fields.find((field) => !NAME.test(field))
  if (unfit !== undefined) throw new Error(`Chart ${id} has a field with the name ${unfit}`)
  const copied = fields.map((field) => `${field}: context.${field}`).join(', ')
  const other = fields.map((field) => `context.${field} !== from.${field}`).join(' || ')
  const ended = new Function('context', `return { ${copied} }`) as Shape['ended']
  return {
    begun: new Function(
      'context, entry',
      `return { ${copied}, entry, violations: [], refusal: null, events: [] }`,
    ) as Shape['begun'],
    ended,
    differ: new Function('context, from', `return ${other}`) as Shape['differ'],
    initial: ended(initial),
  }
}
