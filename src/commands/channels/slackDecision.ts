// A decision by a button in Slack: the ordinary decision of the member that the Slack user is linked to.
import type { Actor } from '../../actor/actor.js'
import { identityOf } from '../../domain/access/principal.js'
import { isBarred, type Approval, type Verdict } from '../../domain/payment/approval.js'
import { CODES } from '../../domain/outcomes/codes.js'
import { approvalOf, decideApproval, findApproval } from '../approvals/approvals.js'
import { channelContext } from '../contexts.js'
import type { Services } from '../ports.js'
import { linkedMember, linkFor, type SlackIdentity } from './slackUsers.js'

export interface PressedButton extends SlackIdentity {
  decision: Verdict
  approvalRequestId: string
  contentHash: string
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
  if (isRepetition(approval, principal, press.decision)) return undefined
  if (approval.status !== 'PENDING') return `This button is stale: the approval request is ${approval.status}.`
  // Who has set the channel up could sign presses of others, so they decide nothing that they have asked for.
  const { setBy } = channelContext(channel).fields
  if (isBarred(approval, { ...setBy, name: '', countsAs: setBy } as Parameters<typeof isBarred>[1])) {
    return `This request is decided on the page: ${services.publicUrl()}/approvals/${approval.id}`
  }
  const decided = await decideApproval(services, caller, approval.id, { decision: press.decision, comment: null })
  if (!decided.ok) {
    const { code, message, reasons = [] } = decided.refusal
    return [message || CODES[code].message, ...reasons].join(' ')
  }
  const now = approvalOf(decided.value, approval.id)
  return now?.status === 'PENDING' ? 'Your decision is recorded. More approvals are required.' : undefined
}

/** Slack repeats a press that it got no answer to in time, and people press twice. */
function isRepetition(approval: Approval, principal: Parameters<typeof identityOf>[0], decision: Verdict): boolean {
  const { type, id } = identityOf(principal)
  const own = approval.decisions.filter(
    ({ by, lapsed }) => lapsed !== true && by.countsAs.type === type && by.countsAs.id === id,
  )
  return own.some((made) => made.step === approval.step && made.decision === decision)
}
