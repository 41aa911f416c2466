// Wires events: the outbox that makes deliveries, the relay and courier thread that send them, and retention, which
// removes old ones. service.ts starts and stops it.
import { join } from 'node:path'
import { channelsOf } from '../../machines/channel.js'
import type { LeaseDeadline } from '../async/leaseDeadline.js'
import type { Timing } from '../async/timing.js'
import { charts } from '../../machines/index.js'
import { idOf, kindOf } from '../actor/actor.js'
import type { ActorHost, View } from '../actor/host.js'
import { raiseDeliveryFailing } from '../alerts/causes/deliveryFailing.js'
import { statusOf } from '../actor/turn.js'
import type { Services } from '../commands/ports.js'
import type { Config } from '../config/config.js'
import { GOES_FIRST, type DeliveryAttempt, type Delivery, type AttemptOutcome } from '../domain/outcomes/delivery.js'
import { orderedId } from '../domain/values/ids.js'
import type { Ref } from '../domain/limits/gate.js'
import type { Log } from '../domain/values/log.js'
import { secretIn, WEBHOOKS_SECRET } from '../config/secrets.js'
import type { Query } from '../store/query.js'
import type { Store } from '../store/store.js'
import { addressesOf } from '../webhooks/address.js'
import { isActiveChannel, openedConfig, sealedChannel } from '../webhooks/channels.js'
import type { Courier, CourierPorts } from '../webhooks/courierThread.js'
import { createOutbox, type Outbox } from '../webhooks/outbox.js'
import { testPayload } from '../webhooks/payloads.js'
import { Relay, type RelayPorts } from '../webhooks/relay.js'
import { startRetention } from '../webhooks/retention.js'
import { newSecret } from '../webhooks/sign.js'
import { Sealing } from '../webhooks/sealing.js'

export interface Events {
  outbox: Outbox
  services: Pick<Services, 'newSigningSecret' | 'channels' | 'sealed' | 'answerSlack' | 'enqueue' | 'testPayload'>
  /** Resumes pending deliveries, once the store is open. */
  start(host: ActorHost): void
  /** Stops at once: attempts under way are repeated after the next start. */
  stop(): Promise<void>
}

export interface EventPorts extends Pick<Services, 'now' | 'nextOrder' | 'random' | 'publicUrl'> {
  config: Config
  store: Store
  query: Pick<Query, 'refs'>
  /** Of a node: nothing is sent when it is over. */
  lease: LeaseDeadline | undefined
  /** Of what attempts deliveries. */
  startCourier: (ports: CourierPorts) => Courier
  timers: Timing
  log: Log
}

/** A redelivery or a test. */
const WAITED_FOR = { status: 'PENDING', attempts: [] as DeliveryAttempt[], dueAt: GOES_FIRST } as const

export function createEvents(ports: EventPorts): Events {
  const { config, store, query, now, nextOrder, random, publicUrl, timers, log } = ports
  const vault = new Sealing(secretIn(join(config.dataDir, WEBHOOKS_SECRET)))
  const onError = (error: unknown): void => log('events failed', { error })
  const onOutcome = ({ id }: Delivery, { error, detail }: AttemptOutcome): void => {
    if (detail !== undefined) log('delivery failed', { delivery: id, reason: error, detail })
  }
  let relay: Relay | undefined
  let peek: View = () => undefined
  const courier = courierOf(ports, () => relay!)
  let stopRetention = (): void => {}
  const wake = (delivery: Delivery): void => relay?.wake(delivery)
  return {
    outbox: createOutbox({
      nextOrder,
      random,
      statusOf: (actor) => statusOf(charts, actor),
      publicUrl,
      channels: (organization) => query.refs(channelsOf(organization)),
      wake,
      changed: (organization, of) => {
        relay?.changed(organization, of && idOf(of))
        const channel = of && kindOf(of) === 'channel' ? peek(of as Ref<'channel'>) : undefined
        if (channel && !isActiveChannel(channel)) store.deliveries.forgetReceipts(organization, channel.context.id)
      },
    }),
    services: { ...servicesOf(ports, vault, wake), answerSlack: (...answer) => courier.answer(...answer) },
    start: (host) => {
      peek = (ref) => host.peek(ref)
      const addressOf = addressesOf({
        peek,
        vault,
        now,
        onError,
      })
      const [queue, flushed, waits] = [store.deliveries, () => store.flushed(), config.webhookRetryMs]
      const onFailed: RelayPorts['onFailed'] = (...failed) =>
        void raiseDeliveryFailing({ host, nextOrder, random }, ...failed, now()).catch(onError)
      relay = new Relay({ queue, flushed, addressOf, courier, now, timers, waits, onOutcome, onFailed, onError })
      relay.start()
      stopRetention = startRetention({
        forget: (at, limit) => store.deliveries.forget(at, limit, onError),
        now,
        timers,
        onError,
      })
    },
    stop: async () => {
      stopRetention()
      relay?.stop()
      await courier.stop()
    },
  }
}

function courierOf({ config, lease, startCourier, log }: EventPorts, relay: () => Relay): Courier {
  const { devLoopbackWebhooks, clockOffsetMs, mail, slackApi } = config
  return startCourier({
    data: () => ({ isDevelopment: devLoopbackWebhooks, clockOffsetMs, mail, slackApi, lease: lease?.shared }),
    onReports: ({ ended, returned, failures }) => {
      relay().ended(ended)
      relay().returned(returned)
      for (const reason of failures) log('an answer to Slack failed', { reason })
    },
    onLost: (error) => relay().lost(error),
  })
}

function servicesOf(
  { store, now, nextOrder, random }: EventPorts,
  vault: Sealing,
  wake: (delivery: Delivery) => void,
): Omit<Events['services'], 'answerSlack'> {
  return {
    newSigningSecret: (organization) => {
      const secret = newSecret(random)
      return { secret, sealed: vault.seal(organization, secret) }
    },
    sealed: vault,
    channels: {
      seal: (organization, settings, former) =>
        sealedChannel(organization, settings, { vault, newSecret: () => newSecret(random) }, former),
      open: (organization, fields) => openedConfig(organization, fields, vault),
    },
    enqueue: async (told, record) => {
      const id = orderedId(nextOrder(), random)
      const delivery: Delivery = { ...told, ...WAITED_FOR, id, createdAt: now() }
      store.deliveries.add(delivery)
      const kept = record?.(id)
      await (kept ? store.record(kept) : store.flushed())
      wake(delivery)
      return id
    },
    testPayload,
  }
}
