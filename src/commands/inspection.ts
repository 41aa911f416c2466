// What engineers may ask of the machines at work: an actor as it stands, what it waits for and what may happen to it,
// and the same without anything happening. It reads; nothing here changes an actor.
import { charts, type Kind } from '../../machines/index.js'
import { kindOf, type Actor, type Message } from '../actor/actor.js'
import { answerOf, dueWake, pendingAsk, type Ask } from '../actor/drive.js'
import { callOf, createTake, wakeAtOf } from '../actor/turn.js'
import type { Json } from '../domain/canonical.js'
import type { Entry, Gate, Ref } from '../domain/gate.js'
import { refuse, type Refused } from '../domain/refusal.js'
import { choicesFor, messagesFor, type Choice } from '../inspect/outline.js'
import { shownContext, type Fields } from '../inspect/shown.js'
import { tellCourse, tellTurn, type Course, type Told } from '../inspect/told.js'
import type { Caller, Services } from './ports.js'

const take = createTake(charts)

export function isMachine(name: string): name is Kind {
  return Object.hasOwn(charts, name)
}

export const noMachine = (name: string): Refused => refuse('NOT_FOUND', `There is no machine ${name}`)

/** An actor of the caller's organization, one that is gone too. */
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

/** What the actor's gates keep for it, in the order in which they are asked. */
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

export interface Supposed {
  /** The message, with its type. */
  message: { [field: string]: Json | undefined; type: string }
  /** Epoch ms. */
  at: number | undefined
  /** Go on with what the gates would answer, until the actor rests. */
  untilRest: boolean
}

export interface Outcome {
  ok: true
  turns: Told[]
  state: string
  context: Fields
  concealed: string[]
}

/** What a message would do to an actor: the kernel's own turns, in memory, of which nothing is kept. */
export async function supposeMessage(
  services: Services,
  actor: Actor,
  { message, at, untilRest }: Supposed,
): Promise<Outcome | Refused> {
  const organization = String(actor.context['organization'])
  const command: Message = { ...message, now: at ?? services.now(), organization }
  try {
    const wake = dueWake(charts, actor, command)
    const woken = wake ? await courseOf(services, actor, wake) : { told: [], actor }
    const { told, actor: after } = await (untilRest ? courseOf : turnOf)(services, woken.actor, command)
    return { ok: true, turns: [...woken.told, ...told], state: after.state, ...shownContext(kindOf(after.ref), after.context) }
  } catch {
    // What a chart throws at a message that somebody made up may tell of what is not theirs.
    const details = [{ path: 'message', message: 'is none that the chart can take' }]
    return refuse('VALIDATION_ERROR', 'message: is none that the chart can take', { details })
  }
}

async function turnOf({ query }: Services, actor: Actor, command: Message): Promise<Course> {
  const { holder } = command
  const entry = holder === undefined ? undefined : await query.entry(actor.ref, holder)
  const turn = take(actor.ref, actor, entry, command)
  return { told: [tellTurn(charts, actor.ref, { actor, entry }, command, turn)], actor: turn.actor }
}

async function courseOf(services: Services, actor: Actor, command: Message): Promise<Course> {
  const sandbox = new Sandbox(services)
  const course = tellCourse(charts, take, actor.ref, actor, command)
  let step = course.next()
  while (!step.done) step = course.next(await sandbox.answer(step.value))
  return step.value
}

/** Gates as they are, and what would become of them. */
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

  /** The gates of a message that somebody made up may be anybody's: those of others are none. */
  async #own(ref: Ref, organization: string): Promise<Actor | undefined> {
    const [actor] = await this.#services.host.read([ref])
    return actor?.context['organization'] === organization ? actor : undefined
  }
}
