// Governance: a governed change waits for the approvals of others, and is done on what they saw.
import { demand } from '../../violated.js'
import type { Held } from '../changes.js'
import type { Credential, Organization } from '../organization.js'
import { isDone, type Call, type Exchange, type Told, type Watch } from '../world.js'

const DECISION = /\/(c[a-z0-9]{24})\/decision$/
/** What an approval of these is bound to has no subject before it is made. */
const MAKES = new Set(['key.create', 'workflow.update', 'member.update'])

export class Governed implements Watch {
  answered({ call, told, isAlone }: Exchange): void {
    const { governed, organization, by } = call
    if (!organization || !by || told.isReplay) return
    const held = heldBy(call, organization)
    if (held) this.#decided(held, by, told)
    if (!governed) return
    if (isAlone) this.#barred(call, organization, told)
    if (isDone(told)) changed(organization, governed.subject)
  }

  #barred({ path, governed }: Call, { governance }: Organization, told: Told): void {
    const { actions } = governed!
    const isListed = actions.some((one) => one === 'governance.update' || governance.actions.includes(one))
    const isGoverned = governance.enabled && isListed
    const action = actions.join(' and ')
    const isHeld = told.status === 202 && 'governanceApprovalRequestId' in told.body
    demand('governed', !isGoverned || !isDone(told), () => `${action} by ${path} was done at once`)
    demand('governed', isGoverned || !isHeld, () => `${action} by ${path} was held, and nothing governs it`)
  }

  /** What somebody said of a change that waits. */
  #decided(held: Held, by: Credential, { status, body }: Told): void {
    if (status !== 200) return
    const what = `${held.action} of ${held.by.name}`
    demand('governed', held.by.countsAs !== by.countsAs, () => `${by.name} decided on the own ${what}`)
    demand('governed', !held.approvedBy.has(by.countsAs), () => `${by.name} decided twice on ${what}`)
    demand('governed', held.status === 'PENDING', () => `${by.name} decided on ${what}, which was ${held.status}`)
    held.approvedBy.add(by.countsAs)
    held.status = body.status as Held['status']
    const isEnough = held.approvedBy.size >= held.required
    demand('governed', held.status !== 'APPROVED' || isEnough, () => `${what} has ${held.approvedBy.size} approvals`)
    if (body.application?.status !== 'APPLIED') return
    demand('governed', held.status === 'APPROVED', () => `${what} was ${held.status}, and done`)
    const now = held.by.organization.revisions.get(held.subject) ?? 0
    const isSeen = MAKES.has(held.action) || now === held.seen
    demand('governed', isSeen, () => `${what} was done on what nobody had seen`)
    changed(held.by.organization, held.subject)
  }
}

function heldBy({ path }: Call, { held }: Organization): Held | undefined {
  const [, id] = DECISION.exec(path) ?? []
  return held.find((one) => one.id === id)
}

function changed({ revisions }: Organization, subject: string): void {
  revisions.set(subject, (revisions.get(subject) ?? 0) + 1)
}
