// Stands between a governed command and its actor: the command takes effect only after a second person's approval, and
// only on what was approved.
import { idOf, isGone, kindOf, type Actor } from '../actor/actor.js'
import type { AskOptions, Reply } from '../actor/host.js'
import type { Ref } from '../domain/gate.js'
import { governedAs, type ApprovedChange, type Barrier, type GovernanceSettings } from '../domain/governance.js'
import { subjectHash } from './subject.js'

export interface AddressedCommand {
  to: Ref
  type: string
  fields: object
}

/**
 * A veto on the command where it would change something governed that no approval (`approved`) covers. An approved
 * command stays bound to the state that was approved, even where its action is no longer governed.
 */
export function barring(
  governance: GovernanceSettings,
  command: AddressedCommand,
  approved: ApprovedChange | undefined,
): AskOptions['veto'] {
  const actions = governance.enabled ? governance.actions : []
  const settings = approved ? { ...governance, enabled: true, actions: [...actions, approved.action] } : governance
  return (before, reply) => {
    const changes = reply.ok && reply.actor.revision !== before?.revision
    const barrier = changes ? barrierOf(settings, command, before, approved) : undefined
    // The trial is undone: the reply shows the actor as it was.
    return barrier && barred(barrier, before ?? reply.actor)
  }
}

/** One code for every barrier; the code that carries out an approved change checks `isStale`. */
function barred(barrier: Barrier, actor: Actor): Reply {
  return { ok: false, code: 'REQUIRES_APPROVAL', violations: [], actor, barrier }
}

function barrierOf(
  settings: GovernanceSettings,
  { to, type, fields }: AddressedCommand,
  before: Actor | undefined,
  approved: ApprovedChange | undefined,
): Barrier | undefined {
  const there = before && !isGone(before) ? before : undefined
  const given = { fields: { ...fields }, state: before?.state, context: before?.context ?? {} }
  const action = governedAs(settings, kindOf(to), type, given)
  if (action === undefined) return undefined
  const barrier = { action, resource: kindOf(to), ref: there?.ref ?? null, resourceId: there ? idOf(to) : null }
  const since = there ? subjectHash(action, there) : null
  const isCovered = approved?.action === action && approved.ref === barrier.ref
  if (isCovered && approved.since === since) return undefined
  return { ...barrier, since, isStale: isCovered }
}
