// Whether an actor is still what a decision was made on.
import { fieldsOf, type Actor } from '../../actor/actor.js'
import type { View } from '../../actor/host.js'
import type { Json } from '../../domain/values/canonical.js'

interface Fields {
  [field: string]: Json | undefined
}

/** In these fields of its context. */
export function isSameContext(is: Actor | undefined, was: object, fields: string[]): boolean {
  return fields.every((field) => isSame(is && fieldsOf(is)[field], (was as Fields)[field]))
}

/** Contexts share unchanged fields by reference, unless the actor was read from disk again. */
function isSame(is: Json | undefined, was: Json | undefined): boolean {
  return is === was || JSON.stringify(is) === JSON.stringify(was)
}

/** In its state and these fields. */
export function isSameActor(view: View, was: Actor, fields: string[]): boolean {
  const is = view(was.ref)
  return is?.state === was.state && isSameContext(is, was.context, fields)
}
