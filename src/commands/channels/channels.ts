// Commands on notification channels: making, changing, removing and testing them.
import { channelsOf } from '../../../machines/channel.js'
import type { Actor } from '../../actor/actor.js'
import type { Page, Paging } from '../../actor/query.js'
import { keyedMutex } from '../../async/keyedMutex.js'
import { MOST_CHANNELS, type ChannelFields } from '../../domain/outcomes/channel.js'
import { refuse, refuseLimit, succeed, type Result } from '../../domain/outcomes/result.js'
import { omitUndefined } from '../../domain/values/omitUndefined.js'
import { deciderOf } from '../approvals/approvals.js'
import type { AddressedCommand } from '../barrier.js'
import { findOrganization } from '../organizations/organizations.js'
import type { Caller, ChannelSettings, RecordQueued, Services } from '../ports.js'
import { find, newIdFor, outcome, refusedOnDisk, send, sendAll } from '../send.js'

/** Made at once, channels would all be counted before any of them exists. */
const inTurn = keyedMutex()

export interface NewChannel extends ChannelSettings {
  name: string
  takes: string[]
}

/** `shown` has a secret where the service made one; it is never shown again. */
export function createChannel(
  services: Services,
  caller: Caller,
  { name, takes, type, config }: NewChannel,
): Promise<Result<{ actor: Actor<'channel'>; shown: { secret?: string } }, 'LIMIT_REACHED'>> {
  const { organization } = caller.principal
  return inTurn(organization, async () => {
    if (services.query.refs(channelsOf(organization)).length >= MOST_CHANNELS) {
      return refusedOnDisk(services, refuseLimit('channels', `An organization has at most ${MOST_CHANNELS} channels`))
    }
    const id = newIdFor(services, caller)
    const { shown, ...sealed } = services.channels.seal(organization, { type, config })
    const fields: ChannelFields = { name, takes, type, ...sealed, setBy: deciderOf(caller.principal) }
    const made = outcome<'channel', never>(
      await send(services, caller, `channel/${id}`, 'CREATE', { id, fields, order: services.nextOrder() }),
    )
    return made.ok ? succeed({ actor: made.value, shown }) : made
  })
}

export function findChannel(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'channel'>, 'NOT_FOUND'>> {
  return find(services, caller, 'channel', id)
}

export function listChannels(
  services: Services,
  { principal }: Caller,
  paging: Paging,
): Promise<Page<'channel'> | undefined> {
  return services.query.page({ ...paging, list: channelsOf(principal.organization) })
}

export interface ChannelChanges {
  name?: string | undefined
  takes?: string[] | undefined
  config?: ChannelSettings['config'] | undefined
  status?: 'ACTIVE' | 'PAUSED' | undefined
}

export async function updateChannel(
  services: Services,
  caller: Caller,
  id: string,
  { name, takes, config, status }: ChannelChanges,
): Promise<Result<Actor<'channel'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findChannel(services, caller, id)
  if (!found.ok) return found
  const { ref } = found.value
  const changes = omitUndefined({ name, takes, ...(config && resealed(services, caller, found.value, config)) })
  const commands: AddressedCommand[] = [
    ...(Object.keys(changes).length > 0 ? [{ to: ref, type: 'UPDATE', fields: { changes } }] : []),
    ...(status === undefined ? [] : [{ to: ref, type: status === 'ACTIVE' ? 'RESUME' : 'PAUSE', fields: {} }]),
  ]
  return commands.length === 0 ? found : outcome(await sendAll(services, caller, ref, commands))
}

function resealed(
  { channels }: Services,
  { principal }: Caller,
  channel: Actor<'channel'>,
  config: ChannelSettings['config'],
) {
  const former = channel.context.fields
  const { shown: _, ...sealed } = channels.seal(principal.organization, { type: former.type, config }, former)
  // Who gives other settings does not know the signing secret by that, and who gave it still does.
  const isSame = sealed.secret['signingSecret'] === former.secret['signingSecret']
  return { ...sealed, setBy: isSame ? former.setBy : deciderOf(principal) }
}

export async function deleteChannel(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'channel'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findChannel(services, caller, id)
  return found.ok ? outcome(await send(services, caller, found.value.ref, 'DELETE')) : found
}

/** Sends a message that says that the channel works. */
export async function testChannel(
  services: Services,
  caller: Caller,
  id: string,
  record: RecordQueued,
): Promise<Result<string, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findChannel(services, caller, id)
  if (!found.ok) return found
  if (found.value.state !== 'kept.active') return refuse('INVALID_STATUS', 'The channel is paused')
  const { organization } = caller.principal
  const { fields } = found.value.context
  const data = JSON.stringify({
    organizationId: organization,
    organizationName: (await findOrganization(services, caller)).context.fields.name,
    channelId: id,
    channelName: fields.name,
    test: true,
  })
  const at = services.now()
  const told = { organization, agentId: null, channelId: id, event: fields.takes[0]!, at, data, target: fields.target }
  return succeed(await services.enqueue(told, record))
}
