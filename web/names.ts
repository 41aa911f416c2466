// Names for ids: agents, people, keys, wallets, policies. Names are cached while the same person is signed in; removed
// objects have none. A failed read is not cached.
import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { api, isForbidden, unlessRemoved } from './api.js'
import { paymentTitle } from './format/recipient.js'
import { useSession, useSignedIn } from './session.js'

export interface Principal {
  type: string
  id: string
  name?: string
}

/** The names that one person may see: another person may see others or none. */
interface Book {
  reader: string
  names: Map<string, string>
  /** Ids that were looked up and have no name. */
  nameless: Set<string>
  /** By what is read; each resolves to whether that succeeded. */
  reads: Map<string, Promise<boolean>>
}

const bookFor = (reader: string): Book => ({ reader, names: new Map(), nameless: new Set(), reads: new Map() })
let book = bookFor('')

const LARGEST_PAGE = 100
const AGAIN_MS = 5000

type Keep = (id: string, name: string) => void
type Source = (id: string) => [about: string, read: (keep: Keep) => Promise<void>]

const roleOf = (personId: string): string => `role of ${personId}`

const people: Source = () => [
  'people',
  async (keep) => {
    const members = api.list('GET /api/members', 'members', { query: { limit: LARGEST_PAGE } })
    for await (const { id, name, email, role } of members) {
      keep(id, name ?? email)
      keep(roleOf(id), role.toLowerCase())
    }
  },
]
const keys: Source = () => [
  'keys',
  async (keep) => {
    const all = api.list('GET /api/api-keys', 'keys', { query: { limit: LARGEST_PAGE } })
    for await (const { id, name } of all) keep(id, `key “${name}”`)
  },
]
const single =
  (read: (id: string) => Promise<{ name: string }>): Source =>
  (id) => [
    id,
    async (keep) => {
      const found = await unlessRemoved(read(id))
      if (found !== undefined) keep(id, found.name)
    },
  ]

const policy = single((policyId) => api.call('GET /api/policies/{policyId}/rules', { path: { policyId } }))

/** The name that a person gave; what only an agent calls it is a claim, and no name. */
const counterparty: Source = (counterpartyId) => [
  counterpartyId,
  async (keep) => {
    const read = api.call('GET /api/counterparties/{counterpartyId}', { path: { counterpartyId } })
    const found = await unlessRemoved(read)
    if (found?.nameSource === 'PERSON') keep(counterpartyId, found.name)
  },
]

/** As for a counterparty, by its address. */
const recipient: Source = (address) => [
  address,
  async (keep) => {
    const { counterparty } = await api.call('GET /api/counterparties/lookup', { query: { address } })
    if (counterparty?.nameSource === 'PERSON') keep(address, counterparty.name)
  },
]

const payment: Source = (paymentId) => [
  paymentId,
  async (keep) => {
    const found = await unlessRemoved(api.call('GET /api/payments/{paymentId}', { path: { paymentId } }))
    if (found !== undefined) keep(paymentId, paymentTitle(found))
  },
]

/** What must be read to find a name; people and keys are in lists, which are short. */
const SOURCES: { [type: string]: Source[] } = {
  AGENT: [single((agentId) => api.call('GET /api/agents/{agentId}', { path: { agentId } }))],
  WALLET: [single((walletId) => api.call('GET /api/wallets/{walletId}', { path: { walletId } }))],
  POLICY: [policy],
  /** A shared budget has the id of its policy, and its period. */
  BUDGET: [policy],
  COUNTERPARTY: [counterparty],
  CHANNEL: [single((channelId) => api.call('GET /api/channels/{channelId}', { path: { channelId } }))],
  WORKFLOW: [single((workflowId) => api.call('GET /api/approval-workflows/{workflowId}', { path: { workflowId } }))],
  PAYMENT: [payment],
  PERSON: [people],
  ROLE: [people],
  RECIPIENT: [recipient],
  ORGANIZATION_KEY: [keys],
  KEY: [keys],
  APPROVER: [people, keys],
}

const sourcesOf = (type: string): Source[] => (Object.hasOwn(SOURCES, type) ? SOURCES[type]! : [])

/** After a failed read, the next caller reads again; what a person may not read has no name. */
function begin({ names, reads }: Book, [about, read]: ReturnType<Source>): Promise<boolean> {
  const reading = read((id, name) => void names.set(id, name)).then(
    () => true,
    (error: unknown) => {
      if (!isForbidden(error)) reads.delete(about)
      return isForbidden(error)
    },
  )
  reads.set(about, reading)
  return reading
}

/** Whether it was read. A list without the id may be outdated and is read once more. */
async function lookUp(of: Book, id: string, source: Source): Promise<boolean> {
  const sought = source(id)
  const before = of.reads.get(sought[0])
  const isRead = await (before ?? begin(of, sought))
  if (before === undefined || !isRead || of.names.has(id)) return isRead
  const now = of.reads.get(sought[0])
  return now === undefined || now === before ? begin(of, sought) : now
}

/** Whether the name is known, or known not to exist. */
async function settle(of: Book, { type, id }: Principal): Promise<boolean> {
  const wereRead = await Promise.all(sourcesOf(type).map((source) => lookUp(of, id, source)))
  if (!of.names.has(id) && wereRead.every(Boolean)) of.nameless.add(id)
  return of.names.has(id) || of.nameless.has(id)
}

/** Registers that something is awaited; the function that it returns ends that. */
type Hold = () => () => void

/** Provided where no decision is permitted while ids are shown instead of names: there, failed reads are repeated. */
export const Holding = createContext<Hold | undefined>(undefined)

/** What to provide as `Holding`, and whether everything in it is read. */
export function useHolding(): { hold: Hold; isComplete: boolean } {
  const [open, setOpen] = useState(0)
  const hold = useCallback(() => {
    setOpen((before) => before + 1)
    return () => setOpen((before) => before - 1)
  }, [])
  return { hold, isComplete: open === 0 }
}

/** Permits no decision around it while `isOpen`. Before the first paint, so that nobody can decide in between. */
export function useAwaited(isOpen: boolean): void {
  const hold = useContext(Holding)
  useLayoutEffect(() => (isOpen ? hold?.() : undefined), [isOpen, hold])
}

/** The name that a person gave a recipient; undefined for one by card, which has no address. */
export function useRecipientName(address: string | null): string | undefined {
  return useName({ type: address === null ? 'MERCHANT' : 'RECIPIENT', id: address ?? '' })
}

/** The name as soon as it is known; until then, or if there is none, undefined. */
export function useName(by: Principal): string | undefined {
  const { member, organization } = useSignedIn()
  const { isWatched } = useSession()
  const hold = useContext(Holding)
  const [turn, setTurn] = useState(0)
  const reader = `${organization.id} ${member.id}`
  if (book.reader !== reader) book = bookFor(reader)
  const own = book
  const known = by.name || own.names.get(by.id)
  const isOpen = known === undefined && !own.nameless.has(by.id)
  useAwaited(isOpen)
  useEffect(() => {
    if (!isOpen || !isWatched) return undefined
    let isShown = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = (): void => setTurn((before) => before + 1)
    void settle(own, by).then((isSettled) => {
      if (!isShown) return
      if (isSettled) again()
      else if (hold !== undefined) timer = setTimeout(again, AGAIN_MS)
    })
    return () => {
      isShown = false
      clearTimeout(timer)
    }
  }, [by.type, by.id, isOpen, isWatched, turn])
  return known
}

/** The role of a person, in lower case: `owner`. */
export const useRole = (personId: string): string | undefined => useName({ type: 'ROLE', id: roleOf(personId) })
