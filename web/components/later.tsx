// What stands below the first screen is mounted, with all that it reads, when it comes near the view; its place is
// reserved, so that nothing moves. A key that is pressed brings all of it at once, and so does printing, which does not wait
// until it is read.
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface Props {
  /** The number of lines that are reserved for it. */
  rows: number
  children: ComponentChildren
}

export function Later({ rows, children }: Props) {
  const place = useRef<HTMLDivElement>(null)
  if (useWanted(place)) return <>{children}</>
  return <div ref={place} class="later" style={{ '--rows': rows }} />
}

interface CardProps extends Props {
  title: string
  /** Where all of it is. */
  href: string
}

/** A card whose heading is there from the start. */
export function LaterCard({ title, href, rows, children }: CardProps) {
  return (
    <div class="card">
      <div class="card-head">
        <h2>{title}</h2>
        <a href={href}>View all</a>
      </div>
      <Later rows={rows}>{children}</Later>
    </div>
  )
}

/** How far below the screen it is brought, so that it is there when it is reached. */
const AHEAD = '200px'

function useWanted(place: RefObject<HTMLElement | null>): boolean {
  const [isWanted, setWanted] = useState(typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    if (isWanted) return undefined
    const want = (): void => setWanted(true)
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && want(),
      { rootMargin: AHEAD },
    )
    observer.observe(place.current!)
    addEventListener('beforeprint', want)
    addEventListener('keydown', want)
    return () => {
      observer.disconnect()
      removeEventListener('beforeprint', want)
      removeEventListener('keydown', want)
    }
  }, [isWanted])
  return isWanted
}
