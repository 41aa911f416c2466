// Shows engineers an actor as it stands, what it waits for, what it holds at its gates and which messages it can take. It
// never changes an actor.
import { stopOf } from '../../domain/payment/terms.js'
import { charts, type Kind } from '../../../machines/index.js'
import { fieldsOf, kindOf, type Actor } from '../../actor/actor.js'
import { metaOfActor, wakeAtOf } from '../../actor/turn.js'
import { isCaptured, type Gate, type Hold, type Ref } from '../../domain/limits/gate.js'
import type { PaymentContext } from '../../../machines/payment/context.js'
import { refuse, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import type { Violation } from '../../domain/outcomes/violation.js'
import { choicesFor, messagesFor, type Choice } from '../../inspect/outline.js'
import { shownContext, type ShownFields } from '../../inspect/shown.js'
import type { Caller, Services } from '../ports.js'

export function isMachine(name: string): name is Kind {
  return Object.hasOwn(charts, name)
}

export const noMachine = (name: string): Refused<'NOT_FOUND'> => refuse('NOT_FOUND', `There is no machine ${name}`)

/** An actor of the caller's organization, also one that is gone. */
export async function findActor(
  { host }: Services,
  { principal }: Caller,
  machine: string,
  id: string,
): Promise<Result<Actor, 'NOT_FOUND'>> {
  const [actor] = isMachine(machine) && /^\w+$/.test(id) ? await host.read([`${machine}/${id}`]) : []
  const isOwn = actor?.context.organization === principal.organization
  return actor && isOwn ? succeed(actor) : refuse('NOT_FOUND', `There is no ${machine} ${id}`)
}

/** What an actor holds at one of its gates. */
export interface GateHold {
  gate: Ref
  amount: number
  /** Null where it holds nothing: nothing was reserved, or it was released. */
  level: 'held' | 'captured' | null
  /** Epoch ms. */
  capturedAt: number | null
}

/** What an actor's gates hold for it, in the order of asking, and which of them refused its last command. */
export interface AtGates {
  holds: GateHold[]
  /** The kind of the gate; null where none refused. */
  refusedBy: string | null
  /** Why the gate refused, or why the facts denied it. */
  causes: Violation[]
}

export function atGates({ context }: Actor): AtGates {
  const { gates = [], holds = [], refusedBy = null, ...payment } = context as Partial<PaymentContext>
  const causes = stopOf({ refusedBy, ...payment })
  return { holds: gates.map((gate, place) => gateHold(gate, holds[place])), refusedBy, causes }
}

function gateHold({ ref, amount }: Gate, hold: Hold | undefined): GateHold {
  if (hold === undefined) return { gate: ref, amount, level: null, capturedAt: null }
  const level = isCaptured(hold) ? 'captured' : 'held'
  return { gate: ref, amount: hold.amount, level, capturedAt: hold.capturedAt ?? null }
}

/** The gates that an actor has asked, in their order. */
export function gatesHeldBy({ context }: Actor): Ref[] {
  const { gates = [] } = context as Partial<PaymentContext>
  return gates.map(({ ref }) => ref)
}

export interface Inspected extends AtGates {
  actor: Actor
  context: ShownFields
  concealed: string[]
  waitsFor: { call: string | null; wakeAt: number | null }
  messages: { message: string; choices: Choice[] }[]
}

export function inspectActor(actor: Actor): Inspected {
  const kind = kindOf(actor.ref) as Kind
  const { machine } = charts[kind]
  return {
    actor,
    ...shownContext(kind, fieldsOf(actor) as ShownFields),
    ...atGates(actor),
    waitsFor: { call: metaOfActor(charts, actor).call ?? null, wakeAt: wakeAtOf(charts, actor) ?? null },
    messages: messagesFor(machine, actor.state).map((message) => {
      return { message, choices: choicesFor(machine, actor.state, message) }
    }),
  }
}
