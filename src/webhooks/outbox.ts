// Turns the events of a command into deliveries, one for each endpoint and each channel that takes them, to be committed
// with the change that caused them. It looks them up in memory only.
import { type View } from '../actor/host.js'
import { isOf, idOf, kindOf, type Actor, type DomainEvent } from '../actor/actor.js'
import type { Delivery } from '../domain/outcomes/delivery.js'
import type { Ref } from '../domain/limits/gate.js'
import { orderedId } from '../domain/values/ids.js'
import { toldToChannels } from './channelNotices.js'
import { channelFieldsOf, channelTakes } from './channels.js'
import { callbackOf, settingsOf } from './endpoints.js'
import { EVENTS, type EventName } from './events.js'
import { payloadOf } from './payloads.js'

/** The actors as a command leaves them. */
export interface CommittedView {
  /** The actor as it will be committed. */
  actor: View
  /** The actor before the command; undefined for a new one. */
  before: View
}

export interface OutboxPorts {
  /** The sort key of lists: strictly rising microseconds. */
  nextOrder(): number
  random(bytes: number): Uint8Array
  /** The status that an actor shows. */
  statusOf(actor: Actor): string
  /** The address that people use, without a path. */
  publicUrl(): string
  /** The organization's channels. */
  channels(organization: string): readonly Ref<'channel'>[]
  /** Called for a new delivery once it is on disk. */
  wake(delivery: Delivery): void
  /** Called when the settings of an organization, an agent or a channel may have changed, once that is on disk. */
  changed(organization: string, of?: Ref): void
}

export interface Outbox {
  deliveriesOf(events: readonly DomainEvent[], left: CommittedView): Delivery[]
  /** Called after a command to these actors, once its deliveries are on disk. */
  committed(sentTo: ReadonlySet<Ref>, organization: string, deliveries: readonly Delivery[]): void
}

export function createOutbox(ports: OutboxPorts): Outbox {
  const { nextOrder, random, statusOf, publicUrl, channels, wake, changed } = ports
  const deliveryOf = (event: DomainEvent, agentId: string | null, target: string, data: string): Delivery => ({
    id: orderedId(nextOrder(), random),
    organization: event.organization,
    agentId,
    event: event.event,
    at: event.at,
    data,
    target,
    status: 'PENDING',
    attempts: [],
    dueAt: event.at,
    createdAt: event.at,
  })
  const notify = (event: DomainEvent, left: CommittedView, deliveries: Delivery[]): void => {
    const refs = channels(event.organization)
    const told = refs.length === 0 ? undefined : toldToChannels(event, { left, publicUrl: publicUrl() })
    if (told === undefined) return
    const data = JSON.stringify(told.notice)
    for (const ref of refs) {
      const channel = left.actor(ref)
      if (channel === undefined || !channelTakes(channel, told.event)) continue
      const made = deliveryOf({ ...event, event: told.event }, null, channelFieldsOf(channel).target, data)
      deliveries.push({ ...made, channelId: idOf(ref), subject: told.subject })
    }
  }
  const tell = (event: DomainEvent, left: CommittedView, deliveries: Delivery[]): void => {
    if (!(event.event in EVENTS)) return
    const organization = left.actor(`organization/${event.organization}`)
    const own = organization ? settingsOf(organization).webhookUrl : null
    const agentId = agentOf(event, left)
    const callback = agentId === undefined ? null : callbackOf(left.actor(`agent/${agentId}`))
    if (own === null && callback === null) return
    const [before, after] = [left.before(event.ref), left.actor(event.ref)!]
    const happening = { before, after, statusOf, publicUrl: publicUrl() }
    const payload = payloadOf(event, happening)
    const data = JSON.stringify(payload)
    if (own !== null) deliveries.push(deliveryOf(event, null, own, told(data, 'organizationId', event.organization)))
    if (callback === null) return
    const toAgent = 'agentId' in payload && payload.agentId !== undefined ? data : told(data, 'agentId', agentId!)
    deliveries.push(deliveryOf(event, agentId!, callback, toAgent))
  }
  return {
    deliveriesOf: (events, left) => {
      const deliveries: Delivery[] = []
      for (const event of events) {
        tell(event, left, deliveries)
        notify(event, left, deliveries)
      }
      return deliveries
    },
    committed: (sentTo, organization, deliveries) => {
      for (const ref of sentTo) {
        const kind = kindOf(ref)
        if (kind === 'organization') changed(organization)
        else if (kind === 'agent' || kind === 'channel') changed(organization, ref)
      }
      for (const delivery of deliveries) wake(delivery)
    },
  }
}

/** Appends the addressee's id to the payload as its last field; an id needs no escaping. */
function told(data: string, field: 'organizationId' | 'agentId', id: string): string {
  return `${data.slice(0, -1)},"${field}":"${id}"}`
}

/** The agent whose callback receives the event; undefined for events of the organization alone. */
function agentOf({ event, ref }: DomainEvent, left: CommittedView): string | undefined {
  if (EVENTS[event as EventName]?.audience !== 'agent') return undefined
  if (kindOf(ref) === 'agent') return idOf(ref)
  const payment = left.actor(ref)
  return isOf('payment', payment) ? payment.context.terms?.agentId : undefined
}
