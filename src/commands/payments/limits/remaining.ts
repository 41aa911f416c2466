// What an agent may spend now from each of its wallets: the smaller of what its delegation and its policies leave. It is
// read for agents that plan; the decision on a payment is computed anew.
import type { ReadySet } from '../../../../rules/policySetCache.js'
import { measured, type LimitTerm } from '../../../domain/limits/limit.js'
import { counted, PERIODS, sumsAt } from '../../../domain/limits/sums.js'
import { limitsOf } from '../../../domain/parties/delegation.js'
import { windowsAt, type Period } from '../../../domain/time/windows.js'
import type { Micros } from '../../../domain/values/money.js'
import { Effort } from '../effort.js'
import { considerAll, isPreapproved, statusViolations, type Considered } from '../evaluate.js'
import { walletFacts, type TransferSources } from '../facts.js'
import type { WalletSource } from '../fundingSource.js'
import type { Caller, Services } from '../../ports.js'
import { openingOf, type Opening } from './opening.js'
import { figuresOf, NOTHING_ALLOWED, type PolicyFigures } from './policyFigures.js'

export interface WalletLimits extends Opening {
  walletId: string
  currency: string
  balance: Micros
  /** Null where there is no limit, here and below. */
  perPayment: Micros | null
  remaining: Record<Period, Micros | null>
  /** Epoch ms: when what binds in this period begins anew. */
  resetsAt: Record<Period, number>
}

export interface AgentLimits {
  wallets: WalletLimits[]
  /** Above it a person must approve, whichever wallet pays; absent where a wallet pays any amount without. */
  approvalAbove?: Micros
  recipients: 'ANY' | 'LISTED'
  /** Epoch ms. */
  updatedAt: number
}

/** What one wallet says of the whole. */
interface Way {
  limits: WalletLimits
  /** Its state and that of its agent let it pay, at some time. */
  canPay: boolean
  approvalAbove: Micros
  isListed: boolean
}

export async function remainingLimits(services: Services, { principal }: Caller): Promise<AgentLimits> {
  const facts = await walletFacts(services, principal.organization, principal.agent!)
  const [figures, ahead] = [figuresCache(services, facts.now), new Effort(services.breathe)]
  const ways: Way[] = []
  for (const considered of considerAll(services, facts, facts.routes)) {
    ways.push(await wayOf(services, facts, considered, { figures, ahead }))
  }
  const paying = ways.filter(({ canPay }) => canPay)
  const counting = paying.length > 0 ? paying : ways
  const approvalAbove = Math.max(-1, ...counting.map((way) => way.approvalAbove))
  return {
    wallets: ways.map(({ limits }) => limits),
    ...(approvalAbove >= 0 && approvalAbove < Infinity && { approvalAbove }),
    recipients: counting.length > 0 && counting.every(({ isListed }) => isListed) ? 'LISTED' : 'ANY',
    updatedAt: facts.now,
  }
}

type FiguresOf = (set: ReadySet) => Promise<PolicyFigures>

/** Wallets under the same policies share the search. One that is given up counts as nothing allowed. */
function figuresCache({ breathe }: Services, now: number): FiguresOf {
  const known = new Map<ReadySet, PolicyFigures>()
  return async (set) => {
    const found =
      known.get(set) ?? (await new Effort(breathe).spendOn(figuresOf(set.rules, now)))?.found ?? NOTHING_ALLOWED
    known.set(set, found)
    return found
  }
}

async function wayOf(
  services: Services,
  facts: TransferSources,
  considered: Considered,
  { figures, ahead }: { figures: FiguresOf; ahead: Effort },
): Promise<Way> {
  const { numbers, policies } = considered
  const route = considered.route as WalletSource
  const { delegationType, spendLimitPerTx } = route.leave.terms
  const set = await services.rules.ready(policies, facts.organization.fields.timezone).catch(() => undefined)
  const { perPayment, approvalAbove, isListed } = set ? await figures(set) : NOTHING_ALLOWED
  const canPay = set !== undefined && delegationType !== 'VIEW_ONLY' && !isStopped(facts, route)
  const efforts = { now: new Effort(services.breathe), ahead }
  const opening = canPay ? await openingOf({ facts, route, numbers, set }, efforts) : { openNow: false }
  const { id, balance, fields } = route.wallet.context
  return {
    limits: {
      walletId: id,
      currency: fields.currency,
      balance,
      perPayment: bounded(Math.min(spendLimitPerTx ?? Infinity, perPayment)),
      ...leftIn(facts, route, considered, set),
      ...opening,
    },
    canPay,
    approvalAbove: isPreapproved(route) ? 0 : approvalAbove,
    isListed: delegationType === 'ALLOWLIST' || isListed,
  }
}

function isStopped(facts: TransferSources, route: WalletSource): boolean {
  // While the sanctions list cannot be read, nobody is paid.
  if (facts.sanctions === undefined) return true
  return statusViolations(facts, route, facts.agent.context.fields.allowedContexts[0] ?? null).length > 0
}

/** What a limit leaves, and when it begins anew. */
interface Rest {
  left: Micros
  /** Epoch ms. */
  end: number
}

/** Without a `set`, its policies cannot be evaluated. */
function leftIn(
  facts: TransferSources,
  { leave }: WalletSource,
  { numbers }: Considered,
  set: ReadySet | undefined,
): Pick<WalletLimits, 'remaining' | 'resetsAt'> {
  const { terms, sums, clock } = leave
  const now = Math.max(clock, facts.now)
  const current = sumsAt(sums, now, terms.timezone)
  const own = windowsAt(now, terms.timezone)
  const ofPolicies = windowsAt(facts.now, facts.organization.fields.timezone)
  const tallyOf = (term: LimitTerm) =>
    term.of === 'POLICY' ? numbers.budgets.get(term.policyId)!.tally : numbers.agent
  const rests = eachPeriod((period) => {
    const limit = set === undefined ? 0 : (limitsOf(terms)[period] ?? Infinity)
    const binding = (set?.compiled.limits ?? []).filter(({ measure }) => binds(measure, period))
    return binding
      .map((term): Rest => {
        const end = term.measure === 'TOTAL' ? own[period].end : ofPolicies[period].end
        return { left: Math.max(0, term.limit - measured(term, tallyOf(term))), end }
      })
      .reduce(tighter, { left: Math.max(0, limit - counted(current, period)), end: own[period].end })
  })
  return {
    remaining: eachPeriod((period) => bounded(rests[period].left)),
    resetsAt: eachPeriod((period) => rests[period].end),
  }
}

/** Of equals the one that lasts longer. */
function tighter(a: Rest, b: Rest): Rest {
  if (a.left !== b.left) return a.left < b.left ? a : b
  return a.end >= b.end ? a : b
}

const eachPeriod = <Value>(of: (period: Period) => Value): Record<Period, Value> =>
  Object.fromEntries(PERIODS.map((period) => [period, of(period)])) as Record<Period, Value>

const bounded = (amount: Micros): Micros | null => (amount === Infinity ? null : amount)

const MEASURES = { day: 'DAY', week: 'WEEK', month: 'MONTH' } as const

/** What a total budget leaves is all that is left in any window, too. */
function binds(measure: LimitTerm['measure'], period: Period): boolean {
  return measure === MEASURES[period] || measure === 'TOTAL'
}
