// Parts of a page, or filters of a list, each with its own address.
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  /** The subject of the choice, for screen readers. */
  label: string
  current: string
  of: readonly (readonly [id: string, label: string])[]
  href: (id: string) => string
}

export function Tabs({ label, current, of, href }: Props) {
  const row = useRef<HTMLElement>(null)
  // If there is no room for all tabs, scrolls to the current one.
  useEffect(() => {
    const { left = 0, width = 0 } = row.current?.querySelector('[aria-current]')?.getBoundingClientRect() ?? {}
    row.current?.scrollBy({ left: left - (row.current.clientWidth - width) / 2 })
  }, [current])
  return (
    <nav ref={row} class="tabs" aria-label={label}>
      {of.map(([id, text]) => (
        <a key={id} href={href(id)} aria-current={id === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  )
}
