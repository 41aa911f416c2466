// The way out of a denial, computed from the facts it was decided on: the largest amount that would pass now, when the
// same amount would pass by itself, and whether a person could let it pass.
import { nextOpening } from '../domain/schedule.js'
import { scheduleOf } from '../domain/delegation.js'
import type { Micros } from '../domain/money.js'
import type { Nearest } from '../domain/payment.js'
import { counted, PERIODS, sumsAt } from '../domain/sums.js'
import { windowsAt, type Period } from '../domain/windows.js'
import type { ViolationType } from '../domain/violation.js'
import { delegationContext } from './delegations.js'
import { evaluate, type Wish } from './evaluate.js'
import type { Facts, Route } from './facts.js'
import { walletContext } from './wallets.js'

/** Below the bound of what an amount may be: 1,000,000,000. */
const LARGEST: Micros = 999_999_999_999_999

/** The causes that time takes away, and the window whose end does. */
const ENDS_WITH: Partial<Record<ViolationType, Period>> = {
  DAILY_LIMIT: 'day',
  WEEKLY_LIMIT: 'week',
  MONTHLY_LIMIT: 'month',
}
/** More steps than a year of daily windows and closed days can need within the search. */
const MOST_STEPS = 40

/** The most that this route approves now; 0 when it approves nothing. */
function largest(facts: Facts, route: Route, wish: Wish): Micros {
  const { terms, sums, clock } = delegationContext(route.delegation)
  const { balance, held } = walletContext(route.wallet)
  const current = sumsAt(sums, Math.max(clock, facts.now), terms.timezone)
  const limits = { day: terms.spendLimitDaily, week: terms.spendLimitWeekly, month: terms.spendLimitMonthly }
  const rooms = PERIODS.map((period) => (limits[period] ?? Infinity) - counted(current, period))
  const amount = Math.min(LARGEST, terms.spendLimitPerTx ?? Infinity, balance - held, ...rooms)
  if (amount <= 0 || evaluate(facts, route, { ...wish, amount }).outcome !== 'APPROVED') return 0
  return amount
}

/** When this route would approve the amount if nothing but time changed (epoch ms); undefined for never or unknown. */
function earliest(facts: Facts, route: Route, wish: Wish): number | undefined {
  const { terms } = delegationContext(route.delegation)
  let at = facts.now
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { violations, outcome } = evaluate({ ...facts, now: at }, route, wish)
    if (outcome !== 'DENIED') return outcome === 'APPROVED' ? at : undefined
    const windows = windowsAt(at, terms.timezone)
    const times = violations.map(({ type }) => {
      const period = ENDS_WITH[type]
      if (period !== undefined) return windows[period].end
      return type === 'TIME_WINDOW' ? (nextOpening(scheduleOf(terms), at) ?? Infinity) : Infinity
    })
    const next = Math.max(...times)
    if (!Number.isFinite(next) || next <= at) return undefined
    at = next
  }
  return undefined
}

/** `routes` are those that the same request could take; a smaller amount may take any of them. */
export function nearest(facts: Facts, routes: readonly Route[], wish: Wish): Nearest {
  const maxAmountNow = Math.max(...routes.map((route) => largest(facts, route, wish)))
  const times = routes.map((route) => earliest(facts, route, wish)).filter((at) => at !== undefined)
  return {
    maxAmountNow: maxAmountNow > 0 ? maxAmountNow : null,
    earliestAt: times.length > 0 ? Math.min(...times) : null,
    approvalWouldAllow: alike(facts, routes).some((route) => evaluate(facts, route, wish).outcome === 'REQUIRES_APPROVAL'),
  }
}

/** The agent's routes on the same type of chain, which the same request could name. */
function alike(facts: Facts, [first]: readonly Route[]): Route[] {
  const chainTypeOf = ({ wallet }: Route): string => walletContext(wallet).fields.chainType
  return facts.routes.filter((route) => first !== undefined && chainTypeOf(route) === chainTypeOf(first))
}
