// Port between commands and actors: reads actors and begins attempts on them.
import type { Ref } from '../domain/limits/gate.js'
import type { Actor, Message } from './actor.js'
import type { TimesHeld } from './counts.js'
import type { Attempt, Reply, Sender } from './attempt.js'
import type { KeyOwner } from './overlay.js'

export type View = <K extends string>(ref: Ref<K>) => Actor<K> | undefined

/** Shows these actors and no others. */
export function viewOn(actors: readonly (Actor | undefined)[]): View {
  const byRef = new Map(actors.map((actor) => [actor?.ref, actor]))
  return <K extends string>(ref: Ref<K>) => byRef.get(ref) as Actor<K> | undefined
}

/** True while what a command was decided on still holds. */
export type Unchanged = (view: View) => boolean

/** The actors of these refs, in their order. */
export type ActorsOf<Refs extends readonly Ref[]> = {
  -readonly [Place in keyof Refs]: Refs[Place] extends Ref<infer K> ? Actor<K> | undefined : never
}

export interface ActorHost {
  /** Committed actors in the order of `refs`; undefined for a ref without an actor. */
  read<const Refs extends readonly Ref[]>(refs: Refs): Promise<ActorsOf<Refs>>
  /**
   * The actor as the host knows it now, perhaps not yet on disk. For commands whose own answer waits for the disk;
   * never answer from it directly.
   */
  peek: View
  /** Who has a unique key, or who had it last where its next owner must know, as the host knows it now. */
  keyOwner(key: string): KeyOwner | undefined
  /** When the payments that a gate holds were made, as the host knows it now. */
  timesHeld: TimesHeld
  /** Resolves when all that has been seen so far is on disk. */
  flushed(): Promise<void>
  /**
   * Begins an attempt, for a command that was decided on what its caller has read: undefined, a conflict, where
   * `unchanged` says that it no longer holds. Throws Unavailable after the store has failed.
   */
  attempt(sender: Sender, unchanged?: Unchanged): Attempt | undefined
}

/** What is over and not ended yet: actors whose WAKE is due. */
export interface Overdue {
  /** True while there is something overdue in the organization. */
  isAny(organization: string): boolean
  /**
   * Ends what is overdue in the organization, in up to so many slices of a few milliseconds with other work between
   * them; resolves with the number of actors when that is on disk.
   */
  end(organization: string, slices: number): Promise<number>
  /** The same for what holds at one of these gates alone. */
  endAt(organization: string, gates: readonly Ref[], slices: number): Promise<number>
}

/** The store failed: the outcome of the command is unknown, and the host must not continue. */
export class Unavailable extends Error {}

/** Sends one message as a command of its own; resolves when its changes are on disk. */
export async function deliver<K extends string>(
  host: ActorHost,
  sender: Sender,
  to: Ref<K>,
  message: Message,
): Promise<Reply<K>> {
  return (await deliverIf(host, sender, undefined, to, message))!
}

/** Like `deliver`, while it is `unchanged`; else undefined, and nothing was done. */
export async function deliverIf<K extends string>(
  host: ActorHost,
  sender: Sender,
  unchanged: Unchanged | undefined,
  to: Ref<K>,
  message: Message,
): Promise<Reply<K> | undefined> {
  const attempt = host.attempt(sender, unchanged)
  if (!attempt) {
    await host.flushed()
    return undefined
  }
  const reply = attempt.send(to, message)
  await attempt.commit()
  return reply
}
