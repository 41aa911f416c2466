// Wires events: the outbox that makes deliveries, the relay and courier thread that send them, and retention, which
// removes old ones. service.ts starts and stops it.
import { join } from 'node:path'
import { charts } from '../../machines/index.js'
import type { ActorHost } from '../actor/host.js'
import { statusOf } from '../actor/turn.js'
import type { Services } from '../commands/ports.js'
import type { Config } from '../config/config.js'
import { GOES_FIRST, type DeliveryAttempt, type Delivery, type AttemptOutcome } from '../domain/outcomes/delivery.js'
import type { Ref } from '../domain/limits/gate.js'
import { orderedId } from '../domain/values/ids.js'
import type { Log } from '../domain/values/log.js'
import { secretIn, WEBHOOKS_SECRET } from '../config/secrets.js'
import type { Query } from '../store/query.js'
import type { Store } from '../store/store.js'
import { addressesOf } from '../webhooks/address.js'
import { startCourier, type Courier } from '../webhooks/courierThread.js'
import { createOutbox, type Outbox } from '../webhooks/outbox.js'
import { testPayload } from '../webhooks/payloads.js'
import { Relay } from '../webhooks/relay.js'
import { startRetention } from '../webhooks/retention.js'
import { newSecret } from '../webhooks/sign.js'
import { Sealing } from '../webhooks/sealing.js'

export interface Events {
  outbox: Outbox
  services: Pick<Services, 'newSigningSecret' | 'enqueue' | 'testPayload'>
  /** Resumes pending deliveries, once the store is open. */
  start(host: ActorHost): void
  /** Stops at once: attempts under way are repeated after the next start. */
  stop(): Promise<void>
}

export interface EventPorts {
  config: Config
  store: Store
  query: Pick<Query, 'refs'>
  now(): number
  nextOrder(): number
  random(bytes: number): Uint8Array
  publicUrl(): string
  log: Log
}

/** A redelivery or a test. */
const WAITED_FOR = { status: 'PENDING', attempts: [] as DeliveryAttempt[], dueAt: GOES_FIRST } as const

export function createEvents(ports: EventPorts): Events {
  const { config, store, query, now, nextOrder, random, publicUrl, log } = ports
  const vault = new Sealing(secretIn(join(config.dataDir, WEBHOOKS_SECRET)))
  const onError = (error: unknown): void => log('events failed', { error })
  const onOutcome = ({ id }: Delivery, { error, detail }: AttemptOutcome): void => {
    if (detail !== undefined) log('delivery failed', { delivery: id, reason: error, detail })
  }
  let relay: Relay | undefined
  const courier = courierOf(config, () => relay!)
  let stopRetention = (): void => {}
  const wake = (delivery: Delivery): void => relay?.wake(delivery)
  return {
    outbox: createOutbox({
      nextOrder,
      random,
      statusOf: (actor) => statusOf(charts, actor),
      publicUrl,
      channels: (organization) => query.refs(`channels/${organization}`),
      wake,
      changed: (organization, of) => relay?.changed(organization, of),
    }),
    services: servicesOf(ports, vault, wake),
    start: (host) => {
      const addressOf = addressesOf({
        read: async (refs: readonly Ref[]) => refs.map((ref) => host.peek(ref)),
        vault,
        now,
        onError,
      })
      const [queue, flushed, waits] = [store.deliveries, () => store.flushed(), config.webhookRetryMs]
      relay = new Relay({ queue, flushed, addressOf, courier, now, waits, onOutcome, onError })
      relay.start()
      stopRetention = startRetention({
        forget: (at, limit) => store.deliveries.forget(at, limit, onError),
        now,
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

function courierOf({ devLoopbackWebhooks, clockOffsetMs, mail, slackApi }: Config, relay: () => Relay): Courier {
  return startCourier({
    data: () => ({ isDevelopment: devLoopbackWebhooks, clockOffsetMs, mail, slackApi }),
    onReports: ({ ended, returned }) => {
      relay().ended(ended)
      relay().returned(returned)
    },
    onLost: (error) => relay().lost(error),
  })
}

function servicesOf(
  { store, now, nextOrder, random }: EventPorts,
  vault: Sealing,
  wake: (delivery: Delivery) => void,
): Events['services'] {
  return {
    newSigningSecret: (organization) => {
      const secret = newSecret(random)
      return { secret, sealed: vault.seal(organization, secret) }
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
