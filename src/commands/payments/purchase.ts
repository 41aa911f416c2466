// One purchase, however often and by whichever route it is asked for: the attempt that may still be paid, or is, answers;
// only where there is none does the next one begin.
import type { Actor } from '../../actor/actor.js'
import type { Unchanged } from '../../actor/host.js'
import { keyedMutex } from '../../async/keyedMutex.js'
import type { KeyOwner } from '../../actor/overlay.js'
import { parseAddress, type Address } from '../../domain/values/address.js'
import type { Ref } from '../../domain/limits/gate.js'
import { isFromWallet, type PaymentTerms, type WalletTerms } from '../../domain/payment/terms.js'
import type { X402Terms } from '../../domain/payment/x402.js'
import { toNumber, type Micros } from '../../domain/values/money.js'
import type { Code } from '../../domain/outcomes/codes.js'
import { refuseFields, succeed, type Detail, type Refused, type Result } from '../../domain/outcomes/result.js'
import { purchaseKey } from '../../domain/values/uniqueKeys.js'
import { current } from './current.js'
import type { Caller, Services } from '../ports.js'
import { retryOnConflict } from '../retryOnConflict.js'
import { paymentStatus } from '../status.js'

/** What must be as it was in every call for a purchase; texts may differ. */
export interface Price {
  /** Undefined where the call stands alone. */
  paymentKey?: string | undefined
  amount: Micros
  recipientAddress: Address | null
  /** On a card the merchant's name. */
  recipientName?: string | undefined
  cardId?: string | undefined
  /** Where one was asked for. */
  chainId?: string | undefined
  walletId?: string | undefined
  /** By x402. */
  x402?: X402Terms | undefined
}

export interface Purchased {
  payment: Actor<'payment'>
  /** An earlier call began the attempt. */
  isFound: boolean
}

/** The attempt to begin, while no other has begun; `unchanged` is asked last, when everything else holds. */
export interface Next {
  attempt: number
  unchanged: Unchanged
}

type Begin<C extends Code> = (next: Next | undefined) => Promise<Result<Purchased, C> | undefined>

/** Calls for one purchase take turns to look for its attempt: otherwise the many that find none would keep conflicting. */
const inTurn = keyedMutex()

/** Answers with the attempt that has the purchase's key, or begins the next. */
export async function purchase<C extends Code>(
  services: Services,
  caller: Caller,
  price: Price,
  begin: Begin<C>,
): Promise<Result<Purchased, C | 'PRICE_CHANGED' | 'UNAVAILABLE'>> {
  const { paymentKey } = price
  if (paymentKey === undefined) return retryOnConflict(() => begin(undefined))
  const key = purchaseKey(caller.principal.agent!, paymentKey)
  const [outcome] = await inTurn(key, async () => {
    let leave = (): void => {}
    // The next call finds what has begun, and need not wait until a chain has answered.
    const begun = new Promise<void>((resolve) => (leave = resolve))
    const made = retryOnConflict(() => answerOrBegin(services, { price, key, begin, leave }))
    await Promise.race([begun, made])
    return [made]
  })
  return outcome
}

interface Turn<C extends Code> {
  price: Price
  /** Of the purchase. */
  key: string
  begin: Begin<C>
  /** Called when the next attempt has begun. */
  leave: () => void
}

async function answerOrBegin<C extends Code>(
  services: Services,
  { price, key, begin, leave }: Turn<C>,
): Promise<Result<Purchased, C | 'PRICE_CHANGED'> | undefined> {
  const last = await lastAttempt(services, key)
  // A key that nobody had is looked up again when the next attempt begins.
  const owner = last && services.host.keyOwner(key)
  if (owner?.owner !== last?.ref) return undefined
  if (last && owner?.isFormer !== true) {
    return priceChange(services, price, last) ?? succeed({ payment: last, isFound: true })
  }
  const attempt = last ? last.context.terms!.attempt! + 1 : 1
  const unchanged: Unchanged = () => {
    const isSo = isSame(services.host.keyOwner(key), owner)
    if (isSo) leave()
    return isSo
  }
  return begin({ attempt, unchanged })
}

/** The attempt that has the key or had it last, ended where it is overdue. */
async function lastAttempt(services: Services, key: string): Promise<Actor<'payment'> | undefined> {
  const owner = services.host.keyOwner(key)
  if (owner === undefined) return undefined
  const [actor] = await services.host.read([owner.owner as Ref<'payment'>])
  return current(services, actor!)
}

function isSame(is: KeyOwner | undefined, was: KeyOwner | undefined): boolean {
  return is?.owner === was?.owner && is?.isFormer === was?.isFormer
}

/** PRICE_CHANGED with all that differs from the attempt. */
function priceChange(
  services: Services,
  price: Price,
  attempt: Actor<'payment'>,
): Refused<'PRICE_CHANGED'> | undefined {
  const terms = attempt.context.terms!
  const { amount, attempt: number } = terms
  const which = `in attempt ${number}, which is ${paymentStatus(attempt)}`
  const details: Detail[] = []
  const differs = (path: string, is: string | number): unknown => details.push({ path, message: `is ${is} ${which}` })
  if (price.amount !== amount) differs('amount', toNumber(amount))
  const { recipientAddress: wanted } = price
  // Between a card and a wallet only the amount can be compared.
  if (isFromWallet(terms) && wanted !== null)
    transferChange(services, { ...price, recipientAddress: wanted }, terms, differs)
  if (!isFromWallet(terms) && wanted === null) cardChange(price, terms, differs)
  if (price.x402 && terms.x402) offerChange(price.x402, terms.x402, differs)
  return details.length > 0 ? refuseFields(details, 'PRICE_CHANGED') : undefined
}

type Differs = (path: string, is: string | number) => unknown

function cardChange({ recipientName, cardId }: Price, terms: PaymentTerms, differs: Differs): void {
  if (recipientName !== terms.recipientName) differs('merchantName', terms.recipientName!)
  if (cardId !== terms.card?.id) differs('cardId', terms.card!.id)
}

function offerChange(wanted: X402Terms, { host, offer }: X402Terms, differs: Differs): void {
  if (wanted.host !== host) differs('resource.url', host)
  if (wanted.offer.asset.toLowerCase() !== offer.asset.toLowerCase()) differs('asset', offer.asset)
  if (wanted.offer.network !== offer.network) differs('network', offer.network)
}

function transferChange(
  services: Services,
  price: Price & { recipientAddress: Address },
  { recipientAddress, wallet }: WalletTerms,
  differs: Differs,
): void {
  const recipient = parseAddress(recipientAddress)!
  if (price.recipientAddress.canonical !== recipient.canonical) differs('recipientAddress', recipientAddress)
  if ((price.chainId ?? wallet.chainId) !== wallet.chainId) differs('chainId', wallet.chainId)
  if (!isOnChain(services, price.walletId, wallet.chainId)) differs('walletId', `on chain ${wallet.chainId}`)
}

/** False only for a wallet that is known to be elsewhere. */
function isOnChain({ host }: Services, walletId: string | undefined, chainId: string): boolean {
  const wallet = walletId === undefined ? undefined : host.peek(`wallet/${walletId}`)
  return wallet === undefined || wallet.context.fields.chainId === chainId
}
