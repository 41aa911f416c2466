// Applies one message to one actor: pure and synchronous, on one snapshot and at most one hold. The result equals that
// of XState's `transition()`; a test holds the two equal.
import type { AnyStateMachine } from 'xstate'
import type { Code } from '../domain/outcomes/codes.js'
import type { Hold, Ref } from '../domain/limits/gate.js'
import { NOWHERE, type Listing } from '../domain/values/lists.js'
import type { Meta } from '../domain/values/meta.js'
import type { MigrationSteps } from '../domain/values/migration.js'
import { fieldsOf, kindOf, type Actor, type Message, type Turn } from './actor.js'
import { shapeOf } from './contextCopies.js'
import { metaOf } from './stateMeta.js'
import { initialState, transition } from './transition.js'

/** As the functions of its kind read it: each knows the context of its own chart. */
type ChartedActor = Pick<Actor, 'state' | 'context'>

/** What the kernel knows of a kind of actor. */
export interface KernelChart {
  machine: AnyStateMachine
  version: number
  /** From each earlier version to the next. */
  steps?: MigrationSteps
  /** The fields that change with what the actor counts: they are stored apart from the others. */
  counted?: readonly string[]
  /** The keys that no other actor may have while this one is as it is. */
  keys?(actor: ChartedActor, meta: Meta): readonly string[]
  /** The keys that it had, or never got, and whose next owner must be able to find it. */
  formerKeys?(actor: ChartedActor, meta: Meta): readonly string[]
  /** The code for a key that another actor has. */
  taken?: Code
  /** Where the actor is found. Left out: nowhere, and so for an actor that is gone unless `keepsListing`. */
  listing?(actor: ChartedActor, meta: Meta): Listing
  /** It is found somewhere after it is gone, too. */
  keepsListing?: true
  /** True where an actor moves between lists without changing its state. */
  relists?(before: ChartedActor, after: ChartedActor): boolean
}

/** The charts by kind; machines/index.ts is the shipped registry. */
export interface ChartBook {
  [kind: string]: KernelChart
}

export type RunTurn = (ref: Ref, actor: Actor | undefined, hold: Hold | undefined, message: Message) => Turn

function chartOf(book: ChartBook, ref: Ref, actor: Actor | undefined): KernelChart {
  const chart = book[kindOf(ref)]
  if (!chart) throw new Error(`No chart for ${ref}`)
  if (actor && actor.version !== chart.version) {
    throw new Error(`${ref} was written by version ${actor.version} of its chart; this is version ${chart.version}`)
  }
  return chart
}

const NO_EVENTS: Turn['events'] = []

/** Builds the turn function over a book of charts. It throws on bugs only: a refusal is part of the turn. */
export function createTurns(book: ChartBook): RunTurn {
  return (ref, actor, given, message) => {
    const { machine, version } = chartOf(book, ref, actor)
    const { organization, now: at } = message
    if (actor && actor.context.organization !== organization) {
      throw new Error(`${ref} was addressed from outside its organization`)
    }
    const shape = shapeOf(machine)
    const before = actor?.context ?? shape.initial
    const from = actor?.state ?? initialState(machine)
    const context = shape.begun(before, given ?? null)
    const taken = transition(machine, from, context, message)
    const state = taken?.target ?? from
    const changed = state !== from || shape.differ(context, before)
    const { hold, violations, refusal, events } = context
    const revision = (actor?.revision ?? 0) + (changed ? 1 : 0)
    return {
      actor: actor && !changed ? actor : { ref, version, revision, state, context: shape.ended(context) },
      changed,
      taken: taken !== undefined,
      guard: taken?.guard?.name,
      hold,
      violations,
      refusal: refusal ?? undefined,
      events: events.length === 0 ? NO_EVENTS : events.map((event) => ({ event, ref, organization, at })),
    }
  }
}

/** All that is true of the actor's state. */
export function metaOfActor(book: ChartBook, actor: Actor): Meta {
  return metaOf(chartOf(book, actor.ref, actor).machine, actor.state)
}

/** True for an actor that does not exist yet or no longer exists; callers see neither. */
export function isGone(book: ChartBook, actor: Actor): boolean {
  return metaOfActor(book, actor).gone === true
}

/** Where the actor is found. */
export function listingOf(book: ChartBook, actor: Actor): Listing {
  const { listing, keepsListing } = chartOf(book, actor.ref, actor)
  const meta = metaOfActor(book, actor)
  return listing === undefined || (meta.gone && !keepsListing) ? NOWHERE : listing(actor, meta)
}

/**
 * Where it is found from now on, and where it was found before; undefined where that is the same. INVARIANT: it follows
 * from the actor's state and fields that never change, but where `relists` says otherwise.
 */
export function listingMoved(book: ChartBook, before: Actor | undefined, after: Actor): MovedListing | undefined {
  if (before === undefined) return { from: NOWHERE, to: listingOf(book, after) }
  const { relists } = chartOf(book, after.ref, after)
  if (before.state === after.state && !relists?.(before, after)) return undefined
  return { from: listingOf(book, before), to: listingOf(book, after) }
}

export interface MovedListing {
  from: Listing
  to: Listing
}

/** The time of the actor's WAKE (epoch ms); undefined when it has none. */
export function wakeAtOf(book: ChartBook, actor: Actor): number | undefined {
  const field = metaOfActor(book, actor).wakeAt
  const at = field === undefined ? undefined : fieldsOf(actor)[field]
  return typeof at === 'number' ? at : undefined
}

/** The status of the actor's state, as the interface shows it. */
export function statusOf(book: ChartBook, actor: Actor): string {
  const { status } = metaOfActor(book, actor)
  if (status === undefined) throw new Error(`${actor.ref} shows no status in ${actor.state}`)
  return status
}

/** The unique keys of the actor, those it has given up but is still found by, and the code for one that another has. */
export function keysOf(book: ChartBook, actor: Actor): Keys {
  const { keys, formerKeys, taken = 'ALREADY_EXISTS' } = chartOf(book, actor.ref, actor)
  const meta = metaOfActor(book, actor)
  return { keys: keys?.(actor, meta) ?? NO_KEYS, former: formerKeys?.(actor, meta) ?? NO_KEYS, taken }
}

export interface Keys {
  keys: readonly string[]
  former: readonly string[]
  taken: Code
}

const NO_KEYS: readonly string[] = []
