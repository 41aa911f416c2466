// The days and hours at which an agent may pay, of a delegation or an assigned card.
import type { Delegation } from '../records.js'
import { count, Fields, type Rows } from './fields.js'
import { Checkbox } from './form.js'

type Day = Delegation['allowedDays'][number]

const DAYS: readonly Day[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** While they are edited: hours as text. */
export interface Times {
  allowedHoursStart: string
  allowedHoursEnd: string
  allowedDays: readonly Day[]
}

export const ALL_TIMES: Times = { allowedHoursStart: '0', allowedHoursEnd: '24', allowedDays: DAYS }

const HOURS: Rows<Times> = [
  [
    { name: 'allowedHoursStart', label: 'From hour', ...count(0, 23) },
    { name: 'allowedHoursEnd', label: 'To hour', ...count(1, 24), hint: '24 is the end of the day.' },
  ],
]

export function AllowedTimes({ draft, set }: { draft: Times; set: (part: Partial<Times>) => void }) {
  const turn = (day: Day, on: boolean): void =>
    set({ allowedDays: DAYS.filter((one) => (one === day ? on : draft.allowedDays.includes(one))) })
  return (
    <>
      <fieldset class="checks">
        <legend>Allowed days</legend>
        {DAYS.map((day) => (
          <Checkbox key={day} label={day} checked={draft.allowedDays.includes(day)} onChecked={(on) => turn(day, on)} />
        ))}
      </fieldset>
      <Fields draft={draft} set={set} of={HOURS} />
    </>
  )
}

interface Allowed {
  allowedDays: readonly Day[]
  allowedHoursStart: number
  allowedHoursEnd: number
  timezone: string
}

/** `every day, 09:00–17:00 (UTC)`. */
export function timesText({ allowedDays, allowedHoursStart: start, allowedHoursEnd: end, timezone }: Allowed): string {
  const days = allowedDays.length === DAYS.length ? 'every day' : allowedDays.join(', ')
  const hour = (at: number): string => `${String(at).padStart(2, '0')}:00`
  return `${days}, ${start === 0 && end === 24 ? 'all day' : `${hour(start)}–${hour(end)}`} (${timezone})`
}
