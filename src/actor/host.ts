// Port between commands and actors: reads actors and delivers commands to them. Two hosts implement it.
import type { Code } from '../domain/codes.js'
import type { Memory } from '../domain/memory.js'
import type { Ref } from '../domain/gate.js'
import type { Barrier } from '../domain/governance.js'
import type { Violation } from '../domain/violation.js'
import type { Actor, Message, Turn } from './actor.js'

export type Reply =
  | { ok: true; actor: Actor }
  /** `barrier` is set when the command is allowed but needs approval first. */
  | { ok: false; code: Code; violations: Violation[]; actor: Actor; barrier?: Barrier }

export interface AskOptions {
  /** The caller and its request, for the audit log. */
  by: { type: string; id: string; requestId?: string }
  /**
   * Returns the idempotency record to commit together with the command's changes. Called once, after the actor rests
   * and before the commit, with a view of the state to be committed and the last audit sequence that the organization
   * will then have.
   */
  remember?: (reply: Reply, view: View, sequence: Sequence) => Memory | undefined
  /**
   * Called synchronously with the actor before the command and the reply that would follow. A reply that it returns is
   * given instead, and nothing is committed. Supported only by hosts that commit a whole command at once.
   */
  veto?: (before: Actor | undefined, reply: Reply) => Reply | undefined
}

/** Reads actors as the running command leaves them. */
export type View = (ref: Ref) => Actor | undefined

/** Computed only when called. */
export type Sequence = () => number

/** True while the state that a command was decided on still holds. */
export type StillValid = (view: View) => boolean

export interface ActorHost {
  /** Committed actors in the order of `refs`; undefined for a ref without an actor. */
  read(refs: readonly Ref[]): Promise<(Actor | undefined)[]>
  /**
   * The actor as the host knows it now, perhaps not yet on disk. For commands whose own answer waits for the disk;
   * never answer from it directly.
   */
  peek(ref: Ref): Actor | undefined
  /**
   * Sends one command to one actor; resolves when the actor rests and its changes are on disk. Throws only on bugs and
   * failed commits.
   */
  ask(to: Ref, command: Message, options: AskOptions): Promise<Reply>
  /**
   * Like `ask`, for a command that was decided on state its caller has read. If `stillValid` returns false at the
   * moment the command would begin, nothing happens and the answer is undefined, once what it has seen is on disk.
   */
  askWhile(to: Ref, command: Message, options: AskOptions, stillValid: StillValid): Promise<Reply | undefined>
}

/** A commit failed: the outcome of the command is unknown, and the host must not continue. */
export class Unavailable extends Error {}

/**
 * The reply to a command, from its turns: the first refusal; INVALID_STATUS when the actor's state has no transition
 * for the command; else the actor at rest.
 */
export function replyOf(turns: readonly Turn[]): Reply {
  const actor = turns.at(-1)!.actor
  const refused = turns.find((turn) => turn.refusal !== undefined)
  if (refused) return { ok: false, code: refused.refusal!, violations: refused.violations, actor }
  return turns[0]!.taken ? { ok: true, actor } : { ok: false, code: 'INVALID_STATUS', violations: [], actor }
}
