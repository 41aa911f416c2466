// Contexts as they are stored: without the fields that are as in a new actor of the kind, and without what follows from
// the actor's name and order. Those of earlier versions of a chart are read as the present one has them.
import { fieldsOf, idOf, kindOf, type Actor } from '../../actor/actor.js'
import { shapeOf } from '../../actor/contextCopies.js'
import type { ChartBook } from '../../actor/turn.js'
import type { Ref } from '../../domain/limits/gate.js'
import {
  defaultsAt,
  migrated,
  versionsWithoutStep,
  type Defaults,
  type Snapshot,
  type StoredPart,
  type Versioned,
} from '../../domain/values/migration.js'
import type { ContextOf } from '../../domain/values/kinds.js'
import { LaterVersion } from '../migration/laterVersion.js'
import { unimplied, type Fields } from './fields.js'
import { ORDERS_PER_MS } from '../../domain/values/ids.js'

/** Fields that follow from the name and the order of most actors. */
const FOLLOWING = ['id', 'createdAt', 'updatedAt']

/** What is known of the contexts of a kind. */
interface Form {
  chart: Versioned
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

type PartDefaults<Part extends StoredPart> = { readonly [P in Part]: Defaults }

export class StoredContexts {
  readonly #forms = new Map<string, Form>()

  /** Throws for a chart that lacks a step from an earlier version. */
  constructor(book: ChartBook) {
    for (const [kind, chart] of Object.entries(book)) {
      const [from] = versionsWithoutStep(chart)
      if (from !== undefined) throw new Error(`The chart of ${kind} has no step from version ${from} to ${from + 1}`)
      const { machine, counted = [] } = chart
      const initial = fieldsOf({ context: shapeOf(machine).initial })
      const fields = Object.keys(initial)
      const own = fields.filter((field) => !FOLLOWING.includes(field))
      const lasting = own.filter((field) => !counted.includes(field))
      this.#forms.set(kind, { chart, initial, own, following: followingIn(initial), counted, lasting })
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
  counts(actor: Actor): Fields {
    const { counted, initial } = this.#form(actor.ref)
    return unimplied(counted, fieldsOf(actor), initial)
  }

  /**
   * All fields of a context that was stored at this version of the chart, as that version has them. Throws LaterVersion
   * for one that the chart has not reached.
   */
  expanded(ref: Ref, kept: Defaults, version: number): Fields {
    const { chart, initial, following } = this.#form(ref)
    if (version > chart.version) throw new LaterVersion(`${ref} has version`, version, chart.version)
    const isPresent = version === chart.version
    const defaults = isPresent ? initial : defaultsAt(initial, chart, 'context', version)
    const context = { ...defaults, ...kept } as Fields
    for (const field of isPresent ? following : followingIn(defaults)) {
      if (kept[field] === undefined) context[field] = followingValue(field, ref, context)
    }
    return context
  }

  /** What an actor, stored at this version of its chart, is by the present one. */
  present(ref: Ref, stored: Snapshot, version: number): Snapshot {
    const { chart, initial } = this.#form(ref)
    return version === chart.version ? stored : migrated(stored, chart, initial, version)
  }

  /** The same as an actor. A stored context is what its chart made of it, so its kind has the type of it. */
  actor<K extends string>(ref: Ref<K>, revision: number, stored: Snapshot, version: number): Actor<K> {
    const { state, context } = this.present(ref, stored, version)
    return { ref, version: this.version(ref), revision, state, context: context as unknown as ContextOf<K> }
  }

  /** What the parts of an actor leave out that was stored at this version, where they leave out `present` now. */
  defaults<Part extends StoredPart>(ref: Ref, present: PartDefaults<Part>, version: number): PartDefaults<Part> {
    const { chart } = this.#form(ref)
    if (version === chart.version) return present
    const parts = Object.entries<Defaults>(present)
    return Object.fromEntries(
      parts.map(([part, values]) => [part, defaultsAt(values, chart, part as Part, version)]),
    ) as PartDefaults<Part>
  }

  /** The version of the kind's chart. */
  version(ref: Ref): number {
    return this.#form(ref).chart.version
  }

  /** The context of an actor of the kind that does not exist yet. */
  initial(ref: Ref): object {
    return this.#form(ref).initial
  }

  countedFields(ref: Ref): readonly string[] {
    return this.#form(ref).counted
  }

  #with(names: readonly string[], { initial, following }: Form, actor: Actor): Fields {
    const fields = fieldsOf(actor)
    const kept = unimplied(names, fields, initial)
    for (const field of following) {
      if (fields[field] !== followingValue(field, actor.ref, fields)) kept[field] = fields[field]
    }
    return kept
  }

  #form(ref: Ref): Form {
    const form = this.#forms.get(kindOf(ref))
    if (form === undefined) throw new Error(`There is no chart for ${ref}`)
    return form
  }
}

function followingIn(defaults: Defaults): string[] {
  return FOLLOWING.filter((field) => field in defaults)
}

/** `fields` has the order, and for `updatedAt` the time of the actor's making. */
function followingValue(field: string, ref: Ref, { order, createdAt }: Fields): string | number {
  if (field === 'id') return idOf(ref)
  return field === 'updatedAt' ? (createdAt as number) : Math.floor((order as number) / ORDERS_PER_MS)
}
