// Payments as CSV: a row of names, then a row for each payment.
import { yielder } from '../../../async/yield.js'
import type { Actor } from '../../../actor/actor.js'
import { csvRow } from '../../../domain/values/csv.js'
import { foundRecord } from './foundRecords.js'

type Found = ReturnType<typeof foundRecord>

const COLUMNS: { [name: string]: (payment: Found) => string | number | null | undefined } = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  status: ({ status }) => status,
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  agentId: ({ agentId }) => agentId,
  rail: ({ rail }) => rail,
  recipientAddress: ({ recipientAddress }) => recipientAddress,
  recipientName: ({ recipientName }) => recipientName,
  purpose: ({ purpose }) => purpose,
  category: ({ category }) => category,
  reference: ({ reference }) => reference,
  sessionId: ({ sessionId }) => sessionId,
  paymentKey: ({ paymentKey }) => paymentKey,
  attempt: ({ attempt }) => attempt,
  executionContext: ({ executionContext }) => executionContext,
  urgency: ({ urgency }) => urgency,
  walletId: ({ wallet }) => wallet?.id,
  chainId: ({ wallet }) => wallet?.chainId,
  cardId: ({ card }) => card?.id,
  x402Host: ({ x402 }) => x402?.host,
  deniedBy: ({ deniedBy }) => deniedBy,
  denialType: ({ denial }) => denial?.type,
  denialMessage: ({ denial }) => denial?.message,
  approvalId: ({ approval }) => approval?.id,
  approvalStatus: ({ approval }) => approval?.status,
  transactionId: ({ transaction }) => transaction?.id,
  transactionStatus: ({ transaction }) => transaction?.status,
  settlementMode: ({ transaction }) => transaction?.settlementMode,
  txHash: ({ transaction }) => transaction?.txHash,
  confirmedAt: ({ transaction }) => transaction?.confirmedAt,
}
const CELLS = Object.values(COLUMNS)

/** Of all exports together. */
const step = yielder()

/** A part may be empty: between two of them a reader that has left is noticed. */
export async function* csvOf(batches: AsyncIterable<Actor<'payment'>[]>): AsyncGenerator<string> {
  yield csvRow(Object.keys(COLUMNS))
  for await (const payments of batches) {
    let part = ''
    for (const payment of payments) {
      await step()
      part += rowOfPayment(payment)
    }
    yield part
  }
}

/** The wallet is that of the request: no row shows its balance. */
function rowOfPayment(payment: Actor<'payment'>): string {
  const found = foundRecord(payment, () => undefined)
  return csvRow(CELLS.map((cell) => cell(found)))
}
