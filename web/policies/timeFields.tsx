// The fields of rules about time: hours of the day, a range of dates, and blackouts.
import { IconButton } from '../components/button.js'
import { Fields, type Rows } from '../components/fields.js'
import { Problem } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { put, record, without, type ValueProps, type Values } from './ruleValue.js'

const UNTIL = 'A date is included, a time is excluded'

const HOURS: Rows<Values> = [
  [
    { name: 'start', label: 'From', required: true, maxLength: 5, placeholder: '09:00' },
    {
      name: 'end',
      label: 'Until',
      required: true,
      maxLength: 5,
      placeholder: '17:00',
      hint: '24:00 is the end of the day',
    },
    { name: 'timezone', label: 'Time zone', placeholder: 'Organization time zone' },
  ],
]
const DATES: Rows<Values> = [
  [
    {
      name: 'start',
      label: 'From',
      required: true,
      hint: "A date in the organization's time zone, or a time such as 2026-01-31T09:00:00Z",
    },
    { name: 'end', label: 'Until', required: true, hint: UNTIL },
  ],
]
const BLACKOUT: Rows<Values> = [
  [
    { name: 'start', label: 'From', required: true },
    { name: 'end', label: 'Until', required: true, hint: UNTIL },
    { name: 'reason', label: 'Reason', maxLength: 200 },
  ],
]

/** The value with changes; the optional field is left out where it is empty. */
function changed(value: unknown, changes: Values, optional: string): Values {
  const { [optional]: text, ...others } = { ...record(value), ...changes }
  return text === '' || text === undefined ? others : { ...others, [optional]: text }
}

export function Hours({ path, value, onValue }: ValueProps) {
  const set = (changes: Values): void => onValue(changed(value, changes, 'timezone'))
  return <Fields draft={record(value)} set={set} at={path} of={HOURS} />
}

export function Dates({ path, value, onValue }: ValueProps) {
  const set = (changes: Values): void => onValue({ ...record(value), ...changes })
  return <Fields draft={record(value)} set={set} at={path} of={DATES} />
}

export function Blackouts({ path, value, onValue }: ValueProps) {
  const windows = (record(value)['windows'] ?? []) as Values[]
  const change = (next: Values[]): void => onValue({ windows: next })
  return (
    <div class="stack" data-path={`${path}.windows`}>
      {windows.map((window, at) => (
        <div class="removable" key={at}>
          <Fields
            draft={window}
            set={(changes) => change(put(windows, at, changed(window, changes, 'reason')))}
            at={`${path}.windows.${at}`}
            of={BLACKOUT}
          />
          <IconButton icon="close" says={`Remove blackout ${at + 1}`} act={() => change(without(windows, at))} />
        </div>
      ))}
      <div>
        <button type="button" onClick={() => change([...windows, { start: '', end: '' }])}>
          <Icon name="plus" />
          Add blackout
        </button>
      </div>
      <Problem path={`${path}.windows`} />
    </div>
  )
}
