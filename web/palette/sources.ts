// What the command palette finds: the dashboard's pages, and by one bounded request each agents, wallets, policies,
// counterparties and payments. What the person may not read is left out.
import { api, isForbidden, isSignedOut } from '../api.js'
import type { IconName } from '../components/icon.js'
import { paymentTitle } from '../format/recipient.js'
import { money } from '../format/money.js'
import { words } from '../format/words.js'
import { to } from '../router.js'
import { ROUTES } from '../routes.js'

export interface Hit {
  name: string
  /** What it is, with what else tells it from others. */
  kind: string
  icon: IconName
  href: string
}

export interface Found {
  hits: Hit[]
  /** The kinds of which nothing could be read. */
  failed: string[]
}

const SETTINGS = ['general', 'members', 'keys', 'workflows', 'governance', 'alerts', 'limits', 'account']

export const PAGES: readonly Hit[] = [
  ...ROUTES.filter(({ group }) => group !== undefined).map(({ pattern }) => {
    const name = pattern || 'overview'
    return { name: words(name), kind: 'Page', icon: name as IconName, href: to(...pattern.split('/')) }
  }),
  ...SETTINGS.map((tab) => ({
    name: `Settings: ${words(tab)}`,
    kind: 'Page',
    icon: 'settings' as const,
    href: to('settings', tab),
  })),
]

const OF_A_KIND = 5

type Source = (query: { search: string; limit: number }, signal: AbortSignal) => Promise<Hit[]>

const SOURCES: Record<string, Source> = {
  agents: async (query, signal) => {
    const { agents } = await api.call('GET /api/agents', { query }, { signal })
    return agents.map(({ id, name, status }) => hit('agents', id, name, `Agent, ${words(status).toLowerCase()}`))
  },
  wallets: async (query, signal) => {
    const { wallets } = await api.call('GET /api/wallets', { query }, { signal })
    return wallets.map(({ id, name, status }) => hit('wallets', id, name, `Wallet, ${words(status).toLowerCase()}`))
  },
  policies: async (query, signal) => {
    const { policies } = await api.call('GET /api/policies', { query }, { signal })
    return policies.map(({ id, name, isActive }) =>
      hit('policies', id, name, isActive ? 'Policy, active' : 'Policy, inactive'),
    )
  },
  counterparties: async (query, signal) => {
    const { counterparties } = await api.call('GET /api/counterparties', { query }, { signal })
    return counterparties.map(({ id, name, nameSource, status }) => {
      const kind = `Counterparty, ${words(status).toLowerCase()}`
      if (nameSource !== 'AGENT') return hit('counterparties', id, name, kind)
      return hit('counterparties', id, `“${name}”`, `${kind}, name given by an agent, not verified`)
    })
  },
  payments: async (query, signal) => {
    const { payments } = await api.call('GET /api/payments', { query }, { signal })
    return payments.map((payment) => {
      const { id, amount, currency, recipientName, purpose, status } = payment
      const title = recipientName === null ? paymentTitle(payment) : `${money(amount, currency)} to “${recipientName}”`
      const name = purpose ? `${title}: ${purpose}` : title
      return hit('payments', id, name, `Payment, ${words(status).toLowerCase()}`)
    })
  },
}

const hit = (page: IconName, id: string, name: string, kind: string): Hit => ({
  name,
  kind,
  icon: page,
  href: to(page, id),
})

export async function find(search: string, signal: AbortSignal): Promise<Found> {
  const failed: string[] = []
  const reads = Object.entries(SOURCES).map(([kind, read]) =>
    read({ search, limit: OF_A_KIND }, signal).catch((cause: unknown): Hit[] => {
      if (isSignedOut(cause)) throw cause
      if (!isForbidden(cause)) failed.push(kind)
      return []
    }),
  )
  return { hits: (await Promise.all(reads)).flat(), failed }
}
