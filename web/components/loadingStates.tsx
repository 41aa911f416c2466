// What a page shows while it reads data, if there is none, and after an error; each says what can be done.
import type { ComponentChildren } from 'preact'
import { BursarError, sentenceOf } from '../api.js'
import type { Loaded } from '../load.js'
import { Icon, type IconName } from './icon.js'

export function Loading({ rows = 4 }: { rows?: number }) {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} class="skeleton" />
      ))}
    </div>
  )
}

export function Failure({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  return (
    <div class="state failure" role="alert">
      <Icon name="alert" />
      <p>{sentenceOf(error)}</p>
      {!(error instanceof BursarError) && <p class="hint">{String(error)}</p>}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

export interface EmptyProps {
  icon?: IconName
  title: string
  children?: ComponentChildren
  action?: ComponentChildren
}

export function Empty({ icon = 'search', title, children, action }: EmptyProps) {
  return (
    <div class="state">
      <Icon name={icon} />
      <p class="state-title">{title}</p>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}

/** A highlighted sentence. */
export function Notice({
  tone = 'info',
  children,
}: {
  tone?: 'info' | 'warning' | 'danger' | 'good'
  children: ComponentChildren
}) {
  return <div class={`notice ${tone}`}>{children}</div>
}

interface WhenProps<T> {
  of: Loaded<T>
  rows?: number
  children: (data: T) => ComponentChildren
}

/** Shows the data as soon as it is there; a later error is shown above the data that was read before. */
export function When<T>({ of: { data, error, reload }, rows = 4, children }: WhenProps<T>) {
  if (data === undefined)
    return error === undefined ? <Loading rows={rows} /> : <Failure error={error} retry={reload} />
  return (
    <>
      {error !== undefined && <Failure error={error} retry={reload} />}
      {children(data)}
    </>
  )
}
