// The first cell of a row: the name, and below it, smaller, what tells it from others and the id or address to copy.
import type { ComponentChildren } from 'preact'
import { Long } from './amounts.js'
import { RowLink } from './table.js'

interface Props {
  name: ComponentChildren
  /** The row's own page, if it has one. */
  href?: string
  about?: ComponentChildren
  id: string
  /** What the id is, such as `agent id` or `address`. */
  what: string
}

export function NameCell({ name, href, about, id, what }: Props) {
  // A name that is read from right to left does not turn what stands beside it.
  const shown = <bdi>{name}</bdi>
  return (
    <>
      {href === undefined ? <strong>{shown}</strong> : <RowLink href={href}>{shown}</RowLink>}
      <div class="name-about">
        {about && <span class="name-words">{about}</span>}
        <Long text={id} what={what} />
      </div>
    </>
  )
}
