// The limits of a delegation as bars: what is spent and held, what is left, and when each is reset; and its other terms.
import { decimal, micros } from '../format/money.js'
import type { Delegation } from '../records.js'
import { timesText } from './allowedTimes.js'
import { delegationTypeName } from './delegationForm.js'
import type { Fact } from './facts.js'
import { LimitBar } from './limitBar.js'

const WINDOWS = [
  ['day', 'Today', 'spendLimitDaily'],
  ['week', 'This week', 'spendLimitWeekly'],
  ['month', 'This month', 'spendLimitMonthly'],
] as const

export function DelegationLimits({ of }: { of: Delegation }) {
  const limited = WINDOWS.filter(([, , limit]) => of[limit] !== null)
  const shown = limited.length > 0 ? limited : WINDOWS.slice(0, 1)
  return (
    <div class="limits">
      {shown.map(([window, label, limit]) => (
        <LimitBar
          key={window}
          label={label}
          limit={of[limit]}
          resetsAt={of.resetsAt[window]}
          used={micros(of.spent[window]) + micros(of.reserved)}
        />
      ))}
    </div>
  )
}

/** For `Facts`. */
export function delegationTerms(of: Delegation): Fact[] {
  return [
    ['Type', delegationTypeName(of.delegationType)],
    ['Per payment', of.spendLimitPerTx === null ? 'no limit' : `up to ${decimal(of.spendLimitPerTx)}`],
    ['Reserved', of.reserved > 0 && `${decimal(of.reserved)} for payments in progress`],
    ['Allowed hours', timesText(of)],
  ]
}
