// The frame of every list: placeholders while it is read, a text if it is empty, and at its foot how many entries are
// shown.
import type { ComponentChildren } from 'preact'
import type { List } from '../load.js'
import { Empty, When } from './loadingStates.js'

interface Props<T> {
  of: List<T>
  /** The number of placeholder lines while it is read. */
  rows?: number
  /** Shown in place of an empty list. */
  none?: ComponentChildren
  children: (rows: T[]) => ComponentChildren
}

export function Listed<T>({ of, rows = 4, none, children }: Props<T>) {
  return (
    <>
      <When of={of} rows={rows}>
        {(all) => (all.length === 0 && none !== undefined ? none : children(all))}
      </When>
      <More of={of} />
    </>
  )
}

/** Reads on where a filtered page ended before the list did; such a page may be empty. */
export function LookBack<T>({ of: { more, busy } }: { of: List<T> }) {
  if (more === undefined) return null
  return (
    <div>
      <button type="button" disabled={busy} onClick={more}>
        Load older entries
      </button>
    </div>
  )
}

/** How many entries are shown, and a button for more. */
function More<T>({ of }: { of: List<T> }) {
  const { data, total, more, busy } = of
  if (data === undefined) return null
  if (data.length === 0) return <LookBack of={of} />
  return (
    <div class="more">
      <span>
        {total === undefined
          ? `${data.length} shown`
          : `${data.length.toLocaleString('en')} of ${total.toLocaleString('en')}`}
      </span>
      {more && (
        <button type="button" disabled={busy} onClick={more}>
          Show more
        </button>
      )}
    </div>
  )
}

/** Shown if no entry passes the filters; `all` is the list without them. */
export function NoResults({ title, all, children }: { title: string; all: string; children?: ComponentChildren }) {
  return (
    <Empty
      title={title}
      action={
        <a class="button" href={all}>
          Clear filters
        </a>
      }
    >
      {children}
    </Empty>
  )
}
