// The fields for a rule's value, by the kind of the value. Input is kept as it was typed; the service checks it.
import type { ComponentType } from 'preact'
import { Fields, type Rows } from '../components/fields.js'
import { Checkbox, Field, Problem, Select, TextArea } from '../components/form.js'
import { RAIL_NAMES, words } from '../format/words.js'
import type { FieldKind } from './ruleTypes.js'
import { record, textOf, type ValueProps, type Values } from './ruleValue.js'
import { Blackouts, Dates, Hours } from './timeFields.js'

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)]

/** A number if the text is exactly that number; else the text, for the service to check. */
function numberIn(text: string): number | string {
  return text !== '' && String(Number(text)) === text ? Number(text) : text
}

function Amount({ path, value, onValue, label }: ValueProps) {
  return (
    <Field
      label={label}
      path={path}
      inputMode="decimal"
      required
      value={textOf(value)}
      onValue={(text) => onValue(numberIn(text.trim()))}
    />
  )
}

const LIMIT_AND_PERIOD: Rows<Values>[number] = [
  { name: 'amount', label: 'Limit, USDC', inputMode: 'decimal', required: true },
  {
    name: 'period',
    label: 'Period',
    options: [
      ['DAILY', 'Day'],
      ['WEEKLY', 'Week'],
      ['MONTHLY', 'Month'],
      ['TOTAL', 'Total'],
    ],
  },
]

const BUDGET: Rows<Values> = [
  [
    ...LIMIT_AND_PERIOD,
    {
      name: 'of',
      label: 'Counted per',
      options: [
        ['AGENT', 'Each agent'],
        ['POLICY', 'All agents together'],
      ],
    },
  ],
]
const SERVICE_LIMIT: Rows<Values> = [LIMIT_AND_PERIOD]

const VELOCITY: Rows<Values> = [
  [
    { name: 'maxCount', label: 'Maximum number of payments', inputMode: 'numeric', required: true },
    {
      name: 'period',
      label: 'Within',
      options: [
        ['MINUTE', 'A minute'],
        ['HOUR', 'An hour'],
        ['DAY', '24 hours'],
        ['WEEK', 'Seven days'],
      ],
    },
  ],
]

/** The fields of a value with a number. */
const withNumber =
  (number: string, of: Rows<Values>): ComponentType<ValueProps> =>
  ({ path, value, onValue }) => {
    const set = (changes: Values): void => {
      const text = changes[number]
      onValue({ ...record(value), ...changes, ...(typeof text === 'string' && { [number]: numberIn(text.trim()) }) })
    }
    return <Fields draft={{ of: 'AGENT', ...record(value) }} set={set} at={path} of={of} />
  }

interface ChecksProps extends ValueProps {
  options: readonly (readonly [code: string, says: string])[]
}

function Checks({ path, value, onValue, label, options }: ChecksProps) {
  const chosen = listOf(value)
  const turn = (code: string, on: boolean): void =>
    onValue(options.map(([one]) => one).filter((one) => (one === code ? on : chosen.includes(one))))
  return (
    <fieldset class="checks" data-path={path}>
      <legend>{label}</legend>
      {options.map(([code, says]) => (
        <Checkbox key={code} label={says} checked={chosen.includes(code)} onChecked={(on) => turn(code, on)} />
      ))}
      <Problem path={path} />
    </fieldset>
  )
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day) => [day, day] as const)
const STATUSES = ['TRUSTED', 'VERIFIED', 'UNKNOWN', 'BLOCKED'].map((status) => [status, words(status)] as const)

/** One per line or separated by commas, which neither addresses nor categories contain. */
function Listed({ path, value, onValue, label, hint }: ValueProps & { hint: string }) {
  return (
    <TextArea
      label={label}
      path={path}
      rows={Math.min(8, Math.max(2, listOf(value).length))}
      required
      hint={hint}
      value={listOf(value).join('\n')}
      onValue={(text) => onValue(text === '' ? [] : text.split(/[\n,]/).map((one) => one.trimStart()))}
    />
  )
}

const FORMS: { [fields in Exclude<FieldKind, 'conditions'>]: ComponentType<ValueProps> } = {
  amount: (props) => <Amount {...props} label="Amount in USDC" />,
  budget: withNumber('amount', BUDGET),
  serviceLimit: withNumber('amount', SERVICE_LIMIT),
  velocity: withNumber('maxCount', VELOCITY),
  hours: Hours,
  days: (props) => <Checks {...props} label="Days" options={DAYS} />,
  dates: Dates,
  blackouts: Blackouts,
  categories: (props) => <Listed {...props} label="Categories" hint="One per line. Not case-sensitive." />,
  merchantCategories: (props) => (
    <Listed {...props} label="Merchant category codes" hint="Four digits, one per line." />
  ),
  rails: (props) => <Checks {...props} label="Rails" options={RAIL_NAMES} />,
  addresses: (props) => <Listed {...props} label="Addresses" hint="One per line." />,
  services: (props) => (
    <Listed {...props} label="Hosts" hint="One per line: api.example.com, or *.example.com for every host below it." />
  ),
  statuses: (props) => <Checks {...props} label="Counterparty status" options={STATUSES} />,
  score: (props) => <Amount {...props} label="Minimum score, 0 to 100" />,
  first: ({ path, value, onValue }) => (
    <Select
      label="The recipient"
      path={path}
      value={String(value)}
      onValue={(next) => onValue(next === 'true')}
      options={[
        ['true', 'has never been paid before'],
        ['false', 'has been paid before'],
      ]}
    />
  ),
}

export function RuleFields({ fields, ...props }: ValueProps & { fields: Exclude<FieldKind, 'conditions'> }) {
  const Form = FORMS[fields]
  return <Form {...props} />
}
