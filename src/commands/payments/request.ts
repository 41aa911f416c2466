// Payment requests: gathers the facts, evaluates the policies, and has the payment ask its gates. The evaluation only
// proposes; the gates decide.
import type { Unchanged } from '../../actor/host.js'
import { unpayable, type Address } from '../../domain/values/address.js'
import type { Json } from '../../domain/values/canonical.js'
import type { Code } from '../../domain/outcomes/codes.js'
import type { Ref } from '../../domain/limits/gate.js'
import { derivedId, newId, orderedId } from '../../domain/values/ids.js'
import type { Micros } from '../../domain/values/money.js'
import {
  isX402,
  transferTerms,
  type Decision,
  type LineItem,
  type PaymentTerms,
  type Through,
  type WalletTerms,
} from '../../domain/payment/terms.js'
import type { X402Terms } from '../../domain/payment/x402.js'
import type { Violation } from '../../domain/outcomes/violation.js'
import { identityOf } from '../../domain/access/principal.js'
import { refuse, refuseAt, succeed, type Result } from '../../domain/outcomes/result.js'
import { isMadeHere } from '../../domain/payment/settlement.js'
import { foreignAnywhere, payingRefusal } from '../agents/addresses.js'
import { approvalFor } from './approvalTerms.js'
import { refusedOnDisk, sendIf } from '../send.js'
import { considerAll, mildest, type Considered, type Evaluated, type PolicyEvaluation } from './evaluate.js'
import { cardFacts, gatherFacts, type GatheredFacts, type TransferFacts } from './facts.js'
import type { FundingSource, WalletSource } from './fundingSource.js'
import { gatesFor } from './gates.js'
import { nearest } from './counterfactual.js'
import { gatesToBlame, withoutOverdue } from '../overdue.js'
import type { Caller, Services } from '../ports.js'
import { purchase, type Next, type Purchased } from './purchase.js'
import type { Proposal } from './ruleFacts.js'
import { sendAndSettle } from './settle.js'
import { stillValid } from './stillValid.js'

export interface PaymentRequest {
  amount: Micros
  /** Null on a card. */
  recipientAddress: Address | null
  recipientName?: string | undefined
  purpose?: string | undefined
  category?: string | undefined
  context?: { [field: string]: Json } | undefined
  walletId?: string | undefined
  executionContext?: string | undefined
  urgency: PaymentTerms['urgency']
  autoExecute: boolean
  idempotencyKey?: string | undefined
  /** The purchase, which any number of calls may ask for. */
  paymentKey?: string | undefined
  /** The card to pay with. */
  cardId?: string | undefined
  /** Chooses among the agent's wallets. */
  chainId?: string | undefined
  sessionId?: string | undefined
  reference?: string | undefined
  lineItems?: LineItem[] | undefined
  /** The route that the key belongs to; `request` when left out. */
  through?: Through
  /** Only by x402: what is paid for, why it is denied whatever the rules say, and for how long a signature is good. */
  x402?: X402Terms | undefined
  refused?: readonly Violation[]
  signForMs?: number
}

/** Returns the payment once it rests, or the open attempt at the purchase. A denial is a decision, not a refusal. */
export function requestPayment(
  services: Services,
  caller: Caller,
  wanted: PaymentRequest,
): Promise<
  Result<
    Purchased,
    | 'IDEMPOTENCY_CONFLICT'
    | 'INVALID_ADDRESS'
    | 'INVALID_RECIPIENT'
    | 'LIMIT_REACHED'
    | 'NOT_FOUND'
    | 'NO_WALLET'
    | 'PRICE_CHANGED'
    | 'UNAVAILABLE'
  >
> {
  return purchase(services, caller, wanted, (next) => begin(services, caller, wanted, next))
}

/** Requests the payment, as the purchase's next attempt where it has one; undefined where its grounds have changed. */
export async function begin(
  services: Services,
  caller: Caller,
  wanted: PaymentRequest,
  next: Next | undefined,
): Promise<
  | Result<
      Purchased,
      'IDEMPOTENCY_CONFLICT' | 'INVALID_ADDRESS' | 'INVALID_RECIPIENT' | 'LIMIT_REACHED' | 'NOT_FOUND' | 'NO_WALLET'
    >
  | undefined
> {
  const found = await decide(services, caller, wanted)
  if (!found.ok) return found
  const decided = found.value
  const fields = describePayment(services, caller, wanted, decided, next?.attempt)
  const stands = stillValid(services, decided.facts, decided.considered)
  const unchanged: Unchanged = (view) => stands(view) && (next === undefined || next.unchanged(view))
  const { walletId, chainId, cardId } = wanted
  const permitForMs = (await isAuthorizedAtOnce(services, caller, fields)) ? wanted.signForMs : undefined
  const asked = {
    fields,
    walletId,
    chainId,
    ...(cardId !== undefined && { cardId }),
    ...(permitForMs && { permitForMs }),
  }
  // What is signed for x402 is not sent by the service: there is no result to wait for.
  const deliver = wanted.x402 ? sendIf : sendAndSettle
  const reply = await deliver(services, caller, unchanged, `payment/${fields.id}`, 'REQUEST', asked)
  if (reply && 'full' in reply) return reply.full
  // Any other refusal is of the execution, and the payment shows it.
  if (reply?.ok === false && reply.code === 'IDEMPOTENCY_CONFLICT') return refuse(reply.code)
  return reply && succeed({ payment: reply.actor, isFound: false })
}

/** By x402, in the commit of the request; where something is in the way, the authorization that follows refuses. */
async function isAuthorizedAtOnce(
  services: Services,
  { principal }: Caller,
  { terms, decision }: { terms: PaymentTerms; decision: Decision },
): Promise<boolean> {
  if (!isX402(terms) || decision.outcome !== 'APPROVED') return false
  const { custodyType, address } = terms.wallet
  return isMadeHere(custodyType) || !(await foreignAnywhere(services, principal.organization, address))
}

/** A decided payment, before its request is sent to the payment's actor. */
export interface Decided {
  facts: GatheredFacts
  considered: Considered
  evaluation: PolicyEvaluation
  decision: Decision
  proposal: Proposal
}

/** A decision with the evaluations of all routes. */
interface DecidedNow extends Decided {
  evaluated: readonly Evaluated[]
}

/**
 * Gathers the facts and evaluates them; a refusal says why no decision is possible. Unless the payment is approved, it
 * ends overdue holds that may be to blame and decides once more: a hold that is over denies nothing and asks nobody.
 */
export async function decide(
  services: Services,
  caller: Caller,
  wanted: PaymentRequest,
): Promise<Result<Decided, 'INVALID_ADDRESS' | 'INVALID_RECIPIENT' | 'NOT_FOUND' | 'NO_WALLET'>> {
  const { organization } = caller.principal
  const found = await withoutOverdue(services, organization, () => decideNow(services, caller, wanted), blamed)
  if (!found.ok) return found
  const { evaluated, ...decided } = found.value
  const { facts, decision, proposal } = decided
  if (decision.outcome === 'DENIED') decision.nearest = await nearest(services, facts, evaluated, proposal)
  return succeed(decided)
}

function blamed(decided: Result<DecidedNow>): readonly Ref[] {
  if (!decided.ok || decided.value.decision.outcome === 'APPROVED') return []
  const { facts, evaluated } = decided.value
  return evaluated.flatMap((one) => gatesToBlame(facts, one))
}

interface Gathered {
  facts: GatheredFacts
  routes: readonly FundingSource[]
}

async function transferRoutes(
  services: Services,
  { principal }: Caller,
  wanted: PaymentRequest,
  recipient: Address,
): Promise<Result<Gathered, 'INVALID_ADDRESS' | 'INVALID_RECIPIENT' | 'NOT_FOUND' | 'NO_WALLET'>> {
  const field = wanted.x402 ? 'payTo' : 'recipientAddress'
  const wrong = unpayable(recipient, services.assetContracts, field)
  if (wrong !== undefined) return refuseAt('INVALID_RECIPIENT', field, wrong)
  const facts = await gatherFacts(services, principal.organization, principal.agent!, recipient, wanted.x402)
  const routes = candidates(facts, wanted, recipient)
  return routes.ok ? succeed({ facts, routes: routes.value }) : refusedOnDisk(services, routes)
}

async function cardRoutes(
  services: Services,
  { principal }: Caller,
  { cardId }: PaymentRequest,
): Promise<Result<Gathered, 'NOT_FOUND'>> {
  const facts = cardFacts(services, principal.organization, principal.agent!)
  const route = facts.routes.find(({ place }) => place.cardId === cardId)
  if (route) return succeed({ facts, routes: [route] })
  return refusedOnDisk(services, refuse('NOT_FOUND', `No card ${cardId} is assigned to this agent`))
}

async function decideNow(
  services: Services,
  caller: Caller,
  wanted: PaymentRequest,
): Promise<Result<DecidedNow, 'INVALID_ADDRESS' | 'INVALID_RECIPIENT' | 'NOT_FOUND' | 'NO_WALLET'>> {
  const { recipientAddress } = wanted
  const gathered = await (recipientAddress === null
    ? cardRoutes(services, caller, wanted)
    : transferRoutes(services, caller, wanted, recipientAddress))
  if (!gathered.ok) return gathered
  const { facts, routes } = gathered.value
  const proposal: Proposal = {
    amount: wanted.amount,
    recipient: recipientAddress,
    category: wanted.category ?? null,
    executionContext: wanted.executionContext ?? null,
    ...(wanted.refused && { refused: wanted.refused }),
  }
  const all = considerAll(services, facts, routes)
  const { best, evaluated } = await mildest(services, facts, all, proposal)
  const { considered, evaluation } = best
  const decision = decisionOf(services, facts, considered, evaluation)
  return succeed({ facts, considered, evaluation, decision, proposal, evaluated })
}

/** The stored part of an evaluation: enough to decide the same payment again years later. */
export function decisionOf(
  services: Services,
  facts: GatheredFacts,
  { policies }: Considered,
  { outcome, violations, violationsTotal, preapproval, rules }: PolicyEvaluation,
): Decision {
  return {
    id: newId(services.random),
    policySetHash: rules.policySetHash,
    outcome,
    violations,
    ...(violationsTotal > violations.length && { violationsTotal }),
    policies: policies.map(({ id, version }) => ({ id, version })),
    facts: rules.facts as Decision['facts'],
    timezone: facts.organization.fields.timezone,
    preapproval,
  }
}

/** The routes that can carry this payment, or the reason why there is none. */
function candidates(
  facts: TransferFacts,
  { walletId, chainId, x402 }: PaymentRequest,
  { chainType }: Address,
): Result<WalletSource[], 'INVALID_ADDRESS' | 'NOT_FOUND' | 'NO_WALLET'> {
  const isThere = ({ fields }: WalletSource): boolean =>
    (chainId ?? fields.chainId) === fields.chainId && (x402 === undefined || isSigner(fields))
  if (walletId !== undefined) {
    const route = facts.routes.find(({ place }) => place.walletId === walletId)
    if (!route) return refuse('NOT_FOUND', `No wallet ${walletId} is delegated to this agent`)
    if (!isThere(route)) return refuseAt('NO_WALLET', 'walletId', `Wallet ${walletId} is not on chain ${chainId}`)
    if (route.fields.chainType === chainType) return succeed([route])
    const message = `recipientAddress is not an address on the chain of wallet ${walletId}`
    return refuseAt('INVALID_ADDRESS', 'recipientAddress', message)
  }
  const routes = facts.routes.filter((route) => isThere(route) && route.fields.chainType === chainType)
  if (routes.length > 0) return succeed(routes)
  const where = chainId === undefined ? `on a ${chainType} chain ` : `on chain ${chainId} `
  const which = facts.routes.length > 0 ? where : ''
  return refuse('NO_WALLET', `No wallet ${which}is delegated to this agent: have an administrator delegate one`)
}

/** Providers sign transactions alone, not the data of x402. */
export function isSigner({ custodyType }: WalletSource['fields']): boolean {
  return custodyType === 'MANAGED' || !isMadeHere(custodyType)
}

export type CustodyCode = 'MANUAL_EXECUTION_REQUIRED' | 'CUSTODY_NOT_CONFIGURED' | 'WALLET_CONFIG_ERROR'

/** Why the service cannot execute from this wallet itself, judged by custody and chain; null when it can. */
export function custodyRefusal(
  services: Services,
  organization: string,
  wallet: WalletTerms['wallet'],
): { code: CustodyCode; message?: string } | null {
  const { custodyType, chainId } = wallet
  if (!isMadeHere(custodyType)) return { code: 'MANUAL_EXECUTION_REQUIRED' }
  if (custodyType !== 'MANAGED') {
    const slot = services.providers[custodyType]
    if (slot === null) return { code: 'CUSTODY_NOT_CONFIGURED' }
    if (slot.wrong !== null) return { code: 'WALLET_CONFIG_ERROR', message: slot.wrong }
    const foreign = payingRefusal(services, organization, wallet)
    if (foreign) return foreign.refusal
  }
  return services.settlement?.refusalOn(chainId) ?? null
}

/** Why the caller cannot have the payment executed at once; null when they can. */
function executionRefusal(services: Services, { principal }: Caller, wallet: WalletTerms['wallet']): Code | null {
  if (!principal.scopes.includes('payments:execute')) return 'INSUFFICIENT_SCOPE'
  return custodyRefusal(services, principal.organization, wallet)?.code ?? null
}

/**
 * The id of the payment that an agent requested under this idempotency key. It is derived, so a retry meets the same
 * actor.
 */
export function paymentIdOf(agentId: string, idempotencyKey: string, through: Through = 'request'): string {
  return derivedId('payment', agentId, through, idempotencyKey)
}

/** The fields of the payment's REQUEST. */
export function describePayment(
  services: Services,
  caller: Caller,
  wanted: PaymentRequest,
  { facts, considered, evaluation, decision, proposal }: Decided,
  attempt?: number,
) {
  const { idempotencyKey, through } = wanted
  const order = services.nextOrder()
  // What is made later is sorted later, so that its rows are written beside the last ones.
  const ordered = orderedId(order, services.random)
  const id = idempotencyKey === undefined ? ordered : paymentIdOf(caller.principal.agent!, idempotencyKey, through)
  const terms = termsOf(services, caller, facts, considered.route, wanted)
  nameTerms(terms, wanted, attempt)
  const isExecuted = wanted.autoExecute && decision.outcome !== 'DENIED'
  const manual = isExecuted ? executionRefusal(services, caller, transferTerms(terms).wallet) : null
  const person = decision.outcome === 'REQUIRES_APPROVAL'
  const held = { recipientName: wanted.recipientName, person }
  const about = { paymentId: id, terms, facts, decision, askedBy: evaluation.rules }
  return {
    id,
    order,
    terms,
    decision,
    approval: person ? approvalFor(services, about) : null,
    // A denial asks none.
    gates: decision.outcome === 'DENIED' ? [] : gatesFor(services, facts, considered, evaluation, proposal, held),
    approvedForMs: facts.organization.fields.approvedForMs,
    autoExecute: wanted.autoExecute && manual === null,
    autoExecuteError: manual,
    transactionId: `tx_${ordered}`,
  }
}

function termsOf(
  services: Services,
  { principal }: Caller,
  facts: GatheredFacts,
  route: FundingSource,
  wanted: PaymentRequest,
): PaymentTerms {
  const { walletId, delegationId, currency, asset, wallet, card } = route.paidFrom()
  return {
    agentId: facts.agent.context.id,
    walletId,
    delegationId,
    amount: wanted.amount,
    currency,
    chainType: wanted.recipientAddress?.chainType ?? null,
    recipientAddress: wanted.recipientAddress?.display ?? null,
    recipientName: wanted.recipientName ?? null,
    purpose: wanted.purpose ?? null,
    category: wanted.category ?? null,
    context: wanted.context ?? null,
    executionContext: wanted.executionContext ?? null,
    urgency: wanted.urgency,
    idempotencyKey: wanted.idempotencyKey ?? null,
    settlementMode: services.settlementMode,
    asset,
    wallet,
    askedBy: identityOf(principal),
    ...(card && { rail: 'CARD' as const, card }),
    ...(wanted.x402 && { rail: 'X402' as const, x402: wanted.x402, asset: asset ?? wanted.x402.offer.asset }),
  }
}

/** What few payments have, so that the records of the others are no longer for it. */
function nameTerms(terms: PaymentTerms, wanted: PaymentRequest, attempt: number | undefined): void {
  const { paymentKey, through = 'request', sessionId, reference, lineItems } = wanted
  if (attempt !== undefined) Object.assign(terms, { paymentKey, attempt, through })
  if (sessionId !== undefined) terms.sessionId = sessionId
  if (reference !== undefined) terms.reference = reference
  if (lineItems !== undefined) terms.lineItems = lineItems
}
