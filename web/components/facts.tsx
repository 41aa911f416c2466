// Names and values in two columns; on narrow screens, one above the other.
import type { ComponentChildren } from 'preact'

export type Fact = readonly [name: ComponentChildren, value: ComponentChildren]

/** Entries without a value are omitted. */
export function Facts({ of }: { of: readonly Fact[] }) {
  const known = of.filter(([, value]) => value !== undefined && value !== null && value !== false)
  return (
    <dl class="facts">
      {known.map(([name, value], index) => (
        <div key={typeof name === 'string' ? name : index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
