// Carries out the external call of a payment: signs, broadcasts or looks up its transfer, and tells the payment the
// outcome as a message. It is stateless and idempotent: a repeated call never makes a second transfer.
import { transferTerms, type WalletTerms } from '../domain/payment/terms.js'
import { type ContextOf } from '../domain/values/kinds.js'
import type { Actor, Message } from '../actor/actor.js'
import { Unavailable, type Unchanged, type View } from '../actor/host.js'
import { noNode } from '../domain/values/chains.js'
import type { Ref } from '../domain/limits/gate.js'
import type { SanctionsList } from '../domain/parties/sanctions.js'
import type { OutsideCall, SendFailure, SignedTransfer, TransferOrder } from '../domain/payment/settlement.js'
import { foreignText } from '../domain/values/text.js'
import { parseTransferHash, transferKey } from '../domain/values/transfer.js'
import type { PermanentKey } from '../domain/values/uniqueKeys.js'
import { provedByOthers, provenAddressKey, type CustodyType } from '../domain/parties/wallet.js'
import { Accounts } from './accounts.js'
import { CustodyError, reasonOf, type Custody, type Signer, type Submission, type Submitter } from './custody.js'
import { transferData, type ChainNode, type Fees, type UsedNonces } from './node.js'
import { depthOf, shows, stillInChain, WATCHED_BLOCKS, type DeepReceipt } from './receipts.js'
import { lateness, objection, partiesTo, type MetaOf } from './preflight.js'
import { nonceFloor, prepare, raisedFees, requireAsset, requireCoin, sign } from './transfer.js'
import { userOf } from './usedNonce.js'

export interface TransferStepsParts {
  metaOf: MetaOf
  accounts: Accounts
  /** By chain id. */
  nodes: ReadonlyMap<string, ChainNode>
  /** Throws a CustodyError when no adapter is configured for the type. */
  custody: (type: CustodyType) => Custody
  /** The sanctions list in force; undefined when it cannot be read. */
  sanctions: () => SanctionsList | undefined
  /** Why a provider pays nothing from its wallet for the organization; undefined when it does. */
  objection: (organization: string, wallet: WalletTerms['wallet']) => Promise<string | undefined>
  /** Takes a key in the whole installation, permanently; false when another owner has it. */
  take: (wanted: PermanentKey) => Promise<boolean>
  look: (refs: readonly Ref[]) => Promise<View>
  now: () => number
  /** How long a transfer waits for a block before it is signed again with higher fees (ms). */
  replaceAfterMs: number
}

type Payment = ContextOf<'payment'>

/** A message to the payment; undefined when there is nothing to tell. */
export type PaymentMessage = ({ type: string } & { [field: string]: unknown }) | undefined
/**
 * Sends the message durably. If `unchanged` is false at the moment of the turn, sends nothing and resolves to
 * undefined.
 */
export type Tell<Reply> = (message: NonNullable<PaymentMessage>, unchanged?: Unchanged) => Promise<Reply | undefined>

export class TransferSteps {
  readonly #parts: TransferStepsParts

  constructor(parts: TransferStepsParts) {
    this.#parts = parts
  }

  /** Carries out the call; resolves to the reply of `tell`, or to undefined when there was nothing to tell. */
  async answer<Reply>(payment: Actor<'payment'>, call: OutsideCall, tell: Tell<Reply>): Promise<Reply | undefined> {
    if (call === 'sign') return this.#sign(payment, tell)
    const message = await (call === 'broadcast' ? this.#broadcast(payment) : this.#lookUp(payment))
    return message && (await tell(message))
  }

  async #sign<Reply>(actor: Actor<'payment'>, tell: Tell<Reply>): Promise<Reply | undefined> {
    const payment = actor.context
    const late = lateness(actor, this.#parts.now())
    if (late) return tell({ type: 'UNMADE', ...late })
    const stand = this.#whileItStands(actor, tell)
    try {
      const custody = this.#custody(payment)
      await this.#requireAddress(payment)
      requireAsset(this.#node(transferTerms(payment.terms).wallet.chainId), orderOf(payment))
      if (custody.kind === 'submitter') return await stand({ type: 'ENTRUSTED', provider: custody.id })
      return await this.#signHere(actor.ref, payment, custody, stand)
    } catch (error) {
      if (error instanceof Unavailable) throw error
      return tell({ type: 'UNMADE', ...sendFailureOf(error, transferTerms(payment.terms).wallet.chainId) })
    }
  }

  /** Throws when the provider serves others, or the address is another organization's. */
  async #requireAddress({ organization, terms }: Payment): Promise<void> {
    const said = await this.#parts.objection(organization, transferTerms(terms).wallet)
    if (said !== undefined) throw new CustodyError('WALLET_CONFIG_ERROR', said)
  }

  /** Whoever signs from an address, or whose provider agrees to pay from it, has proved it. */
  #prove({ organization, terms }: Payment): Promise<boolean> {
    return this.#parts.take({
      key: provenAddressKey(transferTerms(terms).wallet.address),
      owner: organization,
      organization,
    })
  }

  /** Tells UNMADE instead if a party was frozen or blocked meanwhile, or the payment expired: nothing has left yet. */
  #whileItStands<Reply>(payment: Actor<'payment'>, tell: Tell<Reply>): Tell<Reply> {
    return async (message) => {
      let stopped: SendFailure | undefined
      const unchanged: Unchanged = (view) => {
        stopped =
          lateness(payment, this.#parts.now()) ?? objection(payment, view, this.#parts.metaOf, this.#parts.sanctions())
        return stopped === undefined
      }
      return (await tell(message, unchanged)) ?? tell({ type: 'UNMADE', ...stopped! })
    }
  }

  async #signHere<Reply>(
    ref: Ref<'payment'>,
    payment: Payment,
    custody: Signer,
    tell: Tell<Reply>,
  ): Promise<Reply | undefined> {
    const { organization, terms } = payment
    const { address, chainId } = transferTerms(terms).wallet
    const node = this.#node(chainId)
    const order = orderOf(payment)
    const account = await custody.account(address, organization)
    let used: UsedNonces = { deep: 0, latest: 0 }
    const floor = async (next: number): Promise<number> => {
      await node.check()
      used = await node.usedNonces(address)
      return nonceFloor(used, next)
    }
    return this.#parts.accounts.signing({ organization, chainId, address }, ref, floor, async (nonce) => {
      const prepared = await prepare(node, order, nonce - used.latest)
      const transfer = await sign(account, order, prepared, nonce, this.#parts.now())
      if (!(await this.#prove(payment))) throw new CustodyError('WALLET_CONFIG_ERROR', provedByOthers(address))
      return tell({ type: 'SIGNED', transfer })
    })
  }

  /** Any result but a clear acceptance is UNKNOWN: the transfer may be on its way. */
  async #broadcast(actor: Actor<'payment'>): Promise<PaymentMessage> {
    const payment = actor.context
    const last = payment.transfers.at(-1)
    try {
      if (!last) return await this.#messageFor(payment, await this.#submit(actor))
      await this.#send(this.#node(transferTerms(payment.terms).wallet.chainId), payment, last)
      return { type: 'ACCEPTED' }
    } catch {
      return { type: 'UNKNOWN' }
    }
  }

  /** Takes the hash before the broadcast, while no other payment can know and take it. */
  async #send(node: ChainNode, payment: Payment, { hash, raw }: SignedTransfer): Promise<void> {
    if (!(await this.#takeHash(payment, hash))) throw new Error(countsElsewhere(hash))
    await node.send(raw)
  }

  /** INVARIANT: one transfer counts for one payment. False when another payment has taken the hash. */
  #takeHash({ id, organization }: Payment, txHash: string): Promise<boolean> {
    return this.#parts.take({ key: transferKey(txHash), owner: `payment/${id}`, organization })
  }

  /** Submits nothing while a freeze or block stands: a retry may come long after the first check. */
  async #submit(actor: Actor<'payment'>): Promise<Submission> {
    const payment = actor.context
    const { organization } = payment
    const { look, metaOf, sanctions } = this.#parts
    const stopped = objection(actor, await look(partiesTo(actor)), metaOf, sanctions())
    if (stopped) throw new Error(`Nothing is submitted: ${stopped.message}`)
    return this.#submitter(payment).submit({ ...orderOf(payment), organization }, submissionKey(payment))
  }

  async #lookUp(actor: Actor<'payment'>): Promise<PaymentMessage> {
    const { transaction } = this.#parts.metaOf(actor)
    const payment = actor.context
    if (payment.transfers.length === 0 && payment.txHash === null) return this.#askProvider(actor)
    const node = this.#node(transferTerms(payment.terms).wallet.chainId)
    // On another chain the transfer is absent, and its nonce may be used.
    await node.checkChain()
    if (transaction === 'CONFIRMED') return this.#watch(node, payment)
    if (transaction === 'SUBMITTED') return this.#follow(node, payment)
    return this.#find(node, payment)
  }

  async #askProvider(actor: Actor<'payment'>): Promise<PaymentMessage> {
    const payment = actor.context
    const known = await this.#statusOf(payment)
    if (this.#parts.metaOf(actor).transaction === 'SUBMITTED') return this.#sinceSubmitted(payment, known)
    return this.#messageFor(payment, known.is === 'absent' ? await this.#submit(actor) : known)
  }

  #statusOf(payment: Payment): Promise<Submission> {
    return this.#submitter(payment).status(submissionKey(payment))
  }

  async #sinceSubmitted(payment: Payment, known: Submission): Promise<PaymentMessage> {
    if (known.is === 'refused') return { type: 'REVERTED', reason: foreignText(known.message) }
    return known.is === 'accepted' && known.txHash !== undefined ? this.#messageFor(payment, known) : undefined
  }

  /** Throws when the provider's hash is malformed: the outcome is then unknown. */
  async #messageFor(payment: Payment, submission: Submission): Promise<PaymentMessage> {
    if (submission.is === 'absent') return undefined
    if (submission.is === 'refused') return { type: 'UNMADE', ...refusalOf(submission) }
    await this.#prove(payment)
    if (submission.txHash === undefined) return { type: 'ACCEPTED' }
    const txHash = parseTransferHash(String(submission.txHash), transferTerms(payment.terms).chainType)
    if (txHash === undefined) throw new Error(`The provider names no hash of a transfer: ${String(submission.txHash)}`)
    return { type: 'ACCEPTED', txHash }
  }

  /** Looks for any signed form of the transfer on the chain; else sends the same bytes again, or raises the fees. */
  async #find(node: ChainNode, payment: Payment): Promise<PaymentMessage> {
    const { transfers } = payment
    for (const { hash } of [...transfers].reverse()) if (await node.knows(hash)) return { type: 'ACCEPTED' }
    const last = transfers.at(-1)
    if (!last) return undefined
    try {
      await this.#offer(node, payment)
      return { type: 'ACCEPTED' }
    } catch (error) {
      const message = await this.#whenLate(node, payment, last)
      if (message?.type === 'CONFIRMED') return { type: 'ACCEPTED', txHash: message['txHash'] }
      if (message) return message
      throw error
    }
  }

  /** Sends the latest signed form that the node takes: the coin may cover only the fees of an older one. */
  async #offer(node: ChainNode, payment: Payment): Promise<void> {
    const refusals: unknown[] = []
    for (const form of payment.transfers.toReversed()) {
      try {
        return await this.#send(node, payment, form)
      } catch (error) {
        refusals.push(error)
      }
    }
    throw refusals[0]
  }

  async #follow(node: ChainNode, payment: Payment): Promise<PaymentMessage> {
    const hashes = payment.transfers.length > 0 ? payment.transfers.map(({ hash }) => hash) : [payment.txHash!]
    for (const txHash of hashes) {
      const found = await depthOf(node, txHash)
      if (found.is === 'shallow') return undefined
      if (found.is === 'deep') return this.#judge(node, payment, txHash, found)
    }
    return this.#keepGoing(node, payment)
  }

  /**
   * Judges a transaction that is deep enough. A provider may name any hash: it counts only when the chain shows this
   * payment's transfer. A revert ends the payment, and after a reorg the same bytes may succeed in another block: it is
   * reported only at the depth at which a confirmed transfer is final.
   */
  async #judge(
    node: ChainNode,
    payment: Payment,
    txHash: string,
    { receipt, depth }: DeepReceipt,
  ): Promise<PaymentMessage> {
    const isMade = receipt.status === 'success'
    if (isMade && !shows(receipt, orderOf(payment))) {
      return this.#misnamed(payment, `${txHash} is not the transfer that it should be`)
    }
    if (!isMade && depth < node.config.confirmations + WATCHED_BLOCKS) return undefined
    if (!isMade) return (await this.#renamed(payment)) ?? this.#reverted(payment, txHash)
    if (!(await this.#takeHash(payment, txHash))) return this.#misnamed(payment, countsElsewhere(txHash))
    return { type: 'CONFIRMED', txHash, block: Number(receipt.blockNumber) }
  }

  /** A reverted transfer, too, counts for one payment: the outcome of another payment with the same hash is unknown. */
  async #reverted(payment: Payment, txHash: string): Promise<PaymentMessage> {
    if (!(await this.#takeHash(payment, txHash))) throw new Error(countsElsewhere(txHash))
    return { type: 'REVERTED', txHash, reason: 'The transfer was reverted on its chain' }
  }

  /** Throws until the provider names another hash: the outcome is unknown. */
  async #misnamed(payment: Payment, why: string): Promise<PaymentMessage> {
    const message = await this.#renamed(payment)
    if (message) return message
    throw new Error(why)
  }

  /** What the provider says now, if it differs. */
  async #renamed(payment: Payment): Promise<PaymentMessage> {
    return payment.transfers.length === 0 ? this.#newHash(payment) : undefined
  }

  /** The transfer is in no block: rebroadcasts it if the node dropped it, and raises its fees when they are too low. */
  async #keepGoing(node: ChainNode, payment: Payment): Promise<PaymentMessage> {
    const last = payment.transfers.at(-1)
    if (!last) return this.#newHash(payment)
    if (!(await node.knows(last.hash))) await this.#offer(node, payment).catch(() => {})
    return this.#whenLate(node, payment, last)
  }

  /** After `replaceAfterMs`, or a clock set back: another transaction may have the nonce, or fees may have risen. */
  async #whenLate(node: ChainNode, payment: Payment, last: SignedTransfer): Promise<PaymentMessage> {
    const age = this.#parts.now() - last.signedAt
    if (age >= 0 && age <= this.#parts.replaceAfterMs) return undefined
    return (await this.#overtaken(node, payment, last)) ?? this.#raise(node, payment, last)
  }

  /**
   * Handles a nonce used by another transaction of the wallet, at the depth of finality: no signed form can enter the
   * chain any more. That transaction, sent with the same key elsewhere, may be this very transfer.
   */
  async #overtaken(node: ChainNode, payment: Payment, { nonce }: SignedTransfer): Promise<PaymentMessage> {
    const { terms, transfers } = payment
    const other = await userOf(
      node,
      transferTerms(terms).wallet.address,
      nonce,
      node.config.confirmations + WATCHED_BLOCKS,
    )
    if (!other || transfers.some(({ hash }) => hash === other.receipt.transactionHash)) return undefined
    const { transactionHash: txHash, status } = other.receipt
    const isIt = status === 'success' && shows(other.receipt, orderOf(payment))
    if (isIt) return this.#judge(node, payment, txHash, other)
    return { type: 'REVERTED', reason: `Its nonce ${nonce} was used by ${txHash}: this transfer can never be made` }
  }

  /** Signs the transfer again when the market asks for higher fees; the chain's highest fee bounds how often. */
  async #raise(node: ChainNode, payment: Payment, last: SignedTransfer): Promise<PaymentMessage> {
    const fees = raisedFees(last, await node.fees(), node.mostFee)
    if (!fees) return undefined
    await requireCoin(node, transferTerms(payment.terms).wallet.address, last, fees)
    return this.#replace(payment, last, fees)
  }

  /** Asks the provider for another hash: it may have replaced the transaction. */
  async #newHash(payment: Payment): Promise<PaymentMessage> {
    const message = await this.#sinceSubmitted(payment, await this.#statusOf(payment))
    return message?.['txHash'] === payment.txHash ? undefined : message
  }

  /** INVARIANT: nonce, recipient and amount stay the same, so at most one signed form can enter the chain. */
  async #replace(payment: Payment, last: SignedTransfer, fees: Fees): Promise<PaymentMessage> {
    const custody = this.#custody(payment)
    if (custody.kind !== 'signer') return undefined
    const order = orderOf(payment)
    const account = await custody.account(order.from, payment.organization)
    const wanted = { data: transferData(order.to, order.amount), gas: BigInt(last.gas), ...fees }
    return { type: 'REPLACED', transfer: await sign(account, order, wanted, last.nonce, this.#parts.now()) }
  }

  /** Watches a confirmed transfer; if a reorg drops its block, the same bytes are sent again. */
  async #watch(node: ChainNode, payment: Payment): Promise<PaymentMessage> {
    const receipt = await stillInChain(node, payment.txHash!)
    const isAsItWas = receipt?.status === 'success' && Number(receipt.blockNumber) === payment.block
    if (!receipt || !isAsItWas) return { type: 'REORGED' }
    const depth = Number(await node.head()) - Number(receipt.blockNumber) + 1
    return depth >= node.config.confirmations + WATCHED_BLOCKS ? { type: 'FINAL' } : undefined
  }

  #custody({ terms }: Payment): Custody {
    return this.#parts.custody(transferTerms(terms).wallet.custodyType)
  }

  #submitter(payment: Payment): Submitter {
    const custody = this.#custody(payment)
    if (custody.kind === 'submitter' && custody.id === payment.provider) return custody
    throw new Error(`It was entrusted to ${payment.provider}: only that provider can say what became of it`)
  }

  #node(chainId: string): ChainNode {
    const node = this.#parts.nodes.get(chainId)
    if (node) return node
    throw new CustodyError('WALLET_CONFIG_ERROR', noNode(chainId))
  }
}

function countsElsewhere(txHash: string): string {
  return `The transfer ${txHash} counts for another payment`
}

function orderOf({ terms }: Payment): TransferOrder {
  const { amount, asset, recipientAddress, wallet } = transferTerms(terms)
  return { chainId: wallet.chainId, from: wallet.address, to: recipientAddress, amount, asset: asset! }
}

/** The idempotency key of a submission; a new one each attempt, so that a refused attempt can be retried. */
function submissionKey({ transactionId, sending }: Payment): string {
  return `${transactionId}.${sending}`
}

/** A refusal is final, even with an unknown code. */
function refusalOf(refused: Submission & { is: 'refused' }): SendFailure {
  return reasonOf(refused) ?? { code: 'WALLET_CONFIG_ERROR', message: foreignText(refused.message) }
}

function sendFailureOf(error: unknown, chainId: string): SendFailure {
  return reasonOf(error) ?? { code: 'UNAVAILABLE', message: `Chain ${chainId} is not reachable now; nothing was sent` }
}

export function settlementMessage(message: NonNullable<PaymentMessage>, now: number, organization: string): Message {
  return { ...message, now, organization } as Message
}
