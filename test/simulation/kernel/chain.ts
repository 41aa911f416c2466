// An adversarial chain: what settlement may tell a payment about its transfer, in the order that a transfer would take
// and in any other.
import type { PaymentContext } from '../../../machines/payment/chart.js'
import type { Actor } from '../../../src/actor/actor.js'
import type { SignedTransfer, TransferEvent } from '../../../src/domain/payment/settlement.js'
import type { Random } from '../../support/random.js'

type Report = Omit<TransferEvent, 'now'>
type Type = TransferEvent['type']

const SEQUEL: Record<string, Type[]> = {
  'transferring.signing': ['SIGNED', 'SIGNED', 'SIGNED', 'ENTRUSTED', 'UNMADE'],
  'transferring.submitting': ['ACCEPTED', 'ACCEPTED', 'UNKNOWN', 'UNMADE'],
  'transferring.unknown': ['ACCEPTED', 'REPLACED', 'REVERTED', 'UNMADE'],
  'transferred.submitted': ['CONFIRMED', 'CONFIRMED', 'REPLACED', 'ACCEPTED', 'REVERTED'],
  'transferred.confirmed': ['REORGED', 'FINAL', 'CONFIRMED'],
}
const ANY: Type[] = [...new Set(Object.values(SEQUEL).flat())]

function signed(random: Random, id: string): SignedTransfer {
  const fees = { maxFeePerGas: '2', maxPriorityFeePerGas: '1', gas: '65000' }
  return { hash: `${id}.${random.below(4)}`, raw: '0x02', nonce: 0, ...fees, signedAt: 1 }
}

/** The next report on a payment in live settlement. */
export function reportOn(random: Random, { state, context }: Actor): Report {
  const { id, txHash } = context as unknown as PaymentContext
  const type = random.pick(random.chance(0.9) ? (SEQUEL[state] ?? ANY) : ANY)
  const hash = random.chance(0.8) && txHash !== null ? txHash : `${id}.${random.below(4)}`
  const reports: Partial<Record<Type, object>> = {
    SIGNED: { transfer: signed(random, id) },
    REPLACED: { transfer: signed(random, id) },
    ENTRUSTED: { provider: 'p' },
    UNMADE: { code: 'INSUFFICIENT_BALANCE', message: 'No gas' },
    ACCEPTED: random.chance(0.5) ? { txHash: hash } : {},
    CONFIRMED: { txHash: hash, block: random.below(60) },
    REVERTED: { txHash: hash, reason: 'Reverted' },
  }
  return { type, ...reports[type] } as Report
}
