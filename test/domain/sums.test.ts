import fc from 'fast-check'
import test from 'ava'
import {
  counted,
  PERIODS,
  sumsAt,
  sumsMoved,
  withCapture,
  withHold,
  withoutCapture,
  withSpendingOf,
  type Sums,
} from '../../src/domain/limits/sums.js'
import { windowsAt } from '../../src/domain/time/windows.js'
import { runs } from '../support/depth.js'

const NONE = { start: 0, spent: 0 }
const EMPTY: Sums = { held: 0, day: NONE, week: NONE, month: NONE }
const at = (text: string): number => Date.parse(text)

/** Holds and captures 5 at `time`. */
function paid(sums: Sums, time: string, zone: string): Sums {
  return withCapture(withHold(sumsAt(sums, at(time), zone), 5), 5)
}

test("undoing a capture after its day does not change the new day's sum", (t) => {
  const sums = sumsAt(paid(EMPTY, '2026-03-03T23:00:00Z', 'UTC'), at('2026-03-04T01:00:00Z'), 'UTC')
  t.is(counted(withoutCapture(sums, 5, at('2026-03-03T23:00:00Z')), 'day'), 0)
  t.is(counted(withoutCapture(sums, 5, at('2026-03-03T23:00:00Z')), 'week'), 0)
})

test("a change of the zone keeps the day's sum", (t) => {
  const sums = paid(EMPTY, '2026-03-04T01:00:00Z', 'UTC')
  t.is(counted(sumsMoved(sums, at('2026-03-04T02:00:00Z'), 'UTC', 'America/New_York'), 'day'), 5)
})

test('undoing a capture from before a zone change reduces the windows that count it', (t) => {
  const early = paid(EMPTY, '2026-03-03T23:00:00Z', 'UTC')
  const both = paid(early, '2026-03-04T01:00:00Z', 'UTC')
  const moved = sumsMoved(both, at('2026-03-04T02:00:00Z'), 'UTC', 'America/New_York')
  t.is(counted(moved, 'day'), 10)
  t.is(counted(withoutCapture(moved, 5, at('2026-03-03T23:00:00Z')), 'day'), 5)
  t.is(counted(withoutCapture(moved, 5, at('2026-03-03T04:00:00Z')), 'day'), 10)
})

test('a zone behind, where the day, week and month before have not ended, counts what was spent in them', (t) => {
  const sums = paid(EMPTY, '2026-11-30T23:30:00Z', 'UTC')
  const moved = sumsMoved(sums, at('2026-12-01T00:30:00Z'), 'UTC', 'America/New_York')
  t.deepEqual([counted(moved, 'day'), counted(moved, 'week'), counted(moved, 'month')], [5, 5, 5])
})

test('a zone ahead, where the day, week and month began earlier, counts the whole day before the old ones', (t) => {
  // Monday, 1 June: in Berlin it began at 22:00 UTC the day before.
  const former = paid(EMPTY, '2026-05-30T12:00:00Z', 'UTC')
  const before = paid(former, '2026-05-31T21:30:00Z', 'UTC')
  const edge = paid(before, '2026-05-31T22:30:00Z', 'UTC')
  const sums = paid(edge, '2026-06-01T08:00:00Z', 'UTC')
  const moved = sumsMoved(sums, at('2026-06-01T09:00:00Z'), 'UTC', 'Europe/Berlin')
  t.deepEqual([counted(moved, 'day'), counted(moved, 'week'), counted(moved, 'month')], [15, 15, 15])
  const later = sumsMoved(sums, at('2026-06-04T09:00:00Z'), 'UTC', 'Europe/Berlin')
  t.deepEqual([counted(later, 'day'), counted(later, 'week'), counted(later, 'month')], [0, 15, 15])
  const next = sumsAt(moved, at('2026-07-06T09:00:00Z'), 'Europe/Berlin')
  t.deepEqual([counted(next, 'day'), counted(next, 'week'), counted(next, 'month')], [0, 0, 0])
})

test('a zone that is changed and changed back counts nothing twice', (t) => {
  const early = paid(EMPTY, '2026-06-01T20:00:00Z', 'UTC')
  const sums = paid(early, '2026-06-02T08:00:00Z', 'UTC')
  const there = sumsMoved(sums, at('2026-06-02T09:00:00Z'), 'UTC', 'America/New_York')
  t.is(counted(there, 'day'), 5)
  const back = sumsMoved(there, at('2026-06-02T09:01:00Z'), 'America/New_York', 'UTC')
  t.is(counted(back, 'day'), 5)
  const again = sumsMoved(back, at('2026-06-02T09:02:00Z'), 'UTC', 'Asia/Kolkata')
  t.is(counted(again, 'day'), 10)
  const twice = sumsMoved(again, at('2026-06-02T09:03:00Z'), 'Asia/Kolkata', 'UTC')
  t.is(counted(sumsMoved(twice, at('2026-06-02T09:04:00Z'), 'UTC', 'Asia/Kolkata'), 'day'), 10)
})

test('a zone that is changed twice in one direction counts nothing twice', (t) => {
  const sums = paid(EMPTY, '2026-05-31T22:30:00Z', 'UTC')
  const berlin = sumsMoved(sums, at('2026-06-01T05:00:00Z'), 'UTC', 'Europe/Berlin')
  t.is(counted(berlin, 'week'), 5)
  const kolkata = sumsMoved(berlin, at('2026-06-03T05:00:00Z'), 'Europe/Berlin', 'Asia/Kolkata')
  t.is(counted(kolkata, 'week'), 5)
})

test('a zone whose day was longer counts also what was spent just before the day before', (t) => {
  // In St. John's, 1 November begins half an hour before that of Buenos Aires, and ends half an hour after it.
  const early = paid(EMPTY, '2026-11-01T02:45:00Z', 'America/Argentina/Buenos_Aires')
  const sums = paid(early, '2026-11-01T12:00:00Z', 'America/Argentina/Buenos_Aires')
  const now = at('2026-11-02T03:15:00Z')
  const moved = sumsMoved(sums, now, 'America/Argentina/Buenos_Aires', 'America/St_Johns')
  t.deepEqual([counted(moved, 'day'), counted(moved, 'week'), counted(moved, 'month')], [10, 10, 10])
})

test('a zone ahead counts of a former month its last day alone', (t) => {
  const former = paid(EMPTY, '2026-05-12T12:00:00Z', 'UTC')
  const last = paid(former, '2026-05-31T12:00:00Z', 'UTC')
  const sums = paid(last, '2026-06-10T12:00:00Z', 'UTC')
  t.is(counted(sumsMoved(sums, at('2026-06-10T13:00:00Z'), 'UTC', 'Europe/Berlin'), 'month'), 10)
})

/** Zones at both ends of the day, and some whose distance changes sign with their clocks. */
const ZONES = [
  'UTC',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'Asia/Kolkata',
  'America/New_York',
  'Europe/Berlin',
  'Africa/Lagos',
  'Antarctica/Troll',
  'Australia/Adelaide',
  'Australia/Brisbane',
  'America/St_Johns',
  'America/Argentina/Buenos_Aires',
]
const MINUTE = 60_000
const AMOUNT = 5

const minutes = fc.oneof(fc.constantFrom(0, 15, 30), fc.integer({ min: 0, max: 40 * 60 }))
const step = fc.record({
  minutes,
  agent: fc.constantFrom(0, 1),
  does: fc.oneof(
    { weight: 4, arbitrary: fc.constant('pay') },
    { weight: 1, arbitrary: fc.constant('undo') },
    { weight: 2, arbitrary: fc.constantFrom(...ZONES) },
  ),
})
/** Most begin near the end of a month, or when clocks change. */
const beginnings = fc.oneof(
  fc.constantFrom('2026-10-24T20:00:00Z', '2026-10-31T20:00:00Z', '2026-04-30T12:00:00Z', '2026-05-31T00:00:00Z'),
  fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true }).map((date) => +date),
)
const stories = fc.record({
  begin: beginnings.map((time) => +new Date(time)),
  zone: fc.constantFrom(...ZONES),
  steps: fc.array(step, { minLength: 2, maxLength: 25 }),
})
type Story = typeof stories extends fc.Arbitrary<infer Value> ? Value : never

/** Two agents of one organization, each of which hears of a new zone with its next payment. */
class Agents {
  now: number
  zone: string
  /** All that was ever paid, undone or not. */
  made = 0
  /** With what each has spent, and when it last heard of a new zone; epoch ms. */
  readonly agents: { sums: Sums; zone: string; times: number[]; movedAt: number }[]

  constructor({ begin, zone }: Story) {
    this.now = begin
    this.zone = zone
    this.agents = [0, 1].map(() => ({ sums: EMPTY, zone, times: [], movedAt: -Infinity }))
  }

  take({ minutes: passed, agent: index, does }: Story['steps'][number]): void {
    this.now += passed * MINUTE
    if (does !== 'pay' && does !== 'undo') this.zone = does
    else this.#touch(this.agents[index]!, does)
  }

  #touch(agent: Agents['agents'][number], does: 'pay' | 'undo'): void {
    if (does === 'undo') {
      const time = agent.times.pop()
      if (time !== undefined) agent.sums = withoutCapture(agent.sums, AMOUNT, time)
      return
    }
    if (agent.zone !== this.zone) agent.movedAt = this.now
    const moved = sumsMoved(agent.sums, this.now, agent.zone, this.zone)
    Object.assign(agent, { sums: withCapture(withHold(moved, AMOUNT), AMOUNT), zone: this.zone })
    agent.times.push(this.now)
    this.made += AMOUNT
  }

  /** What both have spent together, by the sums. */
  together(): Sums {
    const [one, other] = this.agents.map(({ sums, zone }) => sumsMoved(sums, this.now, zone, this.zone))
    return withSpendingOf(one!, other!)
  }

  spentSince(start: number): number {
    return AMOUNT * this.agents.flatMap(({ times }) => times).filter((time) => time >= start).length
  }
}

/** Runs a story; `check` sees every step. */
function told(story: Story, check: (agents: Agents) => boolean): boolean {
  const agents = new Agents(story)
  return story.steps.every((one) => {
    agents.take(one)
    return check(agents)
  })
}

/** Of each window of a zone: what the sums count, what was spent, and since when. */
function windowsOf(agents: Agents, sums: Sums, zone: string): { kept: number; spent: number; start: number }[] {
  const windows = windowsAt(agents.now, zone)
  return PERIODS.map((period) => {
    const { start } = windows[period]
    return { kept: counted(sums, period), spent: agents.spentSince(start), start }
  })
}

test('no window of any zone ever counts less than was spent in it, nor any payment twice', (t) => {
  const isEnough = (agents: Agents): boolean => {
    const sums = agents.together()
    return ZONES.every((zone) => {
      const moved = sumsMoved(sums, agents.now, agents.zone, zone)
      return windowsOf(agents, moved, zone).every(({ kept, spent }) => kept >= spent && kept <= agents.made)
    })
  }
  fc.assert(
    fc.property(stories, (story) => told(story, isEnough)),
    { numRuns: runs(500) },
  )
  t.pass()
})

test('windows that began after a change of zone count exactly what was spent in them', (t) => {
  const isExact = (agents: Agents): boolean => {
    const isMoving = agents.agents.some(({ zone }) => zone !== agents.zone)
    if (isMoving) return true
    const since = Math.max(...agents.agents.map(({ movedAt }) => movedAt))
    const windows = windowsOf(agents, agents.together(), agents.zone)
    return windows.every(({ kept, spent, start }) => start <= since || kept === spent)
  }
  fc.assert(
    fc.property(stories, (story) => told(story, isExact)),
    { numRuns: runs(2_000) },
  )
  t.pass()
})
