// Toy charts for the kernel's tests: an order with gates, tills that refuse what they are told to, a wall that takes no
// ask, and actors with a unique name. Their ledger is memory.
import { assign, setup, type AnyStateMachine } from 'xstate'
import type { Actor, Message } from '../../src/actor/actor.js'
import { Attempt, type Ledger, type AttemptChanges } from '../../src/actor/attempt.js'
import type { KeyOwner } from '../../src/actor/overlay.js'
import { createTurns, type ChartBook } from '../../src/actor/turn.js'
import type { Gate, GateMessage, Hold, Ref, TurnFields } from '../../src/domain/limits/gate.js'
import type { Violation } from '../../src/domain/outcomes/violation.js'

export const SENDER = { type: 'test', id: 'client' }
const REFUSAL: Violation = { type: 'DAILY_LIMIT', message: 'The till is closed' }

export function message(type: string, fields: Partial<Message> = {}): Message {
  return { type, now: 0, organization: 'o', ...fields }
}

/** `given` is a field of the message. */
const given = (event: unknown, field: string): never => (event as Record<string, unknown>)[field] as never

interface TillContext extends TurnFields {
  organization: string
  held: number
  captured: number
  refuses: string
}

const till = setup({
  types: { context: {} as TillContext, events: {} as Message },
  guards: {
    refuses: ({ context, event }) => context.refuses === event.type,
    objects: ({ context }) => context.refuses === 'OBJECT',
  },
  actions: {
    tell: assign(({ event }) => ({ organization: event.organization, refuses: given(event, 'refuses') })),
    refuse: assign({ violations: [REFUSAL] }),
    hold: assign(({ context, event }) => {
      const { amount, organization } = event as unknown as GateMessage
      return { organization, hold: { amount }, held: context.held + amount }
    }),
    capture: assign(({ context: { hold, held, captured } }) => {
      return { hold: { ...hold!, capturedAt: 1 }, held: held - hold!.amount, captured: captured + hold!.amount }
    }),
    restore: assign(({ context: { hold, held, captured } }) => {
      return { hold: { amount: hold!.amount }, held: held + hold!.amount, captured: captured - hold!.amount }
    }),
    release: assign(({ context: { hold, held, captured } }) => {
      const isTaken = hold!.capturedAt !== undefined
      return { hold: null, ...(isTaken ? { captured: captured - hold!.amount } : { held: held - hold!.amount }) }
    }),
  },
}).createMachine({
  id: 'till',
  context: {
    organization: '',
    held: 0,
    captured: 0,
    refuses: '',
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'kept',
  states: {
    kept: {
      on: {
        TELL: { actions: 'tell' },
        RESERVE: [
          { guard: 'refuses', actions: 'refuse' },
          { guard: 'objects', actions: ['hold', 'refuse'] },
          { actions: 'hold' },
        ],
        CAPTURE: [{ guard: 'refuses', actions: 'refuse' }, { actions: 'capture' }],
        RESTORE: [{ guard: 'refuses', actions: 'refuse' }, { actions: 'restore' }],
        SETTLE: { actions: 'capture' },
        RECONCILE: {},
        RELEASE: { actions: 'release' },
        BREAK: { target: 'broken' },
      },
    },
    broken: {},
  },
})

interface OrderContext extends TurnFields {
  organization: string
  id: string
  gates: Gate[]
  holds: Hold[]
  refusedBy: string
  over: number
}

const order = setup({
  types: { context: {} as OrderContext, events: {} as Message },
  guards: {
    due: ({ context, event }) => event.now >= context.over,
    byReserve: ({ event }) => given(event, 'ask') === 'RESERVE',
  },
  actions: {
    file: assign(({ context, event }) => {
      const command: Message = event.type === 'REFUSED' ? given(event, 'command') : event
      const { organization, events } = { organization: event.organization, events: [...context.events, 'order.filed'] }
      return { organization, id: 'p', gates: given(command, 'gates'), over: given(command, 'over') ?? 1_000, events }
    }),
    add: assign(({ context, event }) => ({ gates: [...context.gates, given(event, 'gate')] })),
    note: assign(({ event }) => ({ refusedBy: `${given(event, 'ask')} ${given(event, 'by')}` })),
    reject: assign({ refusal: 'LIMIT_EXCEEDED' as const }),
    expire: assign({ refusedBy: 'time' }),
  },
}).createMachine({
  id: 'order',
  context: {
    organization: '',
    id: '',
    gates: [],
    holds: [],
    refusedBy: '',
    over: 0,
    hold: null,
    violations: [],
    refusal: null,
    events: [],
  },
  initial: 'created',
  states: {
    created: {
      meta: { hold: 'none' },
      on: {
        OPEN: { target: 'open', actions: 'file' },
        BUY: { target: 'paid', actions: 'file' },
        REFUSED: [
          { guard: 'byReserve', target: 'ended', actions: ['file', 'note'] },
          { target: 'open', actions: ['file', 'note', 'reject'] },
        ],
      },
    },
    open: {
      meta: { hold: 'held', wakeAt: 'over' },
      on: {
        PAY: { target: 'paid' },
        PERMIT: { target: 'permitted' },
        ADD: { actions: 'add' },
        END: { target: 'ended' },
        REFUSED: { actions: ['note', 'reject'] },
        WAKE: { guard: 'due', target: 'ended', actions: 'expire' },
      },
    },
    permitted: {
      meta: { hold: 'permitted' },
      on: { SETTLE: { target: 'paid' }, END: { target: 'ended' } },
    },
    paid: {
      meta: { hold: 'captured', tell: { till: 'RECONCILE' } },
      on: { UNDO: { target: 'open' }, END: { target: 'ended' }, REFUSED: { target: 'ended', actions: 'note' } },
    },
    ended: { meta: { hold: 'none' } },
  },
})

const named = setup({
  types: {
    context: {} as TurnFields & { organization: string; name: string; updatedAt: number },
    events: {} as Message,
  },
  actions: {
    name: assign(({ context, event }) => {
      return { organization: event.organization, name: given(event, 'name'), events: [...context.events, 'named'] }
    }),
    reject: assign({ refusal: 'INVALID_STATUS' as const }),
    touch: assign({ updatedAt: 1 }),
  },
}).createMachine({
  id: 'named',
  context: { organization: '', name: '', updatedAt: 0, hold: null, violations: [], refusal: null, events: [] },
  initial: 'absent',
  states: {
    absent: { on: { NAME: { target: 'kept', actions: 'name' }, SPEND: { target: 'ended', actions: 'name' } } },
    kept: {
      on: {
        NAME: { actions: 'name' },
        REFUSE: { actions: ['name', 'reject'] },
        TOUCH: { actions: ['touch', 'reject'] },
        END: { target: 'ended' },
      },
    },
    ended: {},
  },
})

const organization = setup({
  types: { context: {} as TurnFields & { organization: string }, events: {} as Message },
  actions: {
    begin: assign(({ event }) => ({ organization: event.organization })),
    refuse: assign({ violations: [REFUSAL] }),
  },
}).createMachine({
  id: 'organization',
  context: { organization: '', hold: null, violations: [], refusal: null, events: [] },
  initial: 'absent',
  states: {
    absent: { on: { CREATE: { target: 'active', actions: 'begin' } } },
    active: { on: { ADMIT: {}, FREEZE: { target: 'frozen' } } },
    frozen: { on: { ADMIT: { actions: 'refuse' } } },
  },
})

const wall = setup({
  types: { context: {} as TurnFields & { organization: string }, events: {} as Message },
}).createMachine({
  id: 'wall',
  context: { organization: '', hold: null, violations: [], refusal: null, events: [] },
  initial: 'kept',
  states: { kept: {} },
})

const chart = (machine: AnyStateMachine) => ({ machine, version: 1 })
const nameIn = ({ context }: Pick<Actor, 'context'>): string => (context as { name?: string }).name!
const toys: ChartBook = {
  till: chart(till),
  order: chart(order),
  organization: chart(organization),
  wall: chart(wall),
  named: {
    ...chart(named),
    keys: (actor) => (actor.state === 'kept' ? [`name ${nameIn(actor)}`] : []),
    taken: 'ALREADY_DECIDED',
  },
  /** Its key names its last holder while nobody has it. */
  counted: {
    ...chart(named),
    keys: (actor) => (actor.state === 'kept' ? [`count ${nameIn(actor)}`] : []),
    formerKeys: (actor) => (actor.state === 'ended' ? [`count ${nameIn(actor)}`] : []),
    taken: 'ALREADY_DECIDED',
  },
}

/** Commits to memory, and keeps what it was given. */
export class MemoryLedger implements Ledger {
  readonly actors = new Map<Ref, Actor>()
  readonly keys = new Map<string, KeyOwner>()
  readonly commits: AttemptChanges[] = []
  /** Gates and their asks, in the order in which they were asked. */
  readonly asked: string[] = []

  begin(): Attempt {
    const take = createTurns(toys)
    const spy: typeof take = (ref, actor, hold, sent) => {
      const isAsk = 'holder' in sent || sent.type === 'ADMIT'
      if (isAsk) this.asked.push(`${sent.type} ${ref}`)
      return take(ref, actor, hold, sent)
    }
    return new Attempt(toys, spy, this, SENDER)
  }

  /** Sends each message in a commit of its own. */
  async sent(...letters: [Ref, Message][]): Promise<void> {
    for (const [ref, one] of letters) {
      const attempt = this.begin()
      attempt.send(ref, one)
      await attempt.commit()
    }
    this.asked.length = 0
  }

  actor<K extends string>(ref: Ref<K>): Actor<K> | undefined {
    return this.actors.get(ref) as Actor<K> | undefined
  }

  keyOwner(key: string): KeyOwner | undefined {
    return this.keys.get(key)
  }

  timesHeld(): number[] {
    return []
  }

  revision(): number {
    return this.commits.length
  }

  lastSequence(): number {
    return this.commits.reduce((sum, { audited }) => sum + audited.length, 0)
  }

  async commit(made: AttemptChanges): Promise<void> {
    this.commits.push(made)
    for (const { after } of made.actors) this.actors.set(after.ref, after)
    for (const [key, owner] of made.keys) {
      if (owner) this.keys.set(key, owner)
      else this.keys.delete(key)
    }
  }

  async flushed(): Promise<void> {}
}
