// A toy chart in three versions. The second renames a field and the state, adds a field, and stores what it counts
// apart; the third has another default, nests a field, and stores all fields together again.
import { assign, setup } from 'xstate'
import type { Message } from '../../src/actor/actor.js'
import type { ChartBook, KernelChart } from '../../src/actor/turn.js'
import type { TurnFields } from '../../src/domain/limits/gate.js'
import type { MigrationSteps } from '../../src/domain/values/migration.js'

const RECORD = { id: '', organization: '', createdAt: 0, updatedAt: 0, order: 0 }

/** The context of a new shelf, by version. */
const CONTEXTS: { [version: number]: object } = {
  1: { ...RECORD, label: 'none', books: 0, note: null },
  2: { ...RECORD, name: 'none', books: 0, note: null, colour: 'white' },
  3: { ...RECORD, name: '', stock: {}, note: null, colour: 'grey' },
}

const COUNTED: { [version: number]: readonly string[] } = { 2: ['books'] }

function machineOf(version: number) {
  const context = { ...CONTEXTS[version]!, hold: null, violations: [], refusal: null, events: [] }
  const stored = version === 1 ? 'kept' : 'open'
  return setup({
    types: { context: {} as TurnFields, events: {} as Message },
    actions: { set: assign(({ event }) => event['fields'] as object) },
  }).createMachine({
    id: 'shelf',
    context: context as TurnFields,
    initial: 'absent',
    states: {
      absent: { meta: { gone: true }, on: { MAKE: { target: stored, actions: 'set' } } },
      [stored]: { on: { SET: { actions: 'set' } } },
    },
  })
}

export const SHELF_STEPS: MigrationSteps = {
  1: {
    defaults: { context: { label: 'none', name: undefined, colour: undefined } },
    step: ({ state, context: { label, ...others } }) => {
      return { state: state === 'kept' ? 'open' : state, context: { ...others, name: label } }
    },
  },
  2: {
    defaults: { context: { name: 'none', books: 0, stock: undefined, colour: 'white' } },
    step: ({ state, context: { books, ...others } }) => ({ state, context: { ...others, stock: { books } } }),
  },
}

export function shelf(version: number, steps: MigrationSteps = SHELF_STEPS): KernelChart {
  return { machine: machineOf(version), version, counted: COUNTED[version] ?? [], steps }
}

export function shelves(version: number): ChartBook {
  return { shelf: shelf(version) }
}
