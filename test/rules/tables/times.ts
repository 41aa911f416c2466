// Rules about the time of a payment.
import type { Facts } from '../../../rules/facts.js'
import { NOON } from '../policies.js'
import type { Table } from './table.js'

const at = (time: string): Facts => ({ now: Date.parse(time) })

const BERLIN = { start: '09:00', end: '17:30', timezone: 'Europe/Berlin' }
const NIGHT = { start: '22:00', end: '06:00' }
const DAYS = 'one of Mon, Tue, Wed'

export const TIMES: Table[] = [
  {
    rule: { ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: BERLIN },
    cases: [
      [at('2026-03-03T07:59:59.999Z'), 'TIME_WINDOW', 'It is 08:59 in Europe/Berlin, outside of 09:00 to 17:30'],
      [at('2026-03-03T08:00:00Z'), 'APPROVED', 'It is 09:00 in Europe/Berlin, inside of 09:00 to 17:30'],
      [at('2026-03-03T16:29:59.999Z'), 'APPROVED', 'It is 17:29 in Europe/Berlin, inside of 09:00 to 17:30'],
      [at('2026-03-03T16:30:00Z'), 'TIME_WINDOW', 'It is 17:30 in Europe/Berlin, outside of 09:00 to 17:30'],
      // In daylight saving time.
      [at('2026-07-03T07:00:00Z'), 'APPROVED', 'It is 09:00 in Europe/Berlin, inside of 09:00 to 17:30'],
    ],
  },
  {
    rule: { ruleType: 'TIME_WINDOW', operator: 'NOT_BETWEEN', value: BERLIN },
    cases: [
      [at('2026-03-03T07:59:59Z'), 'APPROVED', 'It is 08:59 in Europe/Berlin, outside of 09:00 to 17:30'],
      [at('2026-03-03T08:00:00Z'), 'TIME_WINDOW', 'It is 09:00 in Europe/Berlin, inside of 09:00 to 17:30'],
    ],
  },
  {
    rule: { ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: NIGHT, action: 'DENY' },
    cases: [
      [at('2026-03-03T21:59:00Z'), 'APPROVED', 'It is 21:59 in UTC, outside of 22:00 to 06:00'],
      [at('2026-03-03T22:00:00Z'), 'TIME_WINDOW', 'It is 22:00 in UTC, inside of 22:00 to 06:00'],
      [at('2026-03-03T00:00:00Z'), 'TIME_WINDOW', 'It is 00:00 in UTC, inside of 22:00 to 06:00'],
      [at('2026-03-03T05:59:00Z'), 'TIME_WINDOW', 'It is 05:59 in UTC, inside of 22:00 to 06:00'],
      [at('2026-03-03T06:00:00Z'), 'APPROVED', 'It is 06:00 in UTC, outside of 22:00 to 06:00'],
    ],
  },
  {
    rule: { ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: { start: '12:00', end: '24:00' } },
    cases: [
      [at('2026-03-03T23:59:59Z'), 'APPROVED', 'It is 23:59 in UTC, inside of 12:00 to 24:00'],
      [at('2026-03-04T00:00:00Z'), 'TIME_WINDOW', 'It is 00:00 in UTC, outside of 12:00 to 24:00'],
    ],
  },
  {
    rule: { ruleType: 'DAY_OF_WEEK', operator: 'IN_LIST', value: ['Mon', 'Tue', 'Wed'] },
    cases: [
      [at('2026-03-01T23:59:59.999Z'), 'TIME_WINDOW', `It is Sun in UTC, which is not ${DAYS}`],
      [at('2026-03-02T00:00:00Z'), 'APPROVED', `It is Mon in UTC, which is ${DAYS}`],
      [at('2026-03-04T23:59:59.999Z'), 'APPROVED', `It is Wed in UTC, which is ${DAYS}`],
      [at('2026-03-05T00:00:00Z'), 'TIME_WINDOW', `It is Thu in UTC, which is not ${DAYS}`],
    ],
  },
  {
    rule: {
      ruleType: 'DAY_OF_WEEK',
      operator: 'NOT_IN_LIST',
      value: ['Mon', 'Tue', 'Wed'],
      action: 'REQUIRE_APPROVAL',
    },
    cases: [
      [at('2026-03-02T00:00:00Z'), 'APPROVED', `It is Mon in UTC, which is ${DAYS}`],
      [at('2026-03-05T00:00:00Z'), 'REQUIRES_APPROVAL', `It is Thu in UTC, which is not ${DAYS}`],
    ],
  },
  {
    rule: { ruleType: 'DATE_RANGE', value: { start: '2026-03-01', end: '2026-03-31' } },
    cases: [
      [
        at('2026-02-28T23:59:59.999Z'),
        'EXPIRED_PERMISSION',
        'It is 2026-02-28T23:59:59.999Z, outside of 2026-03-01 to 2026-03-31 in UTC',
      ],
      [
        at('2026-03-01T00:00:00Z'),
        'APPROVED',
        'It is 2026-03-01T00:00:00.000Z, inside of 2026-03-01 to 2026-03-31 in UTC',
      ],
      // A date that ends a range is part of it.
      [
        at('2026-03-31T23:59:59.999Z'),
        'APPROVED',
        'It is 2026-03-31T23:59:59.999Z, inside of 2026-03-01 to 2026-03-31 in UTC',
      ],
      [
        at('2026-04-01T00:00:00Z'),
        'EXPIRED_PERMISSION',
        'It is 2026-04-01T00:00:00.000Z, outside of 2026-03-01 to 2026-03-31 in UTC',
      ],
    ],
  },
  {
    rule: { ruleType: 'DATE_RANGE', value: { start: '2026-03-03T10:00:00+01:00', end: '2026-03-03T12:00:00.001Z' } },
    cases: [
      [
        at('2026-03-03T08:59:59.999Z'),
        'EXPIRED_PERMISSION',
        'It is 2026-03-03T08:59:59.999Z, outside of 2026-03-03T10:00:00+01:00 to 2026-03-03T12:00:00.001Z',
      ],
      [
        at('2026-03-03T09:00:00Z'),
        'APPROVED',
        'It is 2026-03-03T09:00:00.000Z, inside of 2026-03-03T10:00:00+01:00 to 2026-03-03T12:00:00.001Z',
      ],
      [
        { now: NOON },
        'APPROVED',
        'It is 2026-03-03T12:00:00.000Z, inside of 2026-03-03T10:00:00+01:00 to 2026-03-03T12:00:00.001Z',
      ],
      // A timestamp that ends a range is not.
      [
        { now: NOON + 1 },
        'EXPIRED_PERMISSION',
        'It is 2026-03-03T12:00:00.001Z, outside of 2026-03-03T10:00:00+01:00 to 2026-03-03T12:00:00.001Z',
      ],
    ],
  },
  {
    rule: {
      ruleType: 'BLACKOUT_PERIOD',
      value: {
        windows: [
          { start: '2026-12-24', end: '2026-12-26', reason: 'Holidays' },
          { start: '2026-03-03T12:00:00Z', end: '2026-03-03T13:00:00Z' },
        ],
      },
    },
    cases: [
      [{ now: NOON - 1 }, 'APPROVED', 'It is 2026-03-03T11:59:59.999Z, outside of every blackout'],
      [
        { now: NOON },
        'BLACKOUT_PERIOD',
        'It is 2026-03-03T12:00:00.000Z, inside of the blackout from 2026-03-03T12:00:00Z to 2026-03-03T13:00:00Z',
      ],
      [at('2026-03-03T13:00:00Z'), 'APPROVED', 'It is 2026-03-03T13:00:00.000Z, outside of every blackout'],
      [
        at('2026-12-26T23:59:59.999Z'),
        'BLACKOUT_PERIOD',
        'It is 2026-12-26T23:59:59.999Z, inside of the blackout from 2026-12-24 to 2026-12-26 in UTC (Holidays)',
      ],
      [at('2026-12-27T00:00:00Z'), 'APPROVED', 'It is 2026-12-27T00:00:00.000Z, outside of every blackout'],
    ],
  },
  {
    // A day of 23 hours: clocks go from 02:00 to 03:00.
    timezone: 'Europe/Berlin',
    rule: { ruleType: 'DATE_RANGE', value: { start: '2027-03-28', end: '2027-03-28' } },
    cases: [
      [
        at('2027-03-27T22:59:59.999Z'),
        'EXPIRED_PERMISSION',
        'It is 2027-03-27T22:59:59.999Z, outside of 2027-03-28 to 2027-03-28 in Europe/Berlin',
      ],
      [
        at('2027-03-27T23:00:00Z'),
        'APPROVED',
        'It is 2027-03-27T23:00:00.000Z, inside of 2027-03-28 to 2027-03-28 in Europe/Berlin',
      ],
      [
        at('2027-03-28T21:59:59.999Z'),
        'APPROVED',
        'It is 2027-03-28T21:59:59.999Z, inside of 2027-03-28 to 2027-03-28 in Europe/Berlin',
      ],
      [
        at('2027-03-28T22:00:00Z'),
        'EXPIRED_PERMISSION',
        'It is 2027-03-28T22:00:00.000Z, outside of 2027-03-28 to 2027-03-28 in Europe/Berlin',
      ],
    ],
  },
  {
    // A day of 25 hours, and a window from a timestamp to a date.
    timezone: 'America/New_York',
    rule: {
      ruleType: 'BLACKOUT_PERIOD',
      value: {
        windows: [
          { start: '2027-11-07', end: '2027-11-07' },
          { start: '2027-12-24T12:00:00Z', end: '2027-12-24' },
        ],
      },
    },
    cases: [
      [at('2027-11-07T03:59:59.999Z'), 'APPROVED', 'It is 2027-11-07T03:59:59.999Z, outside of every blackout'],
      [
        at('2027-11-07T04:00:00Z'),
        'BLACKOUT_PERIOD',
        'It is 2027-11-07T04:00:00.000Z, inside of the blackout from 2027-11-07 to 2027-11-07 in America/New_York',
      ],
      [
        at('2027-11-08T04:59:59.999Z'),
        'BLACKOUT_PERIOD',
        'It is 2027-11-08T04:59:59.999Z, inside of the blackout from 2027-11-07 to 2027-11-07 in America/New_York',
      ],
      [at('2027-11-08T05:00:00Z'), 'APPROVED', 'It is 2027-11-08T05:00:00.000Z, outside of every blackout'],
      [at('2027-12-24T11:59:59.999Z'), 'APPROVED', 'It is 2027-12-24T11:59:59.999Z, outside of every blackout'],
      [
        at('2027-12-25T04:59:59.999Z'),
        'BLACKOUT_PERIOD',
        'It is 2027-12-25T04:59:59.999Z, inside of the blackout from 2027-12-24T12:00:00Z to 2027-12-24 in America/New_York',
      ],
      [at('2027-12-25T05:00:00Z'), 'APPROVED', 'It is 2027-12-25T05:00:00.000Z, outside of every blackout'],
    ],
  },
  {
    // Midnight is skipped: the day begins at 01:00.
    timezone: 'Africa/Cairo',
    rule: { ruleType: 'DATE_RANGE', value: { start: '2027-04-30', end: '2027-05-01' }, action: 'DENY' },
    cases: [
      [
        at('2027-04-29T21:59:59.999Z'),
        'APPROVED',
        'It is 2027-04-29T21:59:59.999Z, outside of 2027-04-30 to 2027-05-01 in Africa/Cairo',
      ],
      [
        at('2027-04-29T22:00:00Z'),
        'EXPIRED_PERMISSION',
        'It is 2027-04-29T22:00:00.000Z, inside of 2027-04-30 to 2027-05-01 in Africa/Cairo',
      ],
      [
        at('2027-05-01T21:00:00Z'),
        'APPROVED',
        'It is 2027-05-01T21:00:00.000Z, outside of 2027-04-30 to 2027-05-01 in Africa/Cairo',
      ],
    ],
  },
]
