// Shows engineers an actor as it stands, what it waits for, what it holds at its gates and which messages it can take. It
// never changes an actor.
import { charts, type Kind } from '../../machines/index.js'
import { kindOf, type Actor } from '../actor/actor.js'
import { metaOfActor, wakeAtOf } from '../actor/turn.js'
import type { Gate, Hold, Ref } from '../domain/gate.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { choicesFor, messagesFor, type Choice } from '../inspect/outline.js'
import { shownContext, type Fields } from '../inspect/shown.js'
import type { Caller, Services } from './ports.js'

export function isMachine(name: string): name is Kind {
  return Object.hasOwn(charts, name)
}

export const noMachine = (name: string): Refused => refuse('NOT_FOUND', `There is no machine ${name}`)

/** An actor of the caller's organization, also one that is gone. */
export async function findActor(
  { host }: Services,
  { principal }: Caller,
  machine: string,
  id: string,
): Promise<{ ok: true; actor: Actor } | Refused> {
  const [actor] = isMachine(machine) && /^\w+$/.test(id) ? await host.read([`${machine}/${id}`]) : []
  const isOwn = actor?.context['organization'] === principal.organization
  return actor && isOwn ? { ok: true, actor } : refuse('NOT_FOUND', `There is no ${machine} ${id}`)
}

export interface Row {
  gate: Ref
  amount: number
  hold: Hold | null
}

/** What the actor holds at its gates, in the order of asking. */
export function rowsOf({ context }: Actor): Row[] {
  const { gates = [], holds = [] } = context as unknown as { gates?: Gate[]; holds?: Hold[] }
  return gates.map(({ ref, amount }, place) => ({ gate: ref, amount, hold: holds[place] ?? null }))
}

export interface Inspected {
  actor: Actor
  context: Fields
  concealed: string[]
  waitsFor: { ask: { type: string; to: Ref } | null; call: string | null; wakeAt: number | null }
  messages: { message: string; choices: Choice[] }[]
  rows: Row[]
}

export function inspectActor(actor: Actor): Inspected {
  const kind = kindOf(actor.ref) as Kind
  const { machine } = charts[kind]
  return {
    actor,
    ...shownContext(kind, actor.context),
    waitsFor: {
      ask: null,
      call: metaOfActor(charts, actor).call ?? null,
      wakeAt: wakeAtOf(charts, actor) ?? null,
    },
    messages: messagesFor(machine, actor.state).map((message) => {
      return { message, choices: choicesFor(machine, actor.state, message) }
    }),
    rows: rowsOf(actor),
  }
}
