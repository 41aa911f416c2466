// How the relay schedules: endpoints take turns, within limits for each endpoint, organization and receiver; slow
// receivers and other organizations delay nobody; and how much is handed ahead.
import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { endpointName, GOES_FIRST, type Delivery, type AttemptOutcome } from '../../src/domain/outcomes/delivery.js'
import { Dispatch } from '../../src/webhooks/dispatch.js'
import type { Job } from '../../src/webhooks/deliver.js'
import { processTiming } from '../../src/async/timing.js'
import { Relay } from '../../src/webhooks/relay.js'
import { runs } from '../support/depth.js'

interface Attempted {
  id: string
  organization: string
  /** Null at the organization's own endpoint. */
  agentId: string | null
  host: string
  number: number
  secret: string
  end: (outcome: Partial<AttemptOutcome>) => void
}

/** As `processTiming`, but the process goes on as long as the relay polls. */
function everyOf(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms)
  return () => clearInterval(timer)
}

/** A queue in memory, and attempts that last until the test ends them. */
class Stage {
  readonly rows = new Map<string, Delivery>()
  readonly under: Attempted[] = []
  readonly errors: unknown[] = []
  started: string[] = []
  now = 1_000
  /** The current signing secret. */
  secret = 'first'
  /** URLs by endpoint. */
  readonly urls = new Map<string, string>()
  /** Deliveries that were handed over and not reported yet, by number. */
  readonly ahead = new Map<number, string>()
  readonly damaged = new Set<string>()
  readonly relay: Relay
  dispatch = this.#open()
  #checks = new Set<() => void>()

  constructor(t: ExecutionContext) {
    this.relay = new Relay({
      queue: {
        endpoints: () =>
          new Set([...this.rows.values()].map(({ organization, agentId }) => endpointName(organization, agentId))),
        waiting: (endpoint, limit) => this.#waiting(endpoint).slice(0, limit),
        get: (_, id) => this.#read(id),
        change: (delivery, progress) => {
          this.#read(delivery.id)
          this.rows.set(delivery.id, { ...delivery, ...progress })
        },
        receipts: () => [],
      },
      flushed: async () => {},
      addressOf: async (organization, agentId) => ({
        url: this.urls.get(endpointName(organization, agentId))!,
        secrets: { current: this.secret },
      }),
      courier: this.#courier,
      now: () => this.now,
      timers: { ...processTiming, every: everyOf },
      waits: [10, 20],
      onOutcome: () => {},
      onFailed: () => {},
      onError: (error) => this.errors.push(error),
    })
    t.teardown(() => this.relay.stop())
  }

  #open(): Dispatch {
    return new Dispatch({
      attempt: (job) => this.#attempt(job),
      ended: (report) => {
        this.ahead.delete(report.number)
        this.relay.ended([report])
      },
      returned: (number) => {
        this.ahead.delete(number)
        this.relay.returned([number])
      },
      onError: (error) => this.errors.push(error),
    })
  }

  /** Forgets everything that was in progress. */
  crash(): void {
    this.under.length = 0
    this.dispatch = this.#open()
    this.relay.lost(new Error('It ended'))
  }

  #waiting(endpoint: string): { id: string; at: number }[] {
    const due = [...this.rows.values()].filter(({ dueAt }) => dueAt !== null)
    const own = due.filter(({ organization, agentId }) => endpointName(organization, agentId) === endpoint)
    return own.map(({ id, dueAt }) => ({ id, at: dueAt! })).sort((a, b) => a.at - b.at)
  }

  #read(id: string): Delivery | undefined {
    if (this.damaged.has(id)) throw new Error(`${id} is damaged`)
    return this.rows.get(id)
  }

  /** Receives everything later and in order, as the thread does. */
  get #courier(): ConstructorParameters<typeof Relay>[0]['courier'] {
    return {
      send: (batch) => {
        for (const { number, deliveryId } of batch.orders) this.ahead.set(number, deliveryId)
        setImmediate(() => this.dispatch.take(batch))
      },
      withdraw: (endpoint) => void setImmediate(() => this.dispatch.withdraw(endpoint)),
    }
  }

  #attempt({ deliveryId: id, url, attempt: number, secrets }: Job): Promise<AttemptOutcome> {
    const { organization, agentId } = this.rows.get(id)!
    this.started.push(id)
    return new Promise((resolve) => {
      const end = (outcome: Partial<AttemptOutcome>): void => {
        this.under.splice(
          this.under.findIndex((one) => one.id === id),
          1,
        )
        resolve({ at: this.now, durationMs: 0, ...outcome })
      }
      const { host } = new URL(url)
      this.under.push({ id, organization, agentId, host, number, secret: secrets!.current, end })
      for (const check of this.#checks) check()
    })
  }

  /**
   * Adds pending deliveries for an agent's callback, or for the organization's own endpoint; each has its own receiver
   * unless `host` names one.
   */
  add(agentId: string | null, count: number, { organization = 'o', host = agentId ?? 'own', dueAt = this.now } = {}) {
    this.urls.set(endpointName(organization, agentId), `https://${host}/`)
    for (let made = 0; made < count; made += 1) {
      const id = `${agentId}-${this.rows.size}`
      const row = {
        id,
        organization,
        agentId,
        status: 'PENDING',
        attempts: [],
        dueAt,
        target: `https://${host}/`,
      }
      this.rows.set(id, row as unknown as Delivery)
      this.relay.wake(this.rows.get(id)!)
    }
  }

  /** Lets all attempts in progress succeed, `rounds` times; each round doubles the limit of an endpoint. */
  async succeed(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      await settled()
      for (const one of this.under.slice()) one.end({ statusCode: 200 })
    }
    await settled()
  }

  /** Resolves when this many attempts are in progress. */
  underWay(count: number): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (this.under.length < count) return
        this.#checks.delete(check)
        resolve()
      }
      this.#checks.add(check)
      check()
    })
  }

  of(agentId: string | null): Attempted[] {
    return this.under.filter((one) => one.agentId === agentId)
  }

  aheadOf(agentId: string): number {
    return [...this.ahead.values()].filter((id) => id.startsWith(`${agentId}-`)).length
  }
}

/** Resolves when the relay has done all that it does at once. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** The largest number of attempts with the same `nameOf`. */
function most(under: Attempted[], nameOf: (one: Attempted) => string): number {
  const counts = new Map<string, number>()
  for (const one of under) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

function isWithinBounds(under: Attempted[]): boolean {
  const shared = most(under, ({ organization, host }) => `${organization} ${host}`)
  return most(under, ({ organization }) => organization) <= 64 && most(under, ({ host }) => host) <= 32 && shared <= 24
}

test('endpoints take turns, each with up to sixteen attempts at a time', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  stage.add('a', 60)
  stage.add('b', 60)
  for (let round = 0; round < 3; round += 1) {
    await settled()
    t.deepEqual([stage.of('a').length, stage.of('b').length], [16, 16])
    await stage.succeed(1)
  }
  const turns = stage.started.slice(0, 8).map((id) => id[0])
  t.deepEqual(turns, ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'])
})

test('a slow receiver delays no other', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  stage.add('slow', 1000)
  for (let round = 0; round < 50; round += 1) {
    stage.add('fast', 1)
    await stage.underWay(17)
    t.is(stage.of('slow').length, 16)
    stage.of('fast')[0]!.end({ statusCode: 204 })
  }
  await settled()
  t.is([...stage.rows.values()].filter(({ status }) => status === 'DELIVERED').length, 50)
})

test('an attempt without an answer does not hold up the next delivery', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  for (const agentId of ['a', null]) {
    stage.add(agentId, 1)
    await stage.underWay(1)
    stage.add(agentId, 1)
    await stage.underWay(2)
    t.is(stage.of(agentId).length, 2)
    for (const { end } of stage.under.slice()) end({ statusCode: 200 })
    await settled()
  }
})

test('an endpoint that answers every tenth delivery with an error is not slowed down', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  stage.add(null, 1_000)
  for (let round = 0; round < 40; round += 1) {
    await settled()
    t.is(stage.under.length, 16)
    for (const [at, one] of stage.under.slice().entries()) one.end({ statusCode: at % 10 === 0 ? 500 : 200 })
  }
})

test('a second attempt is made when it is due, however many deliveries fail', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  stage.add(null, 12)
  await stage.underWay(12)
  for (const one of stage.under.slice()) one.end({ statusCode: 500 })
  await settled()
  stage.now += 10
  await stage.underWay(12)
  t.true(stage.under.every(({ number }) => number === 2))
})

test('where slots are scarce, an endpoint has one, and one more per success', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  for (let agent = 0; agent < 40; agent += 1) stage.add(`a${agent}`, 60)
  await settled()
  t.is(
    most(stage.under, ({ agentId }) => agentId!),
    1,
  )
  t.is(stage.under.length, 40)
  for (const length of [2, 3]) {
    stage.of('a0')[0]!.end({ statusCode: 200 })
    await settled()
    t.is(stage.of('a0').length, length)
  }
  for (const length of [2, 1, 1]) {
    stage.of('a0')[0]!.end({ statusCode: 500 })
    await settled()
    t.is(stage.of('a0').length, length)
  }
})

test("agents' callbacks that hang take no slot from the organization's own endpoint", async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  for (let agent = 0; agent < 70; agent += 1) stage.add(`a${agent}`, 20, { host: agent < 40 ? 'own' : `a${agent}` })
  await settled()
  t.is(stage.under.length, 24 + 30)
  stage.add(null, 60)
  await stage.underWay(24 + 30 + 16)
  for (let round = 0; round < 4; round += 1) {
    for (const { end } of stage.of(null)) end({ statusCode: 200 })
    await settled()
  }
  t.is([...stage.rows.values()].filter(({ status }) => status === 'DELIVERED').length, 60)
})

test('a delivery that was asked for goes before all others of its endpoint', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  await wide(stage, 'a')
  t.true(stage.aheadOf('a') > 17)
  stage.add('a', 1, { dueAt: GOES_FIRST })
  await settled()
  stage.of('a')[0]!.end({ statusCode: 500 })
  await settled()
  t.is(stage.started.at(-1), [...stage.rows.keys()].at(-1))
})

test('an organization has at most 64 attempts at a time, and each waiting endpoint gets its turn', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  for (let agent = 0; agent < 100; agent += 1) stage.add(`a${agent}`, 20)
  stage.add('other', 1, { organization: 'p' })
  await settled()
  t.deepEqual([stage.under.length, stage.of('other').length], [65, 1])
  await stage.succeed(2)
  t.is(stage.under.length, 64)
  t.is(new Set(stage.started.map((id) => id.split('-')[0])).size, 101)
})

test('a receiver gets at most 32 attempts at a time from all organizations together', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  for (let agent = 0; agent < 100; agent += 1)
    stage.add(`a${agent}`, 1, { organization: `o${agent % 50}`, host: 'hangs' })
  for (let agent = 0; agent < 50; agent += 1) stage.add(`b${agent}`, 1, { organization: `o${agent}` })
  await settled()
  t.is(stage.under.length, 32 + 50)
})

test('a hanging receiver of an organization does not block its other receivers', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  for (let agent = 0; agent < 200; agent += 1) stage.add(`a${agent}`, 1, { host: 'hangs' })
  for (let agent = 0; agent < 32; agent += 1) stage.add(`b${agent}`, 1)
  await settled()
  t.is(stage.under.filter(({ agentId }) => agentId!.startsWith('b')).length, 32)
  // Nothing is left in a queue that nothing moves.
  await stage.succeed(10)
  t.true([...stage.rows.values()].every(({ status }) => status === 'DELIVERED'))
})

test('an organization has at most 24 attempts at a time to a receiver; others get the rest', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  for (let agent = 0; agent < 100; agent += 1) stage.add(`a${agent}`, 1, { host: 'hangs' })
  await settled()
  t.is(stage.under.length, 24)
  for (let agent = 0; agent < 8; agent += 1) stage.add(`b${agent}`, 1, { organization: 'p', host: 'hangs' })
  await settled()
  t.is(stage.under.filter(({ organization }) => organization === 'p').length, 8)
  await stage.succeed(10)
  t.true([...stage.rows.values()].every(({ status }) => status === 'DELIVERED'))
})

test('a slot that an organization at its own limit cannot take goes to the next in line', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  for (let agent = 0; agent < 32; agent += 1) stage.add(`a${agent}`, 1, { organization: `o${agent}`, host: 'busy' })
  stage.add('first', 1, { organization: 'p', host: 'busy' })
  for (let agent = 0; agent < 64; agent += 1) stage.add(`b${agent}`, 1, { organization: 'p' })
  stage.add('second', 1, { organization: 'q', host: 'busy' })
  await settled()
  t.deepEqual([stage.under.length, stage.of('first').length, stage.of('second').length], [96, 0, 0])
  stage.of('a0')[0]!.end({ statusCode: 200 })
  await settled()
  t.deepEqual([stage.of('first').length, stage.of('second').length], [0, 1])
  stage.of('b0')[0]!.end({ statusCode: 200 })
  stage.of('a1')[0]!.end({ statusCode: 200 })
  await settled()
  t.is(stage.of('first').length, 1)
})

test('the last organization to reach a receiver waits for at most one attempt of each other one', async (t) => {
  const others = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 })
  const property = fc.asyncProperty(others, fc.infiniteStream(fc.nat()), async (endpoints, picks) => {
    const stage = new Stage(t)
    stage.relay.start()
    endpoints.forEach((count, at) => {
      const there = { organization: `o${at}`, host: 'busy' }
      for (let agent = 0; agent < count; agent += 1) stage.add(`a${at}-${agent}`, 5, there)
    })
    await settled()
    stage.started = []
    stage.add('late', 1, { organization: 'late', host: 'busy' })
    await settled()
    for (let ended = 0; stage.of('late').length === 0 && ended <= endpoints.length; ended += 1) {
      stage.under[picks.next().value % stage.under.length]!.end({ statusCode: 200 })
      // What arrives at the same moment goes behind those that wait.
      stage.add(`new-${ended}`, 1, { organization: 'o0', host: 'busy' })
      await settled()
    }
    stage.relay.stop()
    const before = stage.started.slice(0, -1).map((id) => stage.rows.get(id)!.organization)
    t.is(stage.rows.get(stage.started.at(-1)!)!.organization, 'late')
    t.is(new Set(before).size, before.length)
  })
  await fc.assert(property, { numRuns: runs(40) })
})

test('in any order of arrivals and outcomes, no limit is exceeded and nothing is left waiting', async (t) => {
  const statusCodes = fc.constantFrom(200, 200, 400)
  const arrival = fc.record({ organization: fc.nat(2), host: fc.nat(3), count: fc.nat(60), statusCode: statusCodes })
  const many = fc.array(arrival, { maxLength: 25 })
  const property = fc.asyncProperty(many, fc.infiniteStream(fc.nat()), async (arrivals, picks) => {
    const stage = new Stage(t)
    stage.relay.start()
    const ends = (count: number, statusCode: number): void => {
      for (let at = 0; at < count && stage.under.length > 0; at += 1) {
        stage.under[picks.next().value % stage.under.length]!.end({ statusCode })
      }
    }
    for (const { organization, host, count, statusCode } of arrivals) {
      for (let at = 0; at < count; at += 1) {
        stage.add(`${organization}-${host}-${at}`, 2, { organization: `o${organization}`, host: `h${host}` })
      }
      ends(picks.next().value % 60, statusCode)
      await settled()
      t.true(isWithinBounds(stage.under))
    }
    while (stage.under.length > 0) {
      ends(stage.under.length, 200)
      await settled()
      t.true(isWithinBounds(stage.under))
    }
    stage.relay.stop()
    t.is(new Set(stage.started).size, stage.started.length)
    t.true([...stage.rows.values()].every(({ status }) => status !== 'PENDING'))
  })
  await fc.assert(property, { numRuns: runs(40) })
})

test('a new endpoint gets its turn even if all attempts are in use', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  for (let at = 0; at < 40; at += 1) stage.add(`e${at}`, 100, { organization: `o${at}` })
  await stage.succeed(4)
  t.is(stage.under.length, 512)
  stage.add('late', 1)
  await settled()
  // Each end frees one slot; the late one gets its turn within one round.
  for (let ended = 0; ended < 41 && stage.of('late').length === 0; ended += 1) {
    stage.under[0]!.end({ statusCode: 200 })
    await settled()
  }
  t.is(stage.of('late').length, 1)
})

test('a delivery is attempted three times, each when it is due, never twice at a time, and then no more', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  stage.add('a', 1)
  for (const number of [1, 2, 3]) {
    await stage.underWay(1)
    t.is(stage.under[0]!.number, number)
    stage.under[0]!.end({ statusCode: 500 })
    await settled()
    t.is(stage.under.length, 0)
    stage.now += 20
  }
  const [row] = [...stage.rows.values()]
  t.like(row, { status: 'FAILED', dueAt: null })
  t.is(row!.attempts.length, 3)
  stage.add('a', 1)
  await stage.succeed(2)
  t.deepEqual(stage.started, ['a-0', 'a-0', 'a-0', 'a-1'])
})

test('deliveries that are pending at the start are sent', async (t) => {
  const stage = new Stage(t)
  stage.add('a', 3)
  stage.add('b', 3)
  stage.relay.start()
  await stage.underWay(2)
  await stage.succeed(2)
  t.true([...stage.rows.values()].every(({ status }) => status === 'DELIVERED'))
  t.deepEqual(stage.errors, [])
})

const HOUR_MS = 3_600_000

test('after the clock was set back, deliveries from disk are sent at once', async (t) => {
  const stage = new Stage(t)
  stage.now += HOUR_MS
  stage.add('a', 3)
  stage.now -= HOUR_MS
  stage.relay.start()
  await stage.succeed(2)
  t.deepEqual(stage.started, ['a-0', 'a-1', 'a-2'])
})

test('a retry does not wait for as long as the clock was set back', async (t) => {
  const stage = new Stage(t)
  stage.now += HOUR_MS
  stage.relay.start()
  stage.add('a', 1)
  await stage.underWay(1)
  stage.under[0]!.end({ statusCode: 500 })
  await settled()
  stage.now -= HOUR_MS
  await stage.underWay(1)
  t.is(stage.under[0]!.number, 2)
})

test('a delivery waits for as long as Retry-After says', async (t) => {
  const stage = new Stage(t)
  stage.now += 600_000
  stage.add('a', 1)
  stage.now -= 600_000
  stage.relay.start()
  await settled()
  t.deepEqual(stage.started, [])
  stage.now += 600_000
  await stage.underWay(1)
})

/** An endpoint that succeeded so often that many deliveries are handed ahead. */
async function wide(stage: Stage, agentId: string): Promise<void> {
  stage.add(agentId, 1_000)
  await stage.succeed(8)
}

test('each success lets more be handed ahead, up to a limit; without one it is as many as are attempted', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  stage.add('hangs', 100)
  stage.add('a', 1_000)
  for (let round = 0; round < 30; round += 1) {
    await settled()
    for (const { end } of stage.of('a')) end({ statusCode: 200 })
  }
  await settled()
  t.deepEqual([stage.aheadOf('hangs'), stage.aheadOf('a')], [16, 256])
  t.deepEqual([stage.of('hangs').length, stage.of('a').length], [16, 16])
})

test('deliveries that wait long behind a slow receiver are returned, and sent when it answers', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  await wide(stage, 'a')
  t.true(stage.aheadOf('a') > 17)
  stage.dispatch.tidy()
  await settled()
  t.true(stage.aheadOf('a') > 17)
  stage.dispatch.tidy()
  await settled()
  t.is(stage.aheadOf('a'), 17)
  while (stage.under.length > 0) await stage.succeed(1)
  t.true([...stage.rows.values()].every(({ status }) => status === 'DELIVERED'))
  t.is(new Set(stage.started).size, stage.started.length)
})

test('deliveries that are not begun when settings change are sent with the new settings', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  await wide(stage, 'a')
  await wide(stage, 'b')
  const begun = new Set(stage.under.map(({ id }) => id))
  stage.secret = 'second'
  stage.urls.set(endpointName('o', 'a'), 'https://elsewhere/')
  stage.relay.changed('o', 'a')
  await settled()
  while (stage.of('a').length > 0) {
    for (const { id, secret, host, end } of stage.of('a')) {
      t.deepEqual([secret, host], begun.has(id) ? ['first', 'a'] : ['second', 'elsewhere'])
      end({ statusCode: 200 })
    }
    await settled()
  }
  for (const { end } of stage.of('b')) end({ statusCode: 200 })
  await settled()
  t.true(stage.of('b').every(({ secret }) => secret === 'first'))
  stage.relay.changed('o')
  await settled()
  for (const { end } of stage.of('b')) end({ statusCode: 200 })
  await settled()
  t.true(stage.of('b').every(({ secret }) => secret === 'second'))
})

test('nothing waits for the old receiver of an endpoint once the new one is seen', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  await wide(stage, 'a')
  const begun = new Set(stage.under.map(({ id }) => id))
  // The new settings are read before the relay is notified of the change.
  stage.urls.set(endpointName('o', 'a'), 'https://elsewhere/')
  stage.of('a')[0]!.end({ statusCode: 200 })
  await settled()
  stage.relay.changed('o', 'a')
  await settled()
  const isLast = ({ host }: Attempted): boolean => host === 'a'
  for (const { end } of stage.under.filter(isLast)) end({ statusCode: 200 })
  await settled()
  t.deepEqual(
    stage.under.filter((one) => isLast(one) && !begun.has(one.id)),
    [],
  )
  while (stage.under.length > 0) await stage.succeed(1)
  t.true([...stage.rows.values()].every(({ status }) => status === 'DELIVERED'))
})

test('an endpoint that moves away from a hanging receiver does not wait for it', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  for (let agent = 0; agent < 40; agent += 1) stage.add(`a${agent}`, 1, { organization: `o${agent}`, host: 'hangs' })
  stage.add('moves', 2, { organization: 'p', host: 'hangs' })
  await settled()
  t.is(stage.of('moves').length, 0)
  stage.urls.set(endpointName('p', 'moves'), 'https://elsewhere/')
  stage.relay.changed('p', 'moves')
  await settled()
  t.deepEqual(
    stage.of('moves').map(({ host }) => host),
    ['elsewhere', 'elsewhere'],
  )
  await stage.succeed(10)
  t.true([...stage.rows.values()].every(({ status }) => status === 'DELIVERED'))
})

test('after a courier is lost, its deliveries are sent again later, and no others are', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  stage.add('a', 2)
  await settled()
  const lost = new Set(stage.ahead.values())
  stage.crash()
  stage.add('b', 1)
  await stage.underWay(1)
  t.deepEqual(
    stage.under.map(({ agentId }) => agentId),
    ['b'],
  )
  await stage.underWay(3)
  t.deepEqual(new Set(stage.of('a').map(({ id }) => id)), lost)
  t.is(stage.errors.length, 1)
})

test('a damaged row does not block other deliveries', async (t) => {
  const stage = new Stage(t)
  stage.add('a', 3)
  stage.damaged.add('a-0')
  stage.relay.start()
  for (let round = 0; round < 2; round += 1) {
    // The relay comes back to the others on a timer.
    await stage.underWay(1)
    stage.under[0]!.end({ statusCode: 200 })
  }
  t.deepEqual(stage.started, ['a-1', 'a-2'])
  t.true(stage.errors.every((error) => (error as Error).message === 'a-0 is damaged') && stage.errors.length > 0)
})

test('an attempt whose outcome cannot be stored is made again', async (t) => {
  const stage = new Stage(t)
  stage.relay.start()
  stage.add('a', 1)
  await stage.underWay(1)
  stage.damaged.add('a-0')
  stage.under[0]!.end({ statusCode: 200 })
  await settled()
  stage.damaged.clear()
  await stage.underWay(1)
  await stage.succeed(1)
  t.deepEqual([stage.started, stage.errors.length], [['a-0', 'a-0'], 1])
  t.is(stage.rows.get('a-0')!.status, 'DELIVERED')
})
