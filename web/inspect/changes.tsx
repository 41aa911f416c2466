// The changes of a record, field by field; for a field that existed before, only the differences within it.
import { AS_WRITTEN, AnyValue, fieldLabel, isFields } from '../components/anyValue.js'
import { isMoment, utc } from '../format/time.js'
import type { Changed } from './steps.js'

interface Difference {
  /** The names from the record to the field. */
  path: string[]
  from: unknown
  to: unknown
}

export function Changes({ of }: { of: readonly Changed[] }) {
  const differences = of.flatMap(({ field, from, to }) => within([field], from ?? null, to ?? null))
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

function Shown({ path, from, to }: Difference) {
  const name = path.map(fieldLabel).join(' · ')
  const field = path.find((one) => AS_WRITTEN.has(one)) ?? path.at(-1)!
  // A new record is collapsed, because its fields would hide the other changes.
  if (from === null && Object.keys(to ?? {}).length > 0 && typeof to === 'object')
    return (
      <details>
        <summary>{name}</summary>
        <AnyValue of={readable(field, to)} />
      </details>
    )
  return (
    <>
      <strong>{name}</strong>
      {from !== null && (
        <div class="change-from">
          <AnyValue of={readable(field, from)} />
        </div>
      )}
      <div class="change-to">
        <AnyValue of={readable(field, to)} />
      </div>
    </>
  )
}

function within(path: string[], from: unknown, to: unknown): Difference[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return []
  if (!isFields(from) || !isFields(to)) return [{ path, from, to }]
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return names.flatMap((name) => within([...path, name], from[name] ?? null, to[name] ?? null))
}

/** Times are stored as numbers. */
export function readable(field: string, value: unknown): unknown {
  if (AS_WRITTEN.has(field)) return value
  if (isMoment(value) && value > 0 && field.endsWith('At')) return utc(value)
  if (Array.isArray(value)) return value.map((one) => readable('', one))
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, readable(name, inner)]))
}
