// StoredContexts as they are stored: without the fields that are as in a new actor of the kind, and without what follows from
// the actor's name and order.
import { idOf, kindOf, type Actor } from '../../actor/actor.js'
import { shapeOf } from '../../actor/contextCopies.js'
import type { ChartBook } from '../../actor/turn.js'
import type { Ref } from '../../domain/limits/gate.js'
import { expanded, reduced, unimplied, type Fields, type Implied } from './fields.js'
import { ORDERS_PER_MS } from './keys.js'

type Made = { order?: number; createdAt?: number }

const NONE: readonly string[] = []
const NOTHING: Implied = {}

export class StoredContexts {
  readonly #book: ChartBook

  constructor(book: ChartBook) {
    this.#book = book
  }

  reduced({ ref, context }: Actor): Fields {
    const { order, createdAt } = context as Made
    const kept = reduced(context, this.#implied(ref, order, createdAt))
    // What follows from the order cannot stand for it.
    if (order !== undefined) kept['order'] = order
    return kept
  }

  expanded(ref: Ref, kept: Fields): Actor['context'] {
    const { order, createdAt } = kept as Made
    return expanded(kept, this.#implied(ref, order, createdAt)) as unknown as Actor['context']
  }

  /** The fields of the kind that change with what its actors count. */
  countedFields(ref: Ref): readonly string[] {
    return this.#book[kindOf(ref)]?.counted ?? NONE
  }

  /** What the actor counts. */
  counts({ ref, context }: Actor): Fields {
    return unimplied(this.countedFields(ref), context as unknown as Fields, this.#initial(ref))
  }

  #initial(ref: Ref): Implied {
    const chart = this.#book[kindOf(ref)]
    return chart === undefined ? NOTHING : (shapeOf(chart.machine).initial as unknown as Implied)
  }

  #implied(ref: Ref, order: number | undefined, createdAt: number | undefined): Implied {
    const initial = this.#initial(ref)
    if (order === undefined) return initial
    const made = Math.floor(order / ORDERS_PER_MS)
    return {
      ...initial,
      ...('id' in initial && { id: idOf(ref) }),
      ...('createdAt' in initial && { createdAt: made }),
      ...('updatedAt' in initial && { updatedAt: createdAt ?? made }),
    }
  }
}
