// Rows of a list that are picked for one action: a box at each, one for all that are shown, and the number beside the
// buttons.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Checkbox } from './form.js'

export interface Selection {
  picked: ReadonlySet<string>
  pick: (ids: readonly string[], isPicked: boolean) => void
}

export function useSelection(): Selection {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const pick = (ids: readonly string[], isPicked: boolean): void =>
    setPicked((before) =>
      isPicked ? new Set([...before, ...ids]) : new Set([...before].filter((id) => !ids.includes(id))),
    )
  return { picked, pick }
}

interface BoxProps {
  of: Selection
  id: string
  /** What the row is, for screen readers. */
  about: string
}

export function PickBox({ of: { picked, pick }, id, about }: BoxProps) {
  return (
    <label class="pick">
      <input
        type="checkbox"
        aria-label={`Select ${about}`}
        checked={picked.has(id)}
        onChange={({ currentTarget }) => pick([id], currentTarget.checked)}
      />
    </label>
  )
}

interface BarProps {
  of: Selection
  /** The rows that are shown and may be picked. */
  ids: readonly string[]
  children: ComponentChildren
}

export function SelectionBar({ of: { picked, pick }, ids, children }: BarProps) {
  return (
    <div class="picking" role="group" aria-label="Selection">
      <Checkbox
        label="Select all shown"
        checked={ids.every((id) => picked.has(id))}
        onChecked={(isPicked) => pick(ids, isPicked)}
      />
      <div class="row-actions">{children}</div>
    </div>
  )
}
