// The port that commands talk to: where actors live, and how a command reaches one. Two hosts implement it.
import type { Code } from '../domain/codes.js'
import type { Memory } from '../domain/memory.js'
import type { Ref } from '../domain/gate.js'
import type { Barrier } from '../domain/governance.js'
import type { Violation } from '../domain/violation.js'
import type { Actor, Message, Turn } from './actor.js'

export type Reply =
  | { ok: true; actor: Actor }
  /** `barrier` says that nothing speaks against the command but that it has to be approved. */
  | { ok: false; code: Code; violations: Violation[]; actor: Actor; barrier?: Barrier }

export interface AskOptions {
  /** Who asks, and in which request, for the audit log. */
  by: { type: string; id: string; requestId?: string }
  /**
   * The idempotency record to commit together with the command's changes. It is called once, after the command came
   * to rest and before it is committed, with a view of what will be committed, and the last place that the
   * organization's audit log will have then.
   */
  remember?: (reply: Reply, view: View, sequence: Sequence) => Memory | undefined
  /**
   * Called with the actor as it was and the reply as it would be, in one stretch with both. What it returns is the reply
   * instead, and nothing is committed. Only hosts that commit a command as a whole take one.
   */
  veto?: (before: Actor | undefined, reply: Reply) => Reply | undefined
}

/** A look at actors as the command under way leaves them. */
export type View = (ref: Ref) => Actor | undefined

/** Asked only by who needs it. */
export type Sequence = () => number

/** Whether what a command was decided on is still so. */
export type StillValid = (view: View) => boolean

export interface ActorHost {
  /** Committed actors, one for each ref, undefined where there is none. */
  read(refs: readonly Ref[]): Promise<(Actor | undefined)[]>
  /**
   * An actor as the host knows it now, perhaps not yet on disk: a fact for a command whose own answer will wait for
   * the disk, and nothing to be answered from directly.
   */
  peek(ref: Ref): Actor | undefined
  /** One command to one actor; answered when it rests, durably. Throws only on bugs and failed commits. */
  ask(to: Ref, command: Message, options: AskOptions): Promise<Reply>
  /**
   * The same for a command that was decided on what its caller has read: where `stillValid` says no in the moment in
   * which the command would begin, nothing is done and the answer is undefined.
   */
  askWhile(to: Ref, command: Message, options: AskOptions, stillValid: StillValid): Promise<Reply | undefined>
}

/** The host cannot say what became of a command: a commit failed, and nothing may be carried on. */
export class Unavailable extends Error {}

/**
 * The reply that a command's turns amount to: the first refusal among them, INVALID_STATUS where the actor's state
 * does not take the command at all, else the actor as it came to rest.
 */
export function replyOf(turns: readonly Turn[]): Reply {
  const actor = turns.at(-1)!.actor
  const refused = turns.find((turn) => turn.refusal !== undefined)
  if (refused) return { ok: false, code: refused.refusal!, violations: refused.violations, actor }
  return turns[0]!.taken ? { ok: true, actor } : { ok: false, code: 'INVALID_STATUS', violations: [], actor }
}
