// Allowed hours and days in local time: tables for hours, wraps and clock changes, and Intl as an oracle.
import test from 'ava'
import fc from 'fast-check'
import { isOpen, isScheduleValid, nextOpening, WEEKDAYS, type Schedule } from '../../src/domain/time/schedule.js'
import { localTimeAt } from '../../src/domain/time/timezone.js'
import { runs } from '../support/depth.js'
import { changingZones, DAY, FROM, HOUR, localFields, SECOND, SEED, TO, weekdayIndex } from './zoneOracle.js'

const ZONES = changingZones()
const WORKDAYS = WEEKDAYS.slice(0, 5)
/** All offsets and clock changes in the tested years are multiples of it, so nothing opens or closes in between. */
const QUARTER = HOUR / 4

function expectOpen({ timezone, hoursStart, hoursEnd, days }: Schedule, instant: number): boolean {
  const fields = localFields(instant, timezone)
  const today = WEEKDAYS[weekdayIndex(fields)] ?? 'none'
  const yesterday = WEEKDAYS[(weekdayIndex(fields) + 6) % 7] ?? 'none'
  const isAllowed = (day: string): boolean => days.some((allowed) => allowed === day)
  if (hoursStart < hoursEnd) return isAllowed(today) && fields.hour >= hoursStart && fields.hour < hoursEnd
  return (isAllowed(today) && fields.hour >= hoursStart) || (isAllowed(yesterday) && fields.hour < hoursEnd)
}

function expectOpening(schedule: Schedule, now: number): number | undefined {
  if (expectOpen(schedule, now)) return now
  const first = Math.ceil(now / QUARTER) * QUARTER
  for (let at = first; at <= now + 15 * DAY; at += QUARTER) {
    if (expectOpen(schedule, at)) return at
  }
  return undefined
}

const zoneName = fc.constantFrom(...ZONES.map(([name]) => name))
const schedules: fc.Arbitrary<Schedule> = fc
  .record({
    timezone: zoneName,
    hoursStart: fc.integer({ min: 0, max: 23 }),
    hoursEnd: fc.integer({ min: 1, max: 24 }),
    days: fc.subarray([...WEEKDAYS]),
  })
  .filter(({ hoursStart, hoursEnd }) => isScheduleValid(hoursStart, hoursEnd))

/** Half of the instants are within a few hours of a clock change in the schedule's zone. */
const moments = schedules.chain((schedule) => {
  const changes = ZONES.find(([name]) => name === schedule.timezone)?.[1] ?? []
  const near = fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -6 * HOUR, max: 6 * HOUR }))
  const now = fc.oneof(
    fc.integer({ min: FROM, max: TO }),
    near.map(([change, shift]) => change + shift),
  )
  return fc.record({ schedule: fc.constant(schedule), now })
})

test('local time agrees with the oracle around every clock change', (t) => {
  for (const [timezone, changes] of ZONES) {
    for (const instant of changes.flatMap((change) => [change - SECOND, change - 1, change, change + SECOND])) {
      const fields = localFields(instant, timezone)
      const expected = { weekday: WEEKDAYS[weekdayIndex(fields)], hour: fields.hour, minute: fields.minute }
      t.like(localTimeAt(instant, timezone), expected, `${timezone} at ${instant}`)
    }
  }
})

test('local time agrees with the oracle at random instants of 60 years in every zone', (t) => {
  const names = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const instants = fc.integer({ min: Date.UTC(1972, 0, 1), max: Date.UTC(2032, 0, 1) })
  const agrees = fc.property(names, instants, (timezone, instant) => {
    const { weekday, hour, minute } = localTimeAt(instant, timezone)
    const fields = localFields(instant, timezone)
    return weekday === WEEKDAYS[weekdayIndex(fields)] && hour === fields.hour && minute === fields.minute
  })
  t.notThrows(() => fc.assert(agrees, { seed: SEED, numRuns: runs(5_000) }))
})

test('a schedule is open exactly when the oracle says so', (t) => {
  const agrees = fc.property(moments, ({ schedule, now }) => isOpen(schedule, now) === expectOpen(schedule, now))
  t.notThrows(() => fc.assert(agrees, { seed: SEED, numRuns: runs(5_000) }))
})

test('the next opening is the first open instant that the oracle finds', (t) => {
  const agrees = fc.property(moments, ({ schedule, now }) => {
    return nextOpening(schedule, now) === expectOpening(schedule, now)
  })
  t.notThrows(() => fc.assert(agrees, { seed: SEED, numRuns: runs(1_000) }))
})

test('every valid schedule with a day in it opens within 15 days', (t) => {
  const opens = fc.property(moments, ({ schedule, now }) => {
    return (nextOpening(schedule, now) === undefined) === (schedule.days.length === 0)
  })
  t.notThrows(() => fc.assert(opens, { seed: SEED, numRuns: runs(1_000) }))
})

const berlin = (hoursStart: number, hoursEnd: number, days: Schedule['days']): Schedule => {
  return { timezone: 'Europe/Berlin', hoursStart, hoursEnd, days }
}

/** Berlin is two hours ahead of UTC; 2025-06-13 is a Friday. */
const HOURS: [schedule: Schedule, instant: string, isOpenThen: boolean][] = [
  [berlin(9, 17, WORKDAYS), '2025-06-13T06:59:59.999Z', false],
  [berlin(9, 17, WORKDAYS), '2025-06-13T07:00:00Z', true],
  [berlin(9, 17, WORKDAYS), '2025-06-13T14:59:59.999Z', true],
  [berlin(9, 17, WORKDAYS), '2025-06-13T15:00:00Z', false],
  [berlin(9, 17, WORKDAYS), '2025-06-14T10:00:00Z', false],
  [berlin(0, 24, WORKDAYS), '2025-06-13T21:59:59.999Z', true],
  [berlin(0, 24, WORKDAYS), '2025-06-13T22:00:00Z', false],
  [berlin(0, 24, WORKDAYS), '2025-06-15T22:00:00Z', true],
  [berlin(23, 24, ['Fri']), '2025-06-13T21:30:00Z', true],
  [berlin(22, 6, ['Fri']), '2025-06-13T00:00:00Z', false],
  [berlin(22, 6, ['Fri']), '2025-06-13T19:59:59Z', false],
  [berlin(22, 6, ['Fri']), '2025-06-13T20:00:00Z', true],
  [berlin(22, 6, ['Fri']), '2025-06-14T00:00:00Z', true],
  [berlin(22, 6, ['Fri']), '2025-06-14T03:59:59Z', true],
  [berlin(22, 6, ['Fri']), '2025-06-14T04:00:00Z', false],
  [berlin(22, 6, ['Sat']), '2025-06-14T00:00:00Z', false],
  [berlin(22, 6, ['Sun']), '2025-06-16T00:00:00Z', true],
  [berlin(22, 6, ['Mon']), '2025-06-16T00:00:00Z', false],
  [berlin(5, 5, WORKDAYS), '2025-06-13T03:30:00Z', false],
  [berlin(0, 24, []), '2025-06-13T10:00:00Z', false],
]

for (const [schedule, instant, isOpenThen] of HOURS) {
  const { hoursStart, hoursEnd, days } = schedule
  const hours = `${hoursStart} to ${hoursEnd} on ${days.join(', ') || 'no day'}`
  test(`${hours} is ${isOpenThen ? 'open' : 'closed'} at ${instant} in Berlin`, (t) => {
    t.is(isOpen(schedule, Date.parse(instant)), isOpenThen)
  })
}

const OPENINGS: [title: string, schedule: Schedule, now: string, opening: string | undefined][] = [
  ['an open schedule opens now', berlin(9, 17, ['Fri']), '2025-06-13T08:12:34.567Z', '2025-06-13T08:12:34.567Z'],
  ['after hours it opens the next day', berlin(9, 17, ['Thu', 'Fri']), '2025-06-12T18:00Z', '2025-06-13T07:00Z'],
  ['on Friday evening it opens on Monday', berlin(9, 17, WORKDAYS), '2025-06-13T15:00Z', '2025-06-16T07:00Z'],
  ['one day a week opens a week later', berlin(9, 17, ['Fri']), '2025-06-13T15:00Z', '2025-06-20T07:00Z'],
  ['a wrap opens in the evening of its day', berlin(22, 6, ['Fri']), '2025-06-13T04:00Z', '2025-06-13T20:00Z'],
  ['no day never opens', berlin(0, 24, []), '2025-06-13T04:00Z', undefined],
  ['a skipped hour waits for the next day', berlin(2, 3, ['Sat', 'Sun']), '2025-03-30T00:30Z', '2025-04-05T00:00Z'],
  ['a skipped hour of one day waits two weeks', berlin(2, 3, ['Sun']), '2025-03-23T02:00Z', '2025-04-06T00:00Z'],
  ['hours that begin in a skipped hour open after it', berlin(2, 5, ['Sun']), '2025-03-30T00:30Z', '2025-03-30T01:00Z'],
  ['an hour shown twice opens at the first', berlin(2, 3, ['Sun']), '2025-10-25T20:00Z', '2025-10-26T00:00Z'],
  ['an hour shown twice is open at the second', berlin(2, 3, ['Sun']), '2025-10-26T01:30Z', '2025-10-26T01:30Z'],
  [
    'half an hour is skipped in Lord Howe',
    { timezone: 'Australia/Lord_Howe', hoursStart: 2, hoursEnd: 3, days: ['Sun'] },
    '2025-10-04T15:00Z',
    '2025-10-04T15:30Z',
  ],
  [
    'half an hour repeats in Lord Howe',
    { timezone: 'Australia/Lord_Howe', hoursStart: 1, hoursEnd: 2, days: ['Sun'] },
    '2025-04-05T15:10Z',
    '2025-04-05T15:10Z',
  ],
  [
    'a gap from a quarter to three opens within the hour in Chatham',
    { timezone: 'Pacific/Chatham', hoursStart: 3, hoursEnd: 4, days: ['Sun'] },
    '2025-09-27T13:00Z',
    '2025-09-27T14:00Z',
  ],
  [
    'a day without midnight opens at one in Cairo',
    { timezone: 'Africa/Cairo', hoursStart: 0, hoursEnd: 24, days: ['Fri'] },
    '2024-04-25T10:00Z',
    '2024-04-25T22:00Z',
  ],
  [
    'an hour before midnight that repeats reopens in Cairo',
    { timezone: 'Africa/Cairo', hoursStart: 23, hoursEnd: 24, days: ['Thu'] },
    '2024-10-31T20:00Z',
    '2024-10-31T20:00Z',
  ],
  [
    'two hours are skipped in Troll',
    { timezone: 'Antarctica/Troll', hoursStart: 1, hoursEnd: 4, days: ['Sun'] },
    '2025-03-30T00:00Z',
    '2025-03-30T01:00Z',
  ],
  [
    'two hours shown twice close in between in Troll',
    { timezone: 'Antarctica/Troll', hoursStart: 1, hoursEnd: 2, days: ['Sun'] },
    '2025-10-26T00:00Z',
    '2025-10-26T01:00Z',
  ],
  [
    'a weekday that was skipped waits a week in Apia',
    { timezone: 'Pacific/Apia', hoursStart: 9, hoursEnd: 17, days: ['Fri'] },
    '2011-12-29T20:00Z',
    '2012-01-05T19:00Z',
  ],
]

for (const [title, schedule, now, opening] of OPENINGS) {
  test(title, (t) => {
    const found = nextOpening(schedule, Date.parse(now))
    t.is(found, opening === undefined ? undefined : Date.parse(opening))
  })
}

const VALIDITY: [hoursStart: number, hoursEnd: number, isValid: boolean][] = [
  [0, 24, true],
  [9, 17, true],
  [22, 6, true],
  [23, 1, true],
  [23, 24, true],
  [5, 5, false],
  [22, 0, false],
  [24, 6, false],
  [0, 25, false],
  [-1, 6, false],
  [1.5, 6, false],
  [1, 6.5, false],
  [Number.NaN, 6, false],
  [1, Number.POSITIVE_INFINITY, false],
]

for (const [hoursStart, hoursEnd, isValid] of VALIDITY) {
  test(`hours ${hoursStart} to ${hoursEnd} are ${isValid ? 'valid' : 'refused'}`, (t) => {
    t.is(isScheduleValid(hoursStart, hoursEnd), isValid)
  })
}

test('an instant before 1970 has its weekday and hour', (t) => {
  const landing = Date.parse('1969-07-20T20:17:40Z')
  t.deepEqual(localTimeAt(landing, 'America/New_York'), { weekday: 'Sun', hour: 16, minute: 17 })
})
