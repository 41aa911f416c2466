// A decision by a button in Slack: the ordinary decision of the member that the Slack user is linked to.
import type { Actor } from '../../actor/actor.js'
import {
  decisionsThatCount,
  hasDecided,
  isApprover,
  isBarred,
  type Approval,
  type Decider,
  type Verdict,
} from '../../domain/payment/approval.js'
import { CODES } from '../../domain/outcomes/codes.js'
import { approvalOf, decideApproval, deciderOf, findApproval } from '../approvals/approvals.js'
import { mayDecide } from '../people/deciders.js'
import { principalNow } from '../people/principals.js'
import type { Services } from '../ports.js'
import { linkedMember, linkFor, type SlackIdentity } from './slackUsers.js'

export interface PressedButton extends SlackIdentity {
  decision: Verdict
  approvalRequestId: string
  contentHash: string
  step: number
  requestId: string
}

/** What the presser is told: nothing where the message itself will show it. */
export async function decideBySlack(
  services: Services,
  channel: Actor<'channel'>,
  press: PressedButton,
): Promise<string | undefined> {
  const principal = linkedMember(services, channel, press)
  if (principal === undefined) {
    return `Your presses count once you have signed in and linked your Slack user: ${linkFor(services, channel, press)}`
  }
  if (!principal.scopes.includes('approvals:write')) return 'Your role may not decide on approval requests.'
  const caller = { principal, requestId: press.requestId }
  const found = await findApproval(services, caller, press.approvalRequestId)
  if (!found.ok) return 'There is no such approval request any more.'
  const { approval } = found.value
  if (approval.contentHash !== press.contentHash) return 'This button is stale: what was asked has changed since.'
  if (approval.step !== press.step) return 'This button is stale: the request was escalated, see its later message.'
  if (isRepetition(approval, deciderOf(principal), press.decision)) return undefined
  if (approval.status !== 'PENDING') return `This button is stale: the approval request is ${approval.status}.`
  const { id: channelId, fields } = channel.context
  const { setBy } = fields
  if (!couldDecide(services, setBy, approval)) {
    return `This request is decided on the page: ${services.publicUrl()}/approvals/${approval.id}`
  }
  const via = { channelId, teamId: press.teamId, userId: press.userId, setBy }
  const decided = await decideApproval(services, caller, approval.id, { decision: press.decision, comment: null, via })
  if (!decided.ok) {
    const { code, message, reasons = [] } = decided.refusal
    return [message || CODES[code].message, ...reasons].join(' ')
  }
  const now = approvalOf(decided.value, approval.id)
  return now?.status === 'PENDING' ? 'Your decision is recorded. More approvals are required.' : undefined
}

/** Slack repeats a press that it got no answer to in time, and people press twice. */
function isRepetition(approval: Approval, { countsAs: { type, id } }: Decider, decision: Verdict): boolean {
  const own = decisionsThatCount(approval).filter(
    ({ by: { countsAs } }) => countsAs.type === type && countsAs.id === id,
  )
  return own.some((made) => made.decision === decision)
}

/** Who gave the signing secret could sign presses of others, so a press counts only where their own would. */
function couldDecide(services: Services, setBy: Decider, approval: Approval): boolean {
  if (!mayDecide(principalNow(services, setBy))) return false
  return (
    !isBarred(approval, setBy) && isApprover(approval, setBy) && !hasDecided(approval, { by: setBy, comment: null })
  )
}
