// Stands between a governed command and its actor: nothing of it is done until another has approved it, and then only
// to what was approved.
import { idOf, isGone, kindOf, type Actor } from '../actor/actor.js'
import type { AskOptions, Reply } from '../actor/host.js'
import type { Ref } from '../domain/gate.js'
import { governedAs, type Barrier, type GovernanceSettings, type Leave } from '../domain/governance.js'
import { subjectHash } from './subject.js'

/** A command and the actor it is addressed to. */
export interface AddressedCommand {
  to: Ref
  type: string
  fields: object
}

/**
 * Vetoes the command where it would change something under these settings and the leave does not cover it. What has
 * been approved is held to what was looked at, whatever is governed by then.
 */
export function barring(
  governance: GovernanceSettings,
  command: AddressedCommand,
  leave: Leave | undefined,
): AskOptions['veto'] {
  const actions = governance.enabled ? governance.actions : []
  const settings = leave ? { ...governance, enabled: true, actions: [...actions, leave.action] } : governance
  return (before, reply) => {
    const changes = reply.ok && reply.actor.revision !== before?.revision
    const barrier = changes ? barrierOf(settings, command, before, leave) : undefined
    // What was tried is not so: the actor stays as it was.
    return barrier && barred(barrier, before ?? reply.actor)
  }
}

/** The code stands for any barrier; whoever carries out what was approved looks at `isStale`. */
function barred(barrier: Barrier, actor: Actor): Reply {
  return { ok: false, code: 'REQUIRES_APPROVAL', violations: [], actor, barrier }
}

function barrierOf(
  settings: GovernanceSettings,
  { to, type, fields }: AddressedCommand,
  before: Actor | undefined,
  leave: Leave | undefined,
): Barrier | undefined {
  const there = before && !isGone(before) ? before : undefined
  const given = { fields: { ...fields }, state: before?.state, context: before?.context ?? {} }
  const action = governedAs(settings, kindOf(to), type, given)
  if (action === undefined) return undefined
  const barrier = { action, resource: kindOf(to), ref: there?.ref ?? null, resourceId: there ? idOf(to) : null }
  const since = there ? subjectHash(action, there) : null
  const isCovered = leave?.action === action && leave.ref === barrier.ref
  if (isCovered && leave.since === since) return undefined
  return { ...barrier, since, isStale: isCovered }
}
