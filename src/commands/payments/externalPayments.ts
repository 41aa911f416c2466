// Payments from wallets whose key the service does not have: the agent gets a permit, pays by itself, and confirms with
// the transfer's hash. From the permit on the amount stays reserved, because it may have been paid.
import type { Actor } from '../../actor/actor.js'
import type { Unchanged } from '../../actor/host.js'
import { parseAddress, type Address } from '../../domain/values/address.js'
import { canonicalJson } from '../../domain/values/canonical.js'
import { sha256Hex } from '../../domain/values/digest.js'
import { refuse, refuseField, succeed, type Refused, type Result } from '../../domain/outcomes/result.js'
import { isMadeHere } from '../../domain/payment/settlement.js'
import { isFromWallet, railOf, walletTerms, type Rail } from '../../domain/payment/terms.js'
import { parseTransferHash, transferKey } from '../../domain/values/transfer.js'
import { foreignAddress, foreignAnywhere, provedElsewhere } from '../agents/addresses.js'
import { refusedOnDisk, sendIf } from '../send.js'
import { permanentKey, transferHashKey } from '../../domain/values/uniqueKeys.js'
import { gatherFacts } from './facts.js'
import { reviewPermit } from './permitReview.js'
import { findPayment, modeRefusal, OTHER_RAIL, stopped } from './payments.js'
import type { Caller, Services } from '../ports.js'
import { purchase, type Purchased } from './purchase.js'
import { begin, type PaymentRequest } from './request.js'
import { retryOnConflict } from '../retryOnConflict.js'
import { reviewPayment } from './review.js'
import { isPermitted, paymentStatus } from '../status.js'

const PERMIT_MS = 10 * 60_000
const USED = 'This transfer has confirmed another payment'
const PERMIT_EXPIRED = 'The permit to pay has expired: confirm the payment if it was made'

/**
 * Proves the agent's permit. The token is derived from the request, amount, recipient and chain with the installation's
 * secret: it is not stored, and asking again gives the same one.
 */
export function approvalToken(services: Services, payment: Actor<'payment'>): string {
  const { id, terms } = payment.context
  const { amount, recipientAddress, wallet } = walletTerms(terms)
  const bound = { purpose: 'approval token', id, amount, recipientAddress, chainId: wallet.chainId }
  return services.hashKey(sha256Hex(canonicalJson(bound)))
}

/** Compares hashes, so that timing does not tell how much of a guess is right. */
function isToken(services: Services, payment: Actor<'payment'>, given: string): boolean {
  const hasOne = payment.context.permit !== null
  return hasOne && services.hashKey(sha256Hex(given)) === services.hashKey(sha256Hex(approvalToken(services, payment)))
}

/** By which route a permit is asked for, and for how long the agent may pay. */
interface PermitBy {
  rail: Exclude<Rail, 'CARD'>
  permitForMs: number
}

const BY_TRANSFER: PermitBy = { rail: 'TRANSFER', permitForMs: PERMIT_MS }

/**
 * Permits an approved payment; where its review requires a person or denies, the answer shows that state. By x402 a
 * payment from a wallet whose key the service has is authorized with it.
 */
export function permitPayment(
  services: Services,
  caller: Caller,
  id: string,
  { rail, permitForMs }: PermitBy = BY_TRANSFER,
): Promise<
  Result<
    Actor<'payment'>,
    | 'ALREADY_EXECUTED'
    | 'EXPIRED'
    | 'INSUFFICIENT_BALANCE'
    | 'INVALID_STATUS'
    | 'LIMIT_EXCEEDED'
    | 'NOT_FOUND'
    | 'UNAVAILABLE'
    | 'WALLET_CONFIG_ERROR'
  >
> {
  return retryOnConflict(async () => {
    const found = await findPayment(services, caller, id)
    if (!found.ok || paymentStatus(found.value) === 'REQUIRES_APPROVAL') return found
    const { ref } = found.value
    const wasPermitted = isPermitted(found.value)
    const isApproved = !wasPermitted && paymentStatus(found.value) === 'APPROVED'
    const { organization, terms } = found.value.context
    if (railOf(terms!) !== rail || !isFromWallet(terms!)) return refuse('INVALID_STATUS', OTHER_RAIL)
    if (rail === 'TRANSFER' && isMadeHere(terms.wallet.custodyType)) {
      return refuse('INVALID_STATUS', 'The service pays from this wallet itself: execute the payment')
    }
    const otherMode = isApproved ? modeRefusal(services, terms) : undefined
    if (otherMode) return otherMode
    const foreign = isApproved ? await foreignAnywhere(services, organization, terms.wallet.address) : undefined
    if (foreign) return refusedOnDisk(services, foreign)
    const reviewed = await (wasPermitted ? reviewPermit : reviewPayment)(services, found.value)
    if (!reviewed.ok) return reviewed
    const { unchanged, ...review } = reviewed.value
    const reply = await sendIf(services, caller, unchanged, ref, 'PERMIT', { permitForMs, ...review })
    if (!reply) return undefined
    const left = paymentStatus(reply.actor)
    const isTold = left === 'REQUIRES_APPROVAL' || (isApproved && left === 'DENIED')
    if (reply.ok || isTold) return succeed(reply.actor)
    if (reply.code === 'EXPIRED' && wasPermitted) return refuse('EXPIRED', PERMIT_EXPIRED)
    return stopped(reply.code, reply.actor, review.review?.decision?.violations[0]?.message)
  })
}

export interface WantedFrom extends Omit<PaymentRequest, 'walletId' | 'cardId' | 'urgency' | 'autoExecute'> {
  recipientAddress: Address
  senderAddress: Address
  chainId: string
}

/** Requests a payment from the delegated wallet with this address, and a permit for it. */
export async function requestPermit(
  services: Services,
  caller: Caller,
  wanted: WantedFrom,
): Promise<
  Result<
    Purchased,
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
    | 'UNAVAILABLE'
    | 'VALIDATION_ERROR'
    | 'WALLET_CONFIG_ERROR'
  >
> {
  const { senderAddress: _sender, ...rest } = wanted
  // The answer's record belongs to the permit.
  const asker: Caller = { principal: caller.principal, requestId: caller.requestId }
  const asked = await purchase(services, caller, wanted, async (next) => {
    const walletId = await walletOf(services, caller, wanted)
    if (!walletId.ok) return refusedOnDisk(services, walletId)
    const through = {
      ...rest,
      walletId: walletId.value,
      urgency: 'NORMAL',
      autoExecute: false,
      through: 'approve',
    } as const
    return begin(services, asker, through, next)
  })
  if (!asked.ok || !isPermittable(asked.value)) return asked
  const { payment, isFound } = asked.value
  const permitted = await permitPayment(services, caller, payment.context.id)
  return permitted.ok ? succeed({ payment: permitted.value, isFound }) : permitted
}

/** An attempt that another route began, or that is not approved, only shows how it is. */
function isPermittable({ payment, isFound }: Purchased): boolean {
  if (!isFound) return paymentStatus(payment) !== 'DENIED'
  return payment.context.terms!.through === 'approve' && paymentStatus(payment) === 'APPROVED'
}

async function walletOf(
  services: Services,
  { principal }: Caller,
  { senderAddress, recipientAddress, chainId }: WantedFrom,
): Promise<Result<string, 'INVALID_STATUS' | 'NO_WALLET' | 'VALIDATION_ERROR'>> {
  const { routes } = await gatherFacts(services, principal.organization, principal.agent!, recipientAddress)
  const wallets = routes.map(({ wallet }) => wallet.context)
  const own = wallets.filter(({ fields }) => parseAddress(fields.address)!.canonical === senderAddress.canonical)
  if (own.length === 0) return refuse('NO_WALLET', 'senderAddress is not a wallet delegated to this agent')
  const onChain = own.find(({ fields }) => fields.chainId === chainId)
  if (!onChain) {
    return refuseField('chainId', `must be the wallet's: ${own.map(({ fields }) => fields.chainId).join(', ')}`)
  }
  if (!isMadeHere(onChain.fields.custodyType)) return succeed(onChain.id)
  return refuse('INVALID_STATUS', 'The service pays from this wallet itself: request the payment and execute it')
}

/** Records the agent's payment, at any time and regardless of limits changed since. */
export async function confirmPayment(
  services: Services,
  caller: Caller,
  id: string,
  given: { txHash: string; approvalToken: string },
): Promise<
  Result<
    Actor<'payment'>,
    | 'ALREADY_EXECUTED'
    | 'INVALID_STATUS'
    | 'INVALID_TOKEN'
    | 'NOT_CONFIRMED'
    | 'NOT_FOUND'
    | 'TRANSFER_MISMATCH'
    | 'UNAVAILABLE'
    | 'VALIDATION_ERROR'
    | 'WALLET_CONFIG_ERROR'
  >
> {
  const found = await findPayment(services, caller, id)
  if (!found.ok) return found
  const { organization, terms } = found.value.context
  if (!isFromWallet(terms!)) return refuse('INVALID_STATUS', OTHER_RAIL)
  if (!isToken(services, found.value, given.approvalToken)) return refuse('INVALID_TOKEN')
  const txHash = parseTransferHash(given.txHash, terms.chainType)
  if (txHash === undefined) {
    return refuseField('txHash', `must be the hash of a transfer on chain ${terms.wallet.chainId}`)
  }
  const proof = isPermitted(found.value) ? await proofOf(services, found.value, txHash) : succeed<Proof>({})
  if (!proof.ok) return proof
  const elsewhere = isPermitted(found.value) ? await provedElsewhere(services, terms.wallet.address) : undefined
  if (elsewhere) return refusedOnDisk(services, elsewhere)
  const { block } = proof.value
  // A transfer that the chain shows has its key within the organization: what another only says cannot block it.
  const transferKey = transferHashKey(txHash, block === undefined ? undefined : organization)
  const isAsSaid = block === undefined && isPermitted(found.value)
  if (isAsSaid && !(await services.otherShards.take(transferKey))) {
    return refusedOnDisk(services, refuse('ALREADY_EXECUTED', USED))
  }
  let foreign: ReturnType<typeof foreignTransfer>
  const unchanged: Unchanged = () => {
    foreign = isPermitted(found.value) ? foreignTransfer(services, found.value, txHash, transferKey) : undefined
    return foreign === undefined
  }
  const reply = await sendIf(services, caller, unchanged, found.value.ref, 'CONFIRM', {
    txHash,
    transferKey,
    ...proof.value,
  })
  if (!reply) return foreign!
  if (reply.ok) return succeed(reply.actor)
  return stopped(reply.code, reply.actor, isPermitted(reply.actor) ? USED : undefined)
}

/**
 * A transfer that the service sent, or one from an address that the service uses for another organization, confirms no
 * payment. Any other transfer that the chain shows may confirm one payment in each organization that names the address,
 * until one has proved that it controls it.
 */
function foreignTransfer(
  services: Services,
  payment: Actor<'payment'>,
  txHash: string,
  key: string,
): Refused<'ALREADY_EXECUTED' | 'WALLET_CONFIG_ERROR'> | undefined {
  const { host } = services
  const { organization, terms } = payment.context
  const { address } = walletTerms(terms).wallet
  const isWithin = (key: string): boolean => (host.keyOwner(key)?.organization ?? organization) === organization
  const sent = permanentKey(transferKey(txHash))
  const isUsed = key === sent ? !isWithin(sent) : host.keyOwner(sent) !== undefined
  if (isUsed) return refuse('ALREADY_EXECUTED', USED)
  return foreignAddress(services, organization, address)
}

interface Proof {
  block?: number
}

/**
 * In live settlement the chain, where it can be read, must show the transfer and gives its block. In test settlement
 * there is no transfer.
 */
async function proofOf(
  services: Services,
  payment: Actor<'payment'>,
  txHash: string,
): Promise<
  Result<Proof, 'INVALID_STATUS' | 'NOT_CONFIRMED' | 'TRANSFER_MISMATCH' | 'UNAVAILABLE' | 'WALLET_CONFIG_ERROR'>
> {
  const { terms, createdAt: askedAt } = payment.context
  const otherMode = modeRefusal(services, terms!)
  if (otherMode) return otherMode
  const { amount, asset, recipientAddress, wallet } = walletTerms(terms)
  const { id, address, chainId } = wallet
  // On a chain that cannot be read the agent's word counts; the payment is not shown as confirmed.
  if (!services.settlement?.isSeen(chainId)) return succeed({})
  const claimed = { chainId, txHash, from: address, to: recipientAddress, amount, asset: asset!, askedAt }
  const verdict = await services.settlement.verify(claimed).catch(() => undefined)
  if (!verdict) return refuse('UNAVAILABLE', `Chain ${chainId} is not reachable now: confirm the payment again`)
  if (verdict.is === 'unread') return refuse('WALLET_CONFIG_ERROR', verdict.reason)
  if (verdict.is === 'unsettled') return refuse('NOT_CONFIRMED', verdict.reason)
  if (verdict.is === 'wrong') return refuse('TRANSFER_MISMATCH', verdict.reason, { details: verdict.details })
  // INVARIANT: the wallet learns that the funds have left before the hold on them ends.
  await services.settlement.observe([`wallet/${id}`])
  return succeed({ block: verdict.block })
}
