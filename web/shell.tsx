// The frame around every page: navigation at the left, or at the bottom on a phone; the person who has signed in; light
// and dark.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { pause } from '../sdk/send.js'
import { announce } from './announce.js'
import { api, isSignedOut } from './api.js'
import { AttentionContext } from './attention/context.js'
import { readAttention, type Attention } from './attention/read.js'
import { IconButton } from './components/button.js'
import { FreezeOrganization, FrozenNotice } from './components/freezeOrganization.js'
import { Icon, type IconName } from './components/icon.js'
import { Logo } from './components/logo.js'
import { words } from './format/words.js'
import { useLoad, type Loaded } from './load.js'
import { SearchButton, usePalette } from './palette/opening.js'
import { to, type Place } from './router.js'
import { ROUTES } from './routes.js'
import { useSession, useSignedIn } from './session.js'
import { chooseTheme, chosenTheme, THEMES, type Theme } from './theme.js'

const LINKS = ROUTES.filter(({ group }) => group !== undefined).map(({ pattern, ...more }) => {
  const name = (pattern || 'overview') as IconName
  return { label: words(name), ...more, short: words(name), pattern, name, href: to(...pattern.split('/')) }
})
const GROUPS = [...new Set(LINKS.map(({ group }) => group))]
const COUNT_EVERY_MS = 10_000
const AFTER_PAGE_MS = 400

export function Shell({ place, children }: { place: Place; children: ComponentChildren }) {
  const main = useRef<HTMLElement>(null)
  const { menu, isMenuOpen, openMenu, close, onClose } = useMenu()
  const { presence } = useSession()
  const attention = useReadAttention()
  const counts = countsIn(attention.data)
  const { open, palette } = usePalette()
  const search = (): void => {
    close()
    open()
  }
  useEffect(() => {
    close()
    scrollTo(0, 0)
  }, [place.path])
  const skip = (event: Event): void => {
    event.preventDefault()
    main.current?.focus()
  }
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <header class="top">
        <Brand />
        <SearchButton open={search} />
      </header>
      <aside class="side">
        <Side place={place} counts={counts} search={search} />
      </aside>
      <dialog
        ref={menu}
        class="drawer"
        aria-label="Menu"
        onClick={({ target }) => target === menu.current && close()}
        onClose={onClose}
      >
        {isMenuOpen && (
          <div class="side">
            <button type="button" class="icon-button drawer-close" aria-label="Close the menu" onClick={close}>
              <Icon name="close" />
            </button>
            <Side place={place} counts={counts} search={search} />
          </div>
        )}
      </dialog>
      <main ref={main} id="main" tabIndex={-1}>
        <FrozenNotice />
        <AttentionContext.Provider value={attention}>{children}</AttentionContext.Provider>
      </main>
      {palette}
      {presence === 'idle' && <Paused />}
      <nav class="bottom" aria-label="Main">
        {LINKS.filter(({ onPhone }) => onPhone).map((link) => (
          <PageLink key={link.href} of={{ ...link, label: link.short }} place={place} counts={counts} />
        ))}
        <button type="button" onClick={openMenu}>
          <Icon name="menu" />
          Menu
        </button>
      </nav>
    </div>
  )
}

/** The menu of a phone. What is in it is there while it is open. */
function useMenu() {
  const menu = useRef<HTMLDialogElement>(null)
  const [isMenuOpen, setMenuOpen] = useState(false)
  // Once its content is there, so that the focus goes to its first button.
  useEffect(() => {
    if (isMenuOpen) menu.current?.showModal()
  }, [isMenuOpen])
  const close = (): void => menu.current?.close()
  return { menu, isMenuOpen, openMenu: () => setMenuOpen(true), close, onClose: () => setMenuOpen(false) }
}

/** Above the page, so that nothing moves under the pointer of a person who comes back. */
function Paused() {
  return (
    <div class="announcements" role="status">
      <p class="info">Updates are paused after half an hour of inactivity. They resume when you are back.</p>
    </div>
  )
}

/** The numbers beside links, by the names of their pages, and what is counted. */
interface Counts {
  [page: string]: { count: number; what: string } | undefined
}

/** Also checks whether the organization was frozen or a role changed. */
function useReadAttention(): Loaded<Attention> {
  const { refresh } = useSession()
  const isFirst = useRef(true)
  const read = async (signal: AbortSignal): Promise<Attention> => {
    // The session has just been read, and the page itself is read first.
    await (isFirst.current ? pause(AFTER_PAGE_MS, signal) : refresh())
    isFirst.current = false
    return readAttention(signal)
  }
  return useLoad(read, [], { everyMs: COUNT_EVERY_MS })
}

function countsIn(attention: Attention | undefined): Counts {
  if (attention === undefined) return {}
  const { items, totals } = attention
  return {
    attention: { count: items.length, what: 'open' },
    approvals: { count: totals.pendingApprovals, what: 'pending' },
    alerts: { count: totals.activeAlerts, what: 'active' },
  }
}

interface PageLinkProps {
  of: (typeof LINKS)[number]
  place: Place
  counts: Counts
}

function PageLink({ of: { href, pattern, name, label }, place, counts }: PageLinkProps) {
  return (
    <a href={href} aria-current={place.path.split('/')[0] === pattern ? 'page' : undefined}>
      <Icon name={name} />
      {label}
      <Count of={counts[pattern]} />
    </a>
  )
}

function Count({ of }: { of: Counts[string] }) {
  if (of === undefined || of.count === 0) return null
  return (
    <span class="count">
      <span class="visually-hidden">, </span>
      {of.count > 99 ? '99+' : of.count}
      <span class="visually-hidden"> {of.what}</span>
    </span>
  )
}

function Brand() {
  const { organization } = useSignedIn()
  return (
    <a class="brand" href={to()}>
      <Logo />
      <span>
        <strong>Bursar</strong>
        <span class="brand-of">{organization.name}</span>
      </span>
    </a>
  )
}

interface SideProps extends Omit<PageLinkProps, 'of'> {
  search: () => void
}

function Side({ place, counts, search }: SideProps) {
  const { organization } = useSignedIn()
  return (
    <>
      <Brand />
      <SearchButton open={search} />
      <div class="brand-row">
        {organization.settlementMode === 'test' && (
          <p class="mode" title="Payments are simulated: no funds move">
            Simulated
          </p>
        )}
        <FreezeOrganization label="Freeze" class="small" />
      </div>
      <nav aria-label="Main">
        {GROUPS.map((group) => (
          <section key={group} aria-label={group}>
            <p class="nav-group" aria-hidden="true">
              {group}
            </p>
            <ul>
              {LINKS.filter((link) => link.group === group).map((link) => (
                <li key={link.href}>
                  <PageLink of={link} place={place} counts={counts} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        <section aria-label="Help">
          <p class="nav-group" aria-hidden="true">
            Help
          </p>
          <ul>
            <li>
              <a href="/docs">
                <Icon name="search" />
                API reference
              </a>
            </li>
          </ul>
        </section>
      </nav>
      <Me />
    </>
  )
}

function Me() {
  const { member } = useSignedIn()
  const { leave } = useSession()
  const signOut = async (): Promise<void> => {
    try {
      await api.call('DELETE /api/session', {})
    } catch (error) {
      if (!isSignedOut(error)) return announce('Sign-out failed: the service could not be reached')
    }
    leave()
  }
  return (
    <div class="me">
      <div class="me-who">
        <strong title={member.email}>{member.name ?? member.email}</strong>
        <span>{member.role.toLowerCase()}</span>
      </div>
      <div class="me-actions">
        <ThemeSwitch />
        <IconButton icon="exit" says="Sign out" act={() => void signOut()} />
      </div>
    </div>
  )
}

const THEME_ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const

function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(chosenTheme)
  const turn = (): void => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!
    if (!chooseTheme(next)) announce('The browser does not store settings: this choice lasts until the page is closed')
    setTheme(next)
  }
  return <IconButton icon={THEME_ICONS[theme]} says={`Theme: ${theme}`} act={turn} />
}
