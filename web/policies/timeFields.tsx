// The fields of rules about time: hours of the day, a range of dates, and blackouts.
import { Field, Problem } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { record, textOf, type ValueProps, type Values } from './ruleValue.js'

export function Hours({ path, value, onValue }: ValueProps) {
  const { start, end, timezone } = record(value)
  const change = (changes: Values): void => {
    const { timezone: zone, ...times } = { ...record(value), ...changes }
    onValue(zone === '' || zone === undefined ? times : { ...times, timezone: zone })
  }
  return (
    <div class="fields">
      <Field
        label="From"
        path={`${path}.start`}
        required
        value={textOf(start)}
        maxLength={5}
        placeholder="09:00"
        onValue={(next) => change({ start: next })}
      />
      <Field
        label="Until"
        path={`${path}.end`}
        required
        value={textOf(end)}
        maxLength={5}
        placeholder="17:00"
        onValue={(next) => change({ end: next })}
        hint="24:00 is the end of the day"
      />
      <Field
        label="Time zone"
        path={`${path}.timezone`}
        value={textOf(timezone)}
        placeholder="Organization time zone"
        onValue={(next) => change({ timezone: next })}
      />
    </div>
  )
}

const UNTIL = 'A date is included, a time is excluded'

export function Dates({ path, value, onValue }: ValueProps) {
  const { start, end } = record(value)
  const change = (changes: Values): void => onValue({ ...record(value), ...changes })
  const hint = "A date in the organization's time zone, or a time such as 2026-01-31T09:00:00Z"
  return (
    <div class="fields">
      <Field
        label="From"
        path={`${path}.start`}
        required
        value={textOf(start)}
        onValue={(next) => change({ start: next })}
        hint={hint}
      />
      <Field
        label="Until"
        path={`${path}.end`}
        required
        value={textOf(end)}
        onValue={(next) => change({ end: next })}
        hint={UNTIL}
      />
    </div>
  )
}

export function Blackouts({ path, value, onValue }: ValueProps) {
  const windows = (record(value)['windows'] ?? []) as Values[]
  const put = (next: Values[]): void => onValue({ windows: next })
  const change = (at: number, changes: Values): void => {
    put(
      windows.map((window, index) => {
        const { reason, ...times } = index === at ? { ...window, ...changes } : window
        return reason === undefined || reason === '' ? times : { ...times, reason }
      }),
    )
  }
  return (
    <div class="stack" data-path={`${path}.windows`}>
      {windows.map(({ start, end, reason }, at) => (
        <div class="removable" key={at}>
          <div class="fields">
            <Field
              label="From"
              path={`${path}.windows.${at}.start`}
              required
              value={textOf(start)}
              onValue={(next) => change(at, { start: next })}
            />
            <Field
              label="Until"
              path={`${path}.windows.${at}.end`}
              required
              value={textOf(end)}
              onValue={(next) => change(at, { end: next })}
              hint={UNTIL}
            />
            <Field
              label="Reason"
              path={`${path}.windows.${at}.reason`}
              value={textOf(reason)}
              maxLength={200}
              onValue={(next) => change(at, { reason: next })}
            />
          </div>
          <button
            type="button"
            class="icon-button"
            aria-label={`Remove blackout ${at + 1}`}
            onClick={() => put(windows.filter((_, index) => index !== at))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <div>
        <button type="button" onClick={() => put([...windows, { start: '', end: '' }])}>
          <Icon name="plus" />
          Add blackout
        </button>
      </div>
      <Problem path={`${path}.windows`} />
    </div>
  )
}
