// Names and values in two columns; on narrow screens, one above the other.
import type { ComponentChildren } from 'preact'

/** Entries without a value are omitted. */
export function Facts({ of }: { of: [name: string, value: ComponentChildren][] }) {
  const known = of.filter(([, value]) => value !== undefined && value !== null && value !== false)
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
