// Shows engineers an actor as it stands, what it waits for and which messages it can take, and tries messages on
// copies. It never changes an actor.
import { charts, type Kind } from '../../machines/index.js'
import { kindOf, type Actor, type Message } from '../actor/actor.js'
import { answerOf, dueWake, pendingAsk, type Ask } from '../actor/drive.js'
import { oneByOne } from '../actor/oneByOne.js'
import { callOf, createTake, wakeAtOf } from '../actor/turn.js'
import type { Json } from '../domain/canonical.js'
import type { Entry, Gate, Ref } from '../domain/gate.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { choicesFor, messagesFor, type Choice } from '../inspect/outline.js'
import { changedBetween, shownContext, type Changed, type Fields } from '../inspect/shown.js'
import { traceCourse, traceTurn, type Course, type TurnTrace } from '../inspect/turnTrace.js'
import type { Caller, Services } from './ports.js'

const take = createTake(charts)

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
  holder: string
  amount: number
  entry: Entry | null
}

/** The rows that the actor's gates keep for it, in the order of asking. */
export function rowsOf({ query }: Services, { context }: Actor): Promise<Row[]> {
  const gates = (context['gates'] ?? []) as unknown as Gate[]
  return Promise.all(
    gates.map(async ({ ref, holder, amount }) => {
      return { gate: ref, holder, amount, entry: (await query.entry(ref, holder)) ?? null }
    }),
  )
}

export interface Inspected {
  actor: Actor
  context: Fields
  concealed: string[]
  waitsFor: { ask: { type: string; to: Ref } | null; call: string | null; wakeAt: number | null }
  messages: { message: string; choices: Choice[] }[]
  rows: Row[]
}

export async function inspectActor(services: Services, actor: Actor): Promise<Inspected> {
  const kind = kindOf(actor.ref) as Kind
  const { machine } = charts[kind]
  const ask = pendingAsk(charts, actor, services.now())
  return {
    actor,
    ...shownContext(kind, actor.context),
    waitsFor: {
      ask: ask ? { type: ask.message.type, to: ask.to } : null,
      call: callOf(charts, actor) ?? null,
      wakeAt: wakeAtOf(charts, actor) ?? null,
    },
    messages: messagesFor(machine, actor.state).map((message) => {
      return { message, choices: choicesFor(machine, actor.state, message) }
    }),
    rows: await rowsOf(services, actor),
  }
}

export interface SimulatedMessage {
  /** The message, with its type. */
  message: { [field: string]: Json | undefined; type: string }
  /** Epoch ms. */
  at: number | undefined
  /** Continue with the gates' answers until the actor rests. */
  untilRest: boolean
}

export interface Outcome {
  ok: true
  /** The turn of a WAKE that was due, if any, then those of the message. */
  turns: TurnTrace[]
  /** Index in `turns` of the message's first turn. */
  own: number
  /** Changes by all turns together. */
  changed: Changed[]
  state: string
  context: Fields
  concealed: string[]
}

/** More asks than any command makes; a made-up message may name any number of gates. */
const MAX_ASKS = 400

/** One trial of an organization at a time, so that payments are decided meanwhile. */
const inTurn = oneByOne()

/** The effect of a message on an actor, by the kernel's own turns in memory. Nothing is kept. */
export function simulateMessage(
  services: Services,
  actor: Actor,
  simulated: SimulatedMessage,
): Promise<Outcome | Refused> {
  return inTurn(String(actor.context['organization']), async () => {
    const [current = actor] = await services.host.read([actor.ref])
    return simulate(services, current, simulated)
  })
}

async function simulate(
  services: Services,
  actor: Actor,
  { message, at, untilRest }: SimulatedMessage,
): Promise<Outcome | Refused> {
  const organization = String(actor.context['organization'])
  const command: Message = { ...message, now: at ?? services.now(), organization }
  try {
    const wake = dueWake(charts, actor, command)
    const woken = wake ? await courseOf(services, actor, wake) : { turns: [], actor }
    const course = woken && (await (untilRest ? courseOf : turnOf)(services, woken.actor, command))
    if (!course) return noMessage(`makes the actor ask its gates more than ${MAX_ASKS} times`)
    const [turns, own] = [[...woken.turns, ...course.turns], woken.turns.length]
    const { ref, state, context } = course.actor
    const kind = kindOf(ref)
    const changed = changedBetween(kind, actor.context, context)
    return { ok: true, turns, own, changed, state, ...shownContext(kind, context) }
  } catch {
    // An error thrown at a made-up message may reveal another organization's data.
    return noMessage('is none that the chart can take')
  }
}

function noMessage(why: string): Refused {
  return refuse('VALIDATION_ERROR', `message: ${why}`, { details: [{ path: 'message', message: why }] })
}

/** The gate's row for the holder named in the message. */
async function rowFor({ query }: Services, { ref }: Actor, { holder }: Message): Promise<Entry | undefined> {
  return holder === undefined ? undefined : query.entry(ref, holder)
}

async function turnOf(services: Services, actor: Actor, command: Message): Promise<Course> {
  const entry = await rowFor(services, actor, command)
  const turn = take(actor.ref, actor, entry, command)
  return { turns: [traceTurn(charts, actor.ref, { actor, entry }, command, turn)], actor: turn.actor }
}

/** Undefined where the actor asks too often. */
async function courseOf(services: Services, actor: Actor, message: Message): Promise<Course | undefined> {
  const sandbox = new Sandbox(services)
  const entry = await rowFor(services, actor, message)
  const course = traceCourse(charts, take, actor.ref, actor, { message, entry })
  let step = course.next()
  for (let asks = 0; !step.done; asks += 1) {
    if (asks === MAX_ASKS) return undefined
    step = course.next(await sandbox.answer(step.value))
    await services.breathe()
  }
  return step.value
}

/** Copies of gates, changed by the turns of one trial. */
class Sandbox {
  readonly #services: Services
  readonly #actors = new Map<Ref, Actor | undefined>()
  readonly #entries = new Map<string, Entry | undefined>()

  constructor(services: Services) {
    this.#services = services
  }

  async answer({ to, message }: Ask): Promise<Message> {
    const holder = message.holder ?? ''
    const row = `${to} ${holder}`
    if (!this.#actors.has(to)) this.#actors.set(to, await this.#own(to, message.organization))
    if (!this.#entries.has(row)) {
      this.#entries.set(row, this.#actors.get(to) && (await this.#services.query.entry(to, holder)))
    }
    const entry = this.#entries.get(row)
    const turn = take(to, this.#actors.get(to), entry, message)
    if (turn.changed) this.#actors.set(to, turn.actor)
    this.#entries.set(row, turn.entry ?? entry)
    return answerOf(message, turn, turn.entry ?? entry)
  }

  /** A made-up message may name gates of other organizations; those do not exist here. */
  async #own(ref: Ref, organization: string): Promise<Actor | undefined> {
    const [actor] = await this.#services.host.read([ref])
    return actor?.context['organization'] === organization ? actor : undefined
  }
}
