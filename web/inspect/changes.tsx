// The changes of a record, field by field; for a field that existed before, only the differences within it.
import { AS_WRITTEN, AnyValue, fieldLabel, isFields } from '../components/anyValue.js'
import { differencesWithin, type Difference } from '../components/difference.js'
import { isMoment, utc } from '../format/time.js'
import type { Changed } from './steps.js'

export function Changes({ of }: { of: readonly Changed[] }) {
  const differences = of
    .flatMap(({ field, from, to }) => differencesWithin([field], from ?? null, to ?? null))
    .filter(isTold)
  if (differences.length === 0) return <p class="hint">No visible changes.</p>
  return (
    <ul class="changes">
      {differences.map((one) => (
        <li key={one.path.join('.')}>
          <Shown {...one} />
        </li>
      ))}
    </ul>
  )
}

const isNothing = (value: unknown): boolean =>
  value === null || value === false || value === 0 || value === '' || (Array.isArray(value) && value.length === 0)

/** A field that begins as nothing is no change. */
const isTold = ({ from, to }: Difference): boolean => from !== null || !isNothing(to)

function Shown({ path, from, to }: Difference) {
  const name = path.map(fieldLabel).join(' · ')
  const field = path.find((one) => AS_WRITTEN.has(one)) ?? path.at(-1)!
  const shown = (value: unknown) => <AnyValue of={readable(field, value)} isPlain={field === 'context'} />
  // A new record is collapsed, because its fields would hide the other changes.
  if (from === null && Object.keys(to ?? {}).length > 0 && typeof to === 'object')
    return (
      <details>
        <summary>{name}</summary>
        {shown(to)}
      </details>
    )
  return (
    <>
      <strong>{name}</strong>
      {from !== null && <div class="change-from">{shown(from)}</div>}
      <div class="change-to">{shown(to)}</div>
    </>
  )
}

/** Times are stored as numbers. */
export function readable(field: string, value: unknown): unknown {
  if (AS_WRITTEN.has(field)) return value
  if (isMoment(value) && value > 0 && field.endsWith('At')) return utc(value)
  if (Array.isArray(value)) return value.map((one) => readable('', one))
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, readable(name, inner)]))
}
