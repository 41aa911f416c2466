// Calendar windows against Intl as an independent oracle, and a table of unusual days.
import test from 'ava'
import fc from 'fast-check'
import { isCalendarDay, isTimezone, windowsAt, type Period } from '../../src/domain/time/windows.js'
import { isFull, runs } from '../support/depth.js'
import { changingZones, FROM, HOUR, localFields, SECOND, SEED, TO, weekdayIndex } from './zoneOracle.js'

const PERIODS: readonly Period[] = ['day', 'week', 'month']
const ZONES = changingZones()

/** The same text for every instant of one local day, week or month, and for no other. */
function periodName(period: Period, instant: number, timezone: string): string {
  const fields = localFields(instant, timezone)
  if (period === 'month') return `${fields.year}-${fields.month}`
  const day = period === 'day' ? fields.day : fields.day - weekdayIndex(fields)
  return new Date(Date.UTC(fields.year, fields.month - 1, day)).toISOString().slice(0, 10)
}

/** The differences between the oracle and the windows at an instant; empty if they agree. */
function objections(instant: number, timezone: string): string[] {
  const windows = windowsAt(instant, timezone)
  return PERIODS.flatMap((period) => {
    const { start, end } = windows[period]
    const name = periodName(period, instant, timezone)
    const isInside = (at: number): boolean => periodName(period, at, timezone) === name
    const isRight = start <= instant && instant < end && isInside(start) && isInside(end - 1)
    if (isRight && !isInside(start - 1) && !isInside(end)) return []
    const [from, to] = [new Date(start).toISOString(), new Date(end).toISOString()]
    return [`${timezone} at ${new Date(instant).toISOString()}: the ${period} ${name} is not ${from} to ${to}`]
  })
}

function objectionsAround(instant: number, timezone: string): string[] {
  return [-SECOND, -1, 0, SECOND].flatMap((shift) => objections(instant + shift, timezone))
}

function boundaries(instant: number, timezone: string): number[] {
  const windows = windowsAt(instant, timezone)
  return [...new Set(PERIODS.flatMap((period) => [windows[period].start, windows[period].end]))]
}

const within = fc.integer({ min: FROM, max: TO - 1 })

test('windows agree with the oracle at 1,000 random instants and at their boundaries', (t) => {
  const timezone = fc.constantFrom(...ZONES.map(([name]) => name))
  const agrees = fc.property(timezone, within, (zone, instant) => {
    const found = [instant, ...boundaries(instant, zone)].flatMap((at) => objectionsAround(at, zone))
    if (found.length > 0) throw new Error(found.join('\n'))
  })
  t.notThrows(() => fc.assert(agrees, { seed: SEED, numRuns: runs(1_000) }))
})

test('windows agree with the oracle at random instants of every zone that changes its clocks', (t) => {
  for (const [timezone] of ZONES) {
    const agrees = fc.property(within, (instant) => {
      const found = objections(instant, timezone)
      if (found.length > 0) throw new Error(found.join('\n'))
    })
    t.notThrows(() => fc.assert(agrees, { seed: SEED, numRuns: runs(60) }), timezone)
  }
})

test('windows agree with the oracle around every change of the clocks and at the boundaries near it', (t) => {
  t.true(!isFull || ZONES.length > 100)
  for (const [timezone, changes] of ZONES) {
    for (const change of changes) {
      const near = [change, ...boundaries(change - 1, timezone), ...boundaries(change, timezone)]
      t.deepEqual(
        near.flatMap((at) => objectionsAround(at, timezone)),
        [],
      )
    }
  }
})

type OddDay = [timezone: string, instant: string, dayStart: string, day: number, week: number, month: number]

const DAYS: OddDay[] = [
  ['UTC', '2025-06-11T10:00Z', '2025-06-11T00:00Z', 24, 168, 720],
  ['Europe/Berlin', '2025-03-30T10:00Z', '2025-03-29T23:00Z', 23, 167, 743],
  ['Europe/Berlin', '2025-10-26T10:00Z', '2025-10-25T22:00Z', 25, 169, 745],
  ['Europe/Berlin', '2024-02-29T10:00Z', '2024-02-28T23:00Z', 24, 168, 696],
  ['Asia/Kathmandu', '2025-01-01T10:00Z', '2024-12-31T18:15Z', 24, 168, 744],
  ['Australia/Lord_Howe', '2025-04-06T01:00Z', '2025-04-05T13:00Z', 24.5, 168.5, 720.5],
  ['Australia/Lord_Howe', '2025-10-05T01:00Z', '2025-10-04T13:30Z', 23.5, 167.5, 743.5],
  ['America/Sao_Paulo', '2018-11-04T10:00Z', '2018-11-04T03:00Z', 23, 167, 719],
  ['America/Sao_Paulo', '2018-02-17T10:00Z', '2018-02-17T02:00Z', 25, 169, 673],
  ['Africa/Cairo', '2024-04-26T10:00Z', '2024-04-25T22:00Z', 23, 167, 719],
  ['Africa/Cairo', '2024-10-31T10:00Z', '2024-10-30T21:00Z', 25, 169, 745],
  ['Asia/Beirut', '2025-03-30T10:00Z', '2025-03-29T22:00Z', 23, 167, 743],
  ['Antarctica/Troll', '2025-03-30T10:00Z', '2025-03-30T00:00Z', 22, 166, 742],
  ['Antarctica/Troll', '2025-10-26T10:00Z', '2025-10-25T22:00Z', 26, 170, 746],
  ['Africa/Casablanca', '2025-02-23T10:00Z', '2025-02-22T23:00Z', 25, 169, 673],
  ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29T10:00Z', 24, 144, 720],
  ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-30T10:00Z', 24, 144, 720],
]

for (const [timezone, instant, dayStart, dayHours, weekHours, monthHours] of DAYS) {
  test(`the day of ${instant} in ${timezone} begins ${dayStart} and has ${dayHours} hours`, (t) => {
    const { day, week, month } = windowsAt(Date.parse(instant), timezone)
    t.is(new Date(day.start).toISOString(), new Date(dayStart).toISOString())
    t.deepEqual(
      [day, week, month].map(({ start, end }) => (end - start) / HOUR),
      [dayHours, weekHours, monthHours],
    )
  })
}

test('Saturday time that repeats after Sunday has begun counts as Sunday', (t) => {
  const sunday = Date.parse('2010-11-07T02:30Z')
  const shownAgain = Date.parse('2010-11-07T02:40Z')
  t.like(localFields(shownAgain, 'America/St_Johns'), { day: 6, hour: 23, minute: 10 })
  t.deepEqual(windowsAt(shownAgain, 'America/St_Johns').day, { start: sunday, end: sunday + 25 * HOUR })
  t.is(windowsAt(sunday - 1, 'America/St_Johns').day.end, sunday)
})

test('windows before 1970 contain their instant', (t) => {
  const { day, month } = windowsAt(Date.parse('1969-07-20T20:17Z'), 'America/New_York')
  t.deepEqual(day, { start: Date.parse('1969-07-20T04:00Z'), end: Date.parse('1969-07-21T04:00Z') })
  t.is(month.start, Date.parse('1969-07-01T04:00Z'))
})

test('windows do not depend on earlier calls, over more zones than are cached', (t) => {
  const names = Intl.supportedValuesOf('timeZone')
  const spelled = [...names, ...names.map((name) => name.toUpperCase()), ...names.map((name) => name.toLowerCase())]
  t.true(new Set(spelled).size > 1_100)
  const asked = spelled.map((timezone, index) => ({ timezone, now: FROM + ((index * 7_919) % 1_461) * 24 * HOUR }))
  const answers = asked.map(({ timezone, now }) => windowsAt(now, timezone))
  const backwards = asked.toReversed().map(({ timezone, now }) => windowsAt(now, timezone))
  t.deepEqual(backwards.toReversed(), answers)
})

test('windows are frozen', (t) => {
  const windows = windowsAt(FROM, 'UTC')
  t.true(Object.isFrozen(windows))
  t.true(PERIODS.every((period) => Object.isFrozen(windows[period])))
})

test('windows of an unknown zone are a RangeError, each time', (t) => {
  t.throws(() => windowsAt(FROM, 'Mars/Olympus'), { instanceOf: RangeError })
  t.throws(() => windowsAt(FROM, 'Mars/Olympus'), { instanceOf: RangeError })
})

test('windows of an invalid instant are a RangeError, even in a cached zone', (t) => {
  windowsAt(FROM, 'UTC')
  t.throws(() => windowsAt(Number.NaN, 'UTC'), { instanceOf: RangeError })
  t.throws(() => windowsAt(Number.POSITIVE_INFINITY, 'UTC'), { instanceOf: RangeError })
})

test('every zone that Intl lists is a timezone', (t) => {
  t.deepEqual(
    Intl.supportedValuesOf('timeZone').filter((name) => !isTimezone(name)),
    [],
  )
})

const NAMES = ['UTC', 'utc', 'Etc/UTC', 'GMT', 'Etc/GMT+5', 'europe/berlin', 'US/Eastern', 'Asia/Kolkata']

for (const name of [...NAMES, 'Europe/Kyiv', 'America/Argentina/ComodRivadavia']) {
  test(`${name} is a timezone`, (t) => {
    t.true(isTimezone(name))
  })
}

const REFUSED: [title: string, value: unknown][] = [
  ['an offset', '+02:00'],
  ['a short offset', '-08'],
  ['an offset with the minus sign of typography', '\u221208:00'],
  ['empty text', ''],
  ['the letter Z', 'Z'],
  ['a name that does not exist', 'Mars/Olympus'],
  ['a name with a space before it', ' Europe/Berlin'],
  ['a name with a line feed after it', 'Europe/Berlin\n'],
  ['a date that carries a zone', '2025-01-01T00:00[Europe/Berlin]'],
  ['a date that carries an offset', '2025-01-01T00:00+02:00'],
  ['a name that only ICU knows', 'AET'],
  ['an offset from UTC', 'UTC+5'],
  ['a property of every object', 'constructor'],
  ['text of a megabyte', 'A'.repeat(1_000_000)],
  ['a number', 2],
  ['null', null],
  ['undefined', undefined],
  ['a list', ['UTC']],
  ['an object that reads UTC', { toString: () => 'UTC' }],
]

for (const [title, value] of REFUSED) {
  test(`${title} is not a timezone`, (t) => {
    t.false(isTimezone(value))
  })
}

test('only days that exist in the calendar are calendar days', (t) => {
  for (const day of ['2026-01-31', '2024-02-29', '2000-02-29', '0001-01-01']) t.true(isCalendarDay(day), day)
  const others = ['2026-02-29', '1900-02-29', '2026-04-31', '2026-00-10', '2026-13-01', '2026-01-00', '2026-01-32']
  for (const text of [...others, '2026-1-31', '2026-01-31T00:00:00Z', '', 'today']) t.false(isCalendarDay(text), text)
})
