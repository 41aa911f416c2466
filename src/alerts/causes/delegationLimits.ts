// A delegation's limit that is nearly used up: one alert for each window.
import type { DelegationContext } from '../../../machines/delegation.js'
import { counted, PERIODS, sumsAt } from '../../domain/limits/sums.js'
import { limitsOf } from '../../domain/parties/delegation.js'
import { windowsAt, type Period } from '../../domain/time/windows.js'
import type { Micros } from '../../domain/values/money.js'
import { NO_CAUSES, type Cause, type CausesIn } from '../cause.js'
import { usedUp, warningMark } from '../warningMark.js'

export const delegationLimits: CausesIn<'delegation'> = ({ before, after }, { settings: { spendWarningAt } }) => {
  const [was, is] = [before?.context, after.context]
  if (was?.sums === is.sums && was.terms === is.terms) return NO_CAUSES
  return PERIODS.flatMap((period): Cause[] => {
    const limit = limitsOf(is.terms)[period]
    if (limit === null || limit === 0) return NO_CAUSES
    const used = counted(is.sums, period)
    const isMore = was?.terms !== is.terms || used > usedBefore(was, period, is.clock)
    if (!isMore || used < warningMark(limit, spendWarningAt)) return NO_CAUSES
    const { agentId, walletId, terms } = is
    const { start } = windowsAt(is.clock, terms.timezone)[period]
    const message = () => `${usedUp(used, limit)} that this delegation allows ${IN[period]}.`
    const title = 'Spending limit close to exhaustion'
    return [{ type: 'SPEND_LIMIT_WARNING', about: [is.id, period, start], title, message, agentId, walletId }]
  })
}

const IN: Readonly<Record<Period, string>> = { day: 'a day', week: 'a week', month: 'a month' }

function usedBefore({ sums, terms }: DelegationContext, period: Period, now: number): Micros {
  return counted(sumsAt(sums, now, terms.timezone), period)
}
