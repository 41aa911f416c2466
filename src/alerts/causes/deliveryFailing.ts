// A delivery that nobody will receive any more: one alert for each endpoint or channel and day. It is raised beside the
// delivery's outcome, in the same stretch of the event loop, so that they are on disk together.
import type { ActorHost } from '../../actor/host.js'
import { redactedUrl } from '../../domain/audit/redact.js'
import { endpointName, type Delivery, type DeliveryProgress } from '../../domain/outcomes/delivery.js'
import { windowsAt } from '../../domain/time/windows.js'
import type { Cause } from '../cause.js'
import { followUpOf, type RaisePorts } from '../raise.js'

/** Its causes have no audit entries of their own; alerts have none either. */
const SENDER = { type: 'SYSTEM', id: 'deliveries' }

/** Resolves when the alert is on disk. */
export async function raiseDeliveryFailing(
  ports: RaisePorts & { host: ActorHost },
  delivery: Delivery,
  progress: DeliveryProgress,
  at: number,
): Promise<void> {
  const { host } = ports
  const { organization } = delivery
  const cause = deliveryFailing(host, delivery, progress, at)
  const raised = followUpOf(ports, cause, {
    organization,
    at,
    keyOwner: (key) => host.keyOwner(key),
    actor: (ref) => host.peek(ref),
  })!
  const attempt = host.attempt(SENDER)!
  attempt.send(raised.to, raised.message)
  return attempt.commit()
}

function deliveryFailing(
  host: ActorHost,
  delivery: Delivery,
  { attempts, target }: DeliveryProgress,
  at: number,
): Cause {
  const { organization, agentId, channelId, event } = delivery
  const { timezone } = host.peek(`organization/${organization}`)!.context.fields
  const channel = channelId === undefined ? undefined : host.peek(`channel/${channelId}`)
  const receiver = channel ? `the channel ${channel.context.fields.name}` : redactedUrl(target)
  const last = attempts.at(-1)
  const reason = last?.statusCode === undefined ? last?.error : `it was answered with ${last.statusCode}`
  return {
    type: 'DELIVERY_FAILING',
    about: [endpointName(organization, agentId, channelId), windowsAt(at, timezone).day.start],
    title: 'Delivery failed',
    message: () => `${event} was not delivered to ${receiver}: ${reason ?? 'no answer'}. It is not sent again.`,
    ...(agentId !== null && { agentId }),
  }
}
