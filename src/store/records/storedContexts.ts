// Contexts as they are stored: without the fields that are as in a new actor of the kind, and without what follows from
// the actor's name and order.
import { idOf, kindOf, type Actor } from '../../actor/actor.js'
import { shapeOf } from '../../actor/contextCopies.js'
import type { ChartBook } from '../../actor/turn.js'
import type { Ref } from '../../domain/limits/gate.js'
import { unimplied, type Fields } from './fields.js'
import { ORDERS_PER_MS } from './keys.js'

/** Fields that follow from the name and the order of most actors. */
const FOLLOWING = ['id', 'createdAt', 'updatedAt']

/** What is known of the contexts of a kind. */
interface Form {
  /** The context of an actor that does not exist yet. */
  initial: Fields
  /** The fields that are stored, but where they are as in `initial`. */
  own: readonly string[]
  following: readonly string[]
  /** The fields that change with what actors of the kind count. */
  counted: readonly string[]
  /** Those of `own` that do not. */
  lasting: readonly string[]
}

export class StoredContexts {
  readonly #forms = new Map<string, Form>()

  constructor(book: ChartBook) {
    for (const [kind, { machine, counted = [] }] of Object.entries(book)) {
      const initial = shapeOf(machine).initial as unknown as Fields
      const fields = Object.keys(initial)
      const own = fields.filter((field) => !FOLLOWING.includes(field))
      const lasting = own.filter((field) => !counted.includes(field))
      this.#forms.set(kind, {
        initial,
        own,
        following: fields.filter((field) => !own.includes(field)),
        counted,
        lasting,
      })
    }
  }

  reduced(actor: Actor): Fields {
    const form = this.#form(actor.ref)
    return this.#with(form.own, form, actor)
  }

  /** Without what the actor counts. */
  lasting(actor: Actor): Fields {
    const form = this.#form(actor.ref)
    return this.#with(form.lasting, form, actor)
  }

  /** What the actor counts, and nothing else. */
  counts({ ref, context }: Actor): Fields {
    const { counted, initial } = this.#form(ref)
    return unimplied(counted, context as unknown as Fields, initial)
  }

  expanded(ref: Ref, kept: Fields): Actor['context'] {
    const { initial, following } = this.#form(ref)
    const context: Fields = { ...initial, ...kept }
    for (const field of following) if (kept[field] === undefined) context[field] = followingValue(field, ref, context)
    return context as unknown as Actor['context']
  }

  /** The context of an actor of the kind that does not exist yet. */
  initial(ref: Ref): object {
    return this.#form(ref).initial
  }

  countedFields(ref: Ref): readonly string[] {
    return this.#form(ref).counted
  }

  #with(names: readonly string[], { initial, following }: Form, { ref, context }: Actor): Fields {
    const fields = context as unknown as Fields
    const kept = unimplied(names, fields, initial)
    for (const field of following) {
      if (fields[field] !== followingValue(field, ref, fields)) kept[field] = fields[field]
    }
    return kept
  }

  #form(ref: Ref): Form {
    const form = this.#forms.get(kindOf(ref))
    if (form === undefined) throw new Error(`There is no chart for ${ref}`)
    return form
  }
}

/** `fields` has the order, and for `updatedAt` the time of the actor's making. */
function followingValue(field: string, ref: Ref, { order, createdAt }: Fields): string | number {
  if (field === 'id') return idOf(ref)
  return field === 'updatedAt' ? (createdAt as number) : Math.floor((order as number) / ORDERS_PER_MS)
}
