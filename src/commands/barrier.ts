// Stands between a governed command and its commit: the command takes effect only after a second person's approval, and
// only on what was approved.
import { charts } from '../../machines/index.js'
import { metaOfActor, isGone } from '../actor/turn.js'
import { idOf, isOf, kindOf, type Actor } from '../actor/actor.js'
import type { Attempt } from '../actor/attempt.js'
import type { Ref } from '../domain/limits/gate.js'
import {
  governedAs,
  isGovernable,
  type ApprovedChange,
  type Barrier,
  type GovernanceSettings,
} from '../domain/outcomes/governance.js'
import type { Principal } from '../domain/access/principal.js'
import type { Services } from './ports.js'
import { subjectHash } from './approvalSubject.js'

export interface AddressedCommand {
  to: Ref
  type: string
  fields: object
}

/** A command that is allowed, and needs an approval first. The code that carries out a change checks `isStale`. */
export interface Barred<K extends string> {
  ok: false
  code: 'REQUIRES_APPROVAL'
  violations: []
  /** The actor that the command is about, as it is without it. */
  actor: Actor<K>
  barrier: Barrier
}

/**
 * Where the finished attempt would change something governed that no approval covers: the barrier. Of several commands
 * the first governed one names the action, and its approval covers the attempt. An approved command stays bound to the
 * state that was approved, even where its action is no longer governed.
 */
export function barredBy<K extends string>(
  { host }: Services,
  { organization, approved }: Principal,
  attempt: Attempt,
  commands: readonly AddressedCommand[],
  about: Actor<K>,
): Barred<K> | undefined {
  const governable = commands.filter(({ to, type }) => isGovernable(kindOf(to), type))
  const changing = governable.filter(({ to }) => attempt.actor(to)?.revision !== attempt.before(to)?.revision)
  const settings = changing.length > 0 ? settingsNow(host.peek(`organization/${organization}`), approved) : undefined
  if (settings === undefined) return undefined
  for (const command of changing) {
    const before = attempt.before(command.to)
    const action = actionOf(settings, command, before)
    if (action === undefined) continue
    const barrier = barrierOf(action, command, before, approved)
    return (
      barrier && {
        ok: false,
        code: 'REQUIRES_APPROVAL',
        violations: [],
        barrier,
        actor: attempt.before(about.ref as Ref<K>) ?? about,
      }
    )
  }
  return undefined
}

/** Undefined where nothing is governed. A new organization has no governance yet. */
function settingsNow(organization: Actor<'organization'> | undefined, approved: ApprovedChange | undefined) {
  const governance = organization && organization.context.fields.governance
  if (governance === undefined || (!governance.enabled && approved === undefined)) return undefined
  const actions = governance.enabled ? governance.actions : []
  return approved ? { ...governance, enabled: true, actions: [...actions, approved.action] } : governance
}

function actionOf(settings: GovernanceSettings, { to, type, fields }: AddressedCommand, before: Actor | undefined) {
  const given = {
    fields: { ...fields },
    status: before && metaOfActor(charts, before).status,
    agent: isOf('agent', before) ? before.context : undefined,
  }
  return governedAs(settings, kindOf(to), type, given)
}

/** Undefined where the approval covers the action on the actor as it is. */
function barrierOf(
  action: Barrier['action'],
  { to }: AddressedCommand,
  before: Actor | undefined,
  approved: ApprovedChange | undefined,
): Barrier | undefined {
  const there = before && !isGone(charts, before) ? before : undefined
  const barrier = {
    action,
    resource: kindOf(to),
    ref: there?.ref ?? null,
    resourceId: there ? idOf(to) : null,
    createsId: there ? null : idOf(to),
  }
  const since = there ? subjectHash(action, there) : null
  const isCovered = approved?.action === action && approved.ref === barrier.ref
  if (isCovered && approved.since === since) return undefined
  return { ...barrier, since, isStale: isCovered }
}
