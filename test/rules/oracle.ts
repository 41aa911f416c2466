// A second, independent implementation of the rules: it works on the rule as written, with Intl for the wall clock and
// without compiled conditions. It accepts only well-formed rules.
import type { Facts } from '../../rules/facts.js'

interface Written {
  ruleType: string
  operator?: string | null
  value?: unknown
  action?: string
}

interface Budget {
  amount: number
  period: keyof typeof TOTALS
  of?: string
}

interface Hours {
  start: string
  end: string
  timezone?: string
}

interface Context {
  facts: Facts
  policyId: string
  timezone: string
  /** The action of the rule, which applies to every condition in it. */
  action: string
}

const TOTALS = { DAILY: 'dayTotal', WEEKLY: 'weekTotal', MONTHLY: 'monthTotal', TOTAL: 'total' } as const

function wallClock(now: number, timeZone: string): { time: string; weekday: string } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  const part = (type: string): string => parts.find((one) => one.type === type)!.value
  return { time: `${part('hour')}:${part('minute')}`, weekday: part('weekday') }
}

function isBetweenTimes(time: string, { start, end }: Hours): boolean {
  return start < end ? start <= time && time < end : time >= start || time < end
}

/** Only for bounds that are dates: days in the calendar of the zone. */
function isBetweenDates({ facts, timezone }: Context, { start, end }: Hours): boolean {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(facts.now)
  return start <= today && today <= end
}

function testsCategories(list: string[], { facts, action }: Context): boolean {
  const tested = [facts.category!, facts.counterpartyCategory!].filter((name, at) => at === 0 || name !== 'OTHER')
  const isNamed = facts.category !== ''
  if (action === 'ALLOW') return isNamed && tested.every((name) => list.includes(name))
  return !isNamed || tested.some((name) => list.includes(name))
}

function isInBudget({ facts, policyId }: Context, { amount, period, of }: Budget): boolean {
  const total = of === 'POLICY' ? facts[`budget:${policyId}:${period}`] : facts[TOTALS[period]]
  return total! <= amount * 1_000_000
}

function isService(host: string, list: string[]): boolean {
  return list.some((entry) => (entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry))
}

/** True if the condition of a rule, or one inside a composite, is met. */
function isMet({ ruleType, operator, value: written }: Written, context: Context): boolean {
  const { facts, timezone } = context
  const amount = Number(written) * 1_000_000
  const list = written as string[]
  switch (ruleType) {
    case 'MAX_AMOUNT':
      return operator === 'LT' ? facts.amount! < amount : facts.amount! <= amount
    case 'REQUIRE_APPROVAL_ABOVE':
      return facts.amount! > amount
    case 'DAILY_LIMIT':
      return facts.dayTotal! <= amount
    case 'WEEKLY_LIMIT':
      return facts.weekTotal! <= amount
    case 'MONTHLY_LIMIT':
      return facts.monthTotal! <= amount
    case 'BUDGET_CAP':
      return isInBudget(context, written as Budget)
    case 'VELOCITY_LIMIT': {
      const { maxCount, period } = written as { maxCount: number; period: 'DAY' }
      return facts[`count:${period}`]! <= maxCount
    }
    case 'TIME_WINDOW': {
      const hours = written as Hours
      const { time } = wallClock(facts.now!, hours.timezone ?? timezone)
      return isBetweenTimes(time, hours) === (operator === 'BETWEEN')
    }
    case 'DAY_OF_WEEK':
      return list.includes(wallClock(facts.now!, timezone).weekday) === (operator === 'IN_LIST')
    case 'DATE_RANGE':
      return isBetweenDates(context, written as Hours)
    case 'BLACKOUT_PERIOD':
      return (written as { windows: Hours[] }).windows.some((window) => isBetweenDates(context, window))
    case 'ALLOWED_CATEGORIES':
    case 'BLOCKED_CATEGORIES':
      return testsCategories(list, context)
    case 'ALLOWED_COUNTERPARTIES':
    case 'BLOCKED_COUNTERPARTIES':
    case 'CONTRACT_ALLOWLIST':
      return list.some((entry) => entry.toLowerCase() === facts.recipient!.toLowerCase())
    case 'COUNTERPARTY_STATUS':
      return [written].flat().includes(facts.counterpartyStatus)
    case 'TRUST_SCORE':
      return facts.trustScore! >= Number(written)
    case 'NEW_COUNTERPARTY':
      return facts.newCounterparty === written
    case 'ALLOWED_RAILS':
      return list.includes(facts.rail ?? 'TRANSFER')
    // No objection on other rails.
    case 'CARD_ALLOWED_MCCS':
      return facts.rail !== 'CARD' || list.includes(facts.category!)
    case 'CARD_BLOCKED_MCCS':
      return facts.rail === 'CARD' && list.includes(facts.category!)
    case 'CARD_MAX_AMOUNT':
      return facts.rail !== 'CARD' || facts.amount! <= amount
    case 'X402_MAX_PER_REQUEST':
      return facts.rail !== 'X402' || facts.amount! <= amount
    case 'X402_MAX_PER_SERVICE': {
      const limit = written as Budget
      return facts.rail !== 'X402' || facts[`budget:service:${limit.period}`]! <= limit.amount * 1_000_000
    }
    case 'X402_ALLOWED_SERVICES':
      return facts.rail !== 'X402' || isService(facts.resourceHost!, list)
    case 'X402_BLOCKED_SERVICES':
      return facts.rail === 'X402' && isService(facts.resourceHost!, list)
    case 'ALL_OF':
      return (written as Written[]).every((part) => isMet(part, context))
    case 'ANY_OF':
      return (written as Written[]).some((part) => isMet(part, context))
    default:
      throw new Error(`No such rule type: ${ruleType}`)
  }
}

export type Objection = 'DENY' | 'REQUIRE_APPROVAL' | undefined

/** The objection of a rule, given with all its fields, to a payment with these facts. */
export function objectionOf(rule: Written, facts: Facts, policyId: string, timezone: string): Objection {
  const met = isMet(rule, { facts, policyId, timezone, action: rule.action! })
  const isNewRecipient = rule.ruleType === 'X402_ALLOWED_SERVICES' && facts.rail === 'X402' && !facts.recipientApproved
  if (rule.action === 'ALLOW' && met && isNewRecipient) return 'REQUIRE_APPROVAL'
  if (rule.action === 'ALLOW') return met ? undefined : 'DENY'
  return met ? (rule.action as Objection) : undefined
}
