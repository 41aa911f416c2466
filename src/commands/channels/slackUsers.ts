// Slack users that count as members. A press of an unlinked one is answered with a link; whoever is signed in and follows
// it says that this Slack user is them. A link is for one channel and one signing secret: who sets another secret could
// sign presses of anybody with it.
import { slackUsersOf } from '../../../machines/slackUser.js'
import type { Actor } from '../../actor/actor.js'
import type { Page, Paging } from '../../actor/query.js'
import type { Principal } from '../../domain/access/principal.js'
import type { Ref } from '../../domain/limits/gate.js'
import { refuse, refuseField, type Result } from '../../domain/outcomes/result.js'
import { derivedId } from '../../domain/values/ids.js'
import { activeMember } from '../people/principals.js'
import type { Caller, Services } from '../ports.js'
import { find, isVisible, outcome, send } from '../send.js'

export interface SlackIdentity {
  teamId: string
  userId: string
  userName: string
}

const LINK_MS = 30 * 60_000
const EXPIRED = 'is no link of this service, or is too old: press the button again'

function refOf(channel: Actor<'channel'>, { teamId, userId }: SlackIdentity): Ref<'slackUser'> {
  const { id, fields } = channel.context
  return `slackUser/${derivedId('slack user', id, fields.secret['signingSecret'] ?? '', teamId, userId)}`
}

/** The member that the Slack user is linked to; undefined where there is none, or no longer. */
export function linkedMember(
  services: Services,
  channel: Actor<'channel'>,
  user: SlackIdentity,
): Principal | undefined {
  const link = services.host.peek(refOf(channel, user))
  if (link?.state !== 'linked') return undefined
  const person = activeMember(services, link.context.memberId)
  return person?.organization === channel.context.organization ? person : undefined
}

interface Claim extends SlackIdentity {
  channelId: string
  expiresAt: number
}

/** The page on which a member links this Slack user to themselves. */
export function linkFor(
  services: Services,
  channel: Actor<'channel'>,
  { teamId, userId, userName }: SlackIdentity,
): string {
  const claim: Claim = {
    channelId: channel.context.id,
    teamId,
    userId,
    userName,
    expiresAt: services.now() + LINK_MS,
  }
  const text = encodeURIComponent(JSON.stringify(claim))
  return `${services.publicUrl()}/slack?token=${encodeURIComponent(`${text}.${proofOf(services, text)}`)}`
}

/** No key or token of the service begins like this. Hashed twice, so that no longer text has a proof that follows. */
function proofOf({ hashKey }: Services, text: string): string {
  return hashKey(hashKey(`slack link ${text}`))
}

function claimIn(services: Services, token: string): Claim | undefined {
  const end = token.lastIndexOf('.')
  const [text, proof] = [token.slice(0, Math.max(end, 0)), token.slice(end + 1)]
  // Both are hashed again, so that the time of the comparison says nothing.
  if (services.hashKey(proof) !== services.hashKey(proofOf(services, text))) return undefined
  const claim = JSON.parse(decodeURIComponent(text)) as Claim
  return claim.expiresAt > services.now() ? claim : undefined
}

export async function linkSlackUser(
  services: Services,
  caller: Caller,
  token: string,
): Promise<Result<Actor<'slackUser'>, 'INVALID_STATUS' | 'NOT_FOUND' | 'VALIDATION_ERROR'>> {
  const { organization, memberId } = caller.principal
  const claim = claimIn(services, token)
  if (claim === undefined) return refuseField('token', EXPIRED)
  const channel = services.host.peek(`channel/${claim.channelId}`)
  if (!isVisible(channel, organization)) return refuse('NOT_FOUND', 'The link is of a channel that is not there')
  const { channelId, teamId, userId, userName } = claim
  const ref = refOf(channel, claim)
  const linked = { id: ref.slice('slackUser/'.length), channelId, memberId, teamId, userId, userName }
  return outcome(await send(services, caller, ref, 'LINK', { ...linked, order: services.nextOrder() }))
}

/** Those of the caller. */
export function listSlackUsers(
  { query }: Services,
  { principal }: Caller,
  paging: Paging,
): Promise<Page<'slackUser'> | undefined> {
  const isOwn = (actor: Actor<'slackUser'>): boolean => actor.context.memberId === principal.memberId
  return query.filtered({ ...paging, list: slackUsersOf(principal.organization) }, isOwn)
}

export async function unlinkSlackUser(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'slackUser'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await find(services, caller, 'slackUser', id)
  const isOwn = found.ok && found.value.context.memberId === caller.principal.memberId
  if (!isOwn) return refuse('NOT_FOUND', `There is no Slack user ${id}`)
  return outcome(await send(services, caller, found.value.ref, 'UNLINK'))
}
