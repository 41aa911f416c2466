// What is known of a wallet's funds, and the violations of paying from them.
import type { Actor } from '../../actor/actor.js'
import type { Gate } from '../../domain/limits/gate.js'
import type { Micros } from '../../domain/values/money.js'
import { isMadeHere } from '../../domain/payment/settlement.js'
import type { Violation } from '../../domain/outcomes/violation.js'
import { balanceViolations, BALANCE_UNREAD } from '../../domain/parties/wallet.js'
import type { Services } from '../ports.js'

/** Where the wallet's balance comes from: simulation, its chain, or nowhere. */
function sourceOf({ settlement }: Services, wallet: Actor<'wallet'>): 'simulated' | 'chain' | 'nobody' {
  if (settlement === null) return 'simulated'
  return settlement.isSeen(wallet.context.fields.chainId) ? 'chain' : 'nobody'
}

/** What a new hold may take; Infinity where the balance is unknown. */
export function available(services: Services, wallet: Actor<'wallet'>): Micros {
  const { balance, held } = wallet.context
  return sourceOf(services, wallet) === 'nobody' ? Infinity : balance - held
}

/**
 * By x402 somebody else pays the fees of the chain; but where no node can be asked, nobody would ever learn what became of
 * a signature.
 */
export function fundsViolations(
  services: Services,
  wallet: Actor<'wallet'>,
  amount: Micros,
  isByX402: boolean,
): Violation[] {
  const { balance, held, observed, lowGas, fields } = wallet.context
  const source = sourceOf(services, wallet)
  if (source === 'nobody') return []
  const isUnseen = observed === null || (isByX402 && services.settlement?.refusalOn(fields.chainId))
  if (source === 'chain' && isUnseen) return [unseen(services, fields.chainId)]
  const found = balanceViolations(balance, held, amount)
  if (source !== 'chain' || lowGas === null || isByX402) return found
  return [...found, { type: 'INSUFFICIENT_BALANCE', message: lowGas }]
}

/** A chain without a configured node will not be read later either: the message says so. */
function unseen({ settlement }: Services, chainId: string): Violation {
  const refusal = settlement?.refusalOn(chainId)
  return refusal ? { ...BALANCE_UNREAD, message: refusal.message } : BALANCE_UNREAD
}

/** The wallet's gate: the amount to hold, and where its balance comes from. */
export function walletGate(services: Services, wallet: Actor<'wallet'>, amount: Micros): Gate {
  const { ref } = wallet
  const source = sourceOf(services, wallet)
  if (source === 'simulated') return { ref, amount }
  // An unknown balance leaves nothing to hold against.
  if (source === 'nobody') return { ref, amount: 0 }
  const own = isMadeHere(wallet.context.fields.custodyType)
  return { ref, amount, terms: { funds: 'chain', ...(own && { transfer: 'own' }) } }
}
