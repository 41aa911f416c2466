// What the payments are that entries are about: the entry of a request says it, any other payment is read, once while the
// same person is signed in.
import { useEffect, useState } from 'preact/hooks'
import { api, unlessRemoved } from '../api.js'
import { isFields } from '../components/anyValue.js'
import { fromMicros } from '../format/money.js'
import type { Logged } from '../payment/logged.js'
import { useSignedIn } from '../session.js'

export interface TermsSaid {
  agentId: string
  amount: number | string
  currency: string
  recipientAddress: string | null
  recipientName: string | null
}

/** Undefined for an entry other than a request. */
function termsIn({ data }: Logged): TermsSaid | undefined {
  const terms = isFields(data) ? data['terms'] : undefined
  if (!isFields(terms) || typeof terms['agentId'] !== 'string' || typeof terms['amount'] !== 'number') return undefined
  const text = (field: string): string | null => (typeof terms[field] === 'string' ? terms[field] : null)
  return {
    agentId: terms['agentId'],
    amount: fromMicros(BigInt(terms['amount'])),
    currency: text('currency') ?? 'USDC',
    recipientAddress: text('recipientAddress'),
    recipientName: text('recipientName'),
  }
}

interface Book {
  reader: string
  /** By the payment; undefined for one that cannot be read any more. */
  terms: Map<string, TermsSaid | undefined>
  /** Those under way. */
  reads: Map<string, Promise<void>>
}

const bookFor = (reader: string): Book => ({ reader, terms: new Map(), reads: new Map() })
let book = bookFor('')

/** So many at a time, so that a long log leaves room for other requests. */
const READERS = 4

function read({ terms, reads }: Book, paymentId: string): Promise<void> {
  const underWay = reads.get(paymentId)
  if (underWay !== undefined) return underWay
  const reading = unlessRemoved(api.call('GET /api/payments/{paymentId}', { path: { paymentId } }))
    .then((payment) => void terms.set(paymentId, payment))
    .finally(() => reads.delete(paymentId))
  reads.set(paymentId, reading)
  return reading
}

/** Ends at the first failure, such as too many requests: what was read stays. */
async function readAll(of: Book, paymentIds: string[], signal: AbortSignal, onRead: () => void): Promise<void> {
  const left = paymentIds.values()
  const stopped = new AbortController()
  const reader = async (): Promise<void> => {
    for (const paymentId of left) {
      await read(of, paymentId).catch(() => stopped.abort())
      if (signal.aborted || stopped.signal.aborted) return
      onRead()
    }
  }
  await Promise.all(Array.from({ length: READERS }, reader))
}

/** The terms of the payments among the entries, as far as they are known by now. */
export function useTerms(rows: Logged[]): ReadonlyMap<string, TermsSaid | undefined> {
  const { member, organization } = useSignedIn()
  const [, setTurn] = useState(0)
  const reader = `${organization.id} ${member.id}`
  if (book.reader !== reader) book = bookFor(reader)
  const own = book
  const ofPayments = rows.filter(({ resource }) => resource === 'payment')
  for (const entry of ofPayments) {
    const terms = termsIn(entry)
    if (terms !== undefined) own.terms.set(entry.resourceId, terms)
  }
  const missing = [...new Set(ofPayments.map(({ resourceId }) => resourceId))].filter((id) => !own.terms.has(id))
  useEffect(() => {
    const shown = new AbortController()
    void readAll(own, missing, shown.signal, () => setTurn((before) => before + 1))
    return () => shown.abort()
  }, [own, rows.length, rows.at(-1)?.sequence])
  return own.terms
}
