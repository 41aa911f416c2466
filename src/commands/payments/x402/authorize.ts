// Payments by x402: decides on an offer as on any payment, and signs it. Authorizing is the execution: a signature that
// is out cannot be called back, so the amount counts until it is paid or void.
import type { Actor } from '../../../actor/actor.js'
import { refuse, succeed, type Refused, type Result } from '../../../domain/outcomes/result.js'
import { executionCode, type Violation } from '../../../domain/outcomes/violation.js'
import { isMadeHere } from '../../../domain/payment/settlement.js'
import { isX402 } from '../../../domain/payment/terms.js'
import {
  LONGEST_VALIDITY_S,
  typedDataOf,
  type Offer,
  type Resource,
  type TypedData,
} from '../../../domain/payment/x402.js'
import { toNumber, type Micros } from '../../../domain/values/money.js'
import { purchaseKey } from '../../../domain/values/uniqueKeys.js'
import { permitPayment } from '../externalPayments.js'
import { factsAbout, fundingSourceOf, reachableWallets } from '../facts.js'
import { statusViolations } from '../evaluate.js'
import type { Caller, Services } from '../../ports.js'
import { purchase, type Purchased } from '../purchase.js'
import { begin, isSigner, type PaymentRequest } from '../request.js'
import { refusedOnDisk } from '../../send.js'
import { isPermitted, paymentStatus } from '../../status.js'
import { chooseOffer, type OfferChoice, type ReadOffer } from './offers.js'

/** Without the words of the server, which the agent would read as the service's. */
const UNSUPPORTED =
  'The server offers nothing that the service pays with: the USDC of an EVM chain, by the scheme exact'
const OTHER_SETTLEMENT = 'Test settlement signs for the chains 84532 and 31337 alone'

export interface WantedByX402 {
  offers: readonly [ReadOffer, ...ReadOffer[]]
  resource: Resource
  maxAmount?: Micros | undefined
  paymentKey: string
  walletId?: string | undefined
  purpose?: string | undefined
}

/** A payment, with what its agent needs to pay. */
export interface AuthorizedPayment extends Purchased {
  typedData?: TypedData
  /** By the service; absent where the agent signs. */
  signature?: string
  /** Why nothing is given to an attempt that was found. */
  withheld?: string
}

type Codes =
  | 'ALREADY_EXECUTED'
  | 'EXPIRED'
  | 'IDEMPOTENCY_CONFLICT'
  | 'INSUFFICIENT_BALANCE'
  | 'INVALID_ADDRESS'
  | 'INVALID_RECIPIENT'
  | 'INVALID_STATUS'
  | 'LIMIT_EXCEEDED'
  | 'LIMIT_REACHED'
  | 'NOT_FOUND'
  | 'NO_WALLET'
  | 'PRICE_CHANGED'
  | 'TEST_SETTLEMENT'
  | 'UNAVAILABLE'
  | 'WALLET_CONFIG_ERROR'

export async function authorizeByX402(
  services: Services,
  caller: Caller,
  wanted: WantedByX402,
): Promise<Result<AuthorizedPayment, Codes>> {
  const choice = chosenFor(services, caller, wanted)
  if (choice.is === 'otherSettlement') {
    return refusedOnDisk(services, refuse('TEST_SETTLEMENT', `${OTHER_SETTLEMENT}, not for ${choice.chainId}`))
  }
  const request = requestOf(wanted, choice)
  const asked = await purchase(services, caller, request, (next) => begin(services, caller, request, next))
  if (!asked.ok) return asked
  const tooMuch = aboveCeiling(asked.value.payment, wanted.maxAmount)
  if (tooMuch !== undefined) return succeed({ ...asked.value, withheld: tooMuch })
  const permitted = await permittedBy(services, caller, asked.value, request)
  if (!permitted.ok) return permitted
  return signed(services, { payment: permitted.value, isFound: asked.value.isFound })
}

function chosenFor(services: Services, { principal }: Caller, wanted: WantedByX402): OfferChoice {
  const agentId = principal.agent!
  return chooseOffer(services, wanted.offers, {
    former: () => formerOffer(services, agentId, wanted.paymentKey),
    chains: () => chainsOf(services, agentId, wanted.walletId),
  })
}

function chainsOf(services: Services, agentId: string, walletId: string | undefined): Set<string> {
  const wallets = reachableWallets(services, agentId, (ref) => services.host.peek(ref))
  const named = wallets.filter(({ context: { id, fields } }) => isSigner(fields) && (walletId ?? id) === id)
  return new Set(named.map(({ context }) => context.fields.chainId))
}

/** That of the open attempt at the purchase, or of the one that was paid. */
function formerOffer({ host }: Services, agentId: string, paymentKey: string): Offer | undefined {
  const owner = host.keyOwner(purchaseKey(agentId, paymentKey))
  if (!owner || owner.isFormer) return undefined
  const last = host.peek(owner.owner as Actor<'payment'>['ref'])
  return last?.context.terms?.x402?.offer
}

type X402Choice = Exclude<OfferChoice, { is: 'otherSettlement' }>

function requestOf(wanted: WantedByX402, choice: X402Choice): PaymentRequest {
  const { resource, maxAmount, paymentKey, walletId, purpose } = wanted
  const { offer, amount, payTo } = choice.offer
  return {
    amount,
    recipientAddress: payTo,
    recipientName: resource.host,
    category: 'X402',
    urgency: 'NORMAL',
    autoExecute: false,
    through: 'x402',
    x402: { ...resource, offer },
    refused: refusedBy(choice, maxAmount),
    signForMs: Math.min(offer.maxTimeoutSeconds, LONGEST_VALIDITY_S) * 1_000,
    paymentKey,
    walletId,
    purpose,
    ...(choice.is === 'payable' && { chainId: choice.chainId }),
  }
}

function refusedBy({ is, offer: { amount } }: X402Choice, most: Micros | undefined): Violation[] {
  return [
    ...(is === 'unsupported' ? [{ type: 'ASSET_NOT_ALLOWED' as const, message: UNSUPPORTED }] : []),
    ...(most !== undefined && amount > most ? [ceiling(amount, most)] : []),
  ]
}

function ceiling(current: Micros, limit: Micros): Violation {
  const message = `The server asks for ${toNumber(current)}, more than maxAmount ${toNumber(limit)}`
  return { type: 'X402_PRICE_CEILING', limit, current, message }
}

/** Why nothing is signed for an attempt that was found: before it is permitted, so that its approval is not spent. */
function aboveCeiling(payment: Actor<'payment'>, most: Micros | undefined): string | undefined {
  const { amount } = payment.context.terms!
  const isGoing = ['APPROVED', 'EXECUTING'].includes(paymentStatus(payment))
  return most !== undefined && isGoing && amount > most ? ceiling(amount, most).message : undefined
}

/** Goes on with an attempt that a person has approved, or gives the permit of an external wallet. */
async function permittedBy(
  services: Services,
  caller: Caller,
  { payment, isFound }: Purchased,
  { signForMs }: PaymentRequest,
): Promise<Result<Actor<'payment'>, Codes>> {
  const terms = payment.context.terms!
  const isOwn = !isFound || terms.through === 'x402'
  if (!isOwn || !isX402(terms) || paymentStatus(payment) !== 'APPROVED') return succeed(payment)
  if (!isFound && isPermitted(payment)) return succeed(payment)
  const unseen = services.settlement?.refusalOn(terms.wallet.chainId)
  if (unseen) return refusedOnDisk(services, refuse(unseen.code, unseen.message))
  return permitPayment(services, caller, payment.context.id, { rail: 'X402', permitForMs: signForMs! })
}

/** Adds what is to be signed, and the signature where the service has the key, while it can be used. */
async function signed(
  services: Services,
  purchased: Purchased,
): Promise<
  Result<
    AuthorizedPayment,
    'INVALID_STATUS' | 'LIMIT_EXCEEDED' | 'INSUFFICIENT_BALANCE' | 'UNAVAILABLE' | 'WALLET_CONFIG_ERROR'
  >
> {
  const { payment, isFound } = purchased
  const { id, organization, terms, permit } = payment.context
  const isOut = isPermitted(payment) || paymentStatus(payment) === 'EXECUTING'
  if (!isX402(terms!) || !isOut) return succeed(purchased)
  if (services.now() >= permit!.expiresAt) return succeed({ ...purchased, withheld: 'What was signed is void by now' })
  const stopped = isFound ? await stoppedBy(services, payment) : undefined
  if (stopped) return stopped
  const { amount, asset, recipientAddress, wallet } = terms
  const typedData = typedDataOf({ id, amount, asset, recipientAddress, wallet, validBefore: permit!.expiresAt })
  if (!isMadeHere(wallet.custodyType)) return succeed({ ...purchased, typedData })
  const signature = await services.signTypedData(wallet.address, organization, typedData)
  return signature.ok ? succeed({ ...purchased, typedData, signature: signature.value }) : signature
}

/** A signature that the agent did not get is not given while it must not pay. */
async function stoppedBy(
  services: Services,
  payment: Actor<'payment'>,
): Promise<Refused<'INVALID_STATUS' | 'LIMIT_EXCEEDED' | 'INSUFFICIENT_BALANCE'> | undefined> {
  const terms = payment.context.terms!
  const facts = await factsAbout(services, payment.context)
  const route = fundingSourceOf(facts, terms)
  if (!route)
    return refusedOnDisk(services, refuse('INVALID_STATUS', 'The wallet is not delegated to this agent any more'))
  const stops = statusViolations(facts, route, terms.executionContext)
  if (stops.length === 0) return undefined
  const reasons = stops.map(({ message }) => message)
  const code = executionCode(stops) as 'INVALID_STATUS' | 'LIMIT_EXCEEDED' | 'INSUFFICIENT_BALANCE'
  return refusedOnDisk(services, refuse(code, reasons[0], { reasons }))
}
