// Parts of a page, or filters of a list, each with an address of its own.
interface Props {
  /** What one chooses among; for screen readers. */
  label: string
  current: string
  tabs: { id: string; label: string; href: string }[]
}

export function Tabs({ label, current, tabs }: Props) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ id, label: text, href }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>{text}</a>
      ))}
    </nav>
  )
}
