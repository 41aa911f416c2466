// The fields of a form as data: each row names the part of the draft that it edits.
import { Checkbox, Field, Select, TextArea, type FieldProps } from './form.js'

interface Row<D> extends Omit<FieldProps, 'value' | 'onValue'> {
  /** The part of the draft; also the path of its errors, unless that is given. */
  name: keyof D & string
  /** A choice of these. */
  options?: readonly (readonly [value: string, label: string])[]
  /** A text of several lines. */
  rows?: number
}

/** Rows in a list of their own are shown side by side; false leaves one out. */
export type Rows<D> = readonly (Row<D> | readonly Row<D>[] | false)[]

export const AMOUNT = { inputMode: 'decimal', pattern: '[0-9]+([.][0-9]{1,6})?' } as const
export const count = (min: number, max: number) => ({ type: 'number', required: true, min, max }) as const

interface Props<D> {
  draft: D
  set: (part: Partial<D>) => void
  /** The path of the whole draft in the errors of the service. */
  at?: string | undefined
}

/** The values are texts, and booleans for boxes to tick. */
export function Fields<D extends object>({ of, ...all }: Props<D> & { of: Rows<D> }) {
  return (
    <>
      {of.map((row, index) => {
        if (row === false) return null
        if ('name' in row) return <One key={row.name} {...all} row={row} />
        return (
          <div key={index} class="fields">
            {row.map((one) => (
              <One key={one.name} {...all} row={one} />
            ))}
          </div>
        )
      })}
    </>
  )
}

function One<D extends object>({ draft, set, at, row }: Props<D> & { row: Row<D> }) {
  const { name, options, rows, path = name, ...given } = row
  const now: unknown = draft[name]
  const change = (value: string | boolean): void => set({ [name]: value } as Partial<D>)
  const place = at === undefined ? path : `${at}.${path}`
  if (typeof now === 'boolean')
    return <Checkbox label={given.label} path={place} hint={given.hint} checked={now} onChecked={change} />
  const text = now === undefined || now === null ? '' : String(now)
  const field = { ...given, path: place, value: text, onValue: change }
  if (options !== undefined) return <Select {...field} options={options} />
  return rows === undefined ? <Field {...field} /> : <TextArea {...field} rows={rows} />
}
