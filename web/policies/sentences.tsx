// Rules as sentences: when a payment is approved, denied, or needs a person.
import { Badge } from '../components/badge.js'
import { Highlight, type Change } from '../components/highlight.js'
import { AnyValue } from '../components/anyValue.js'
import { money } from '../format/money.js'
import { short, uncased, words } from '../format/words.js'
import { ACTIONS, typeOf, type Action, type Condition, type OfEach, type Rule } from './ruleTypes.js'

/** Addresses are listed in full below the sentence: all of them, or with a mark only those that `besides` lacks. */
interface Whole {
  besides?: Condition | undefined
  mark?: Change
}

/** A rule, and how it is marked where rules are compared. */
export interface RuleLine {
  rule: Rule
  whole?: Whole | undefined
  /** The rule that a decision names. */
  isMarked?: boolean
}

export function RuleList({ lines, label }: { lines: readonly RuleLine[]; label?: string }) {
  return (
    <ul class="sentences" aria-label={label}>
      {lines.map(({ rule, whole, isMarked }, at) => (
        <li key={at} class={whole?.mark} aria-current={isMarked ? 'true' : undefined}>
          {whole?.mark && <Highlight mark={whole.mark} />}
          <RuleSentence rule={rule} whole={whole} />
        </li>
      ))}
    </ul>
  )
}

export function RuleSentences({ rules, whole }: { rules: readonly Rule[]; whole?: Whole }) {
  if (rules.length === 0) return <p class="hint">No rules: the policy allows every payment.</p>
  return <RuleList lines={rules.map((rule) => ({ rule, whole }))} />
}

/** A rule that only one side has, beside its form on the other side. */
export const markedRule = (rule: Rule, mark: Change, own: readonly Rule[], others: readonly Rule[]): RuleLine => ({
  rule,
  whole: { mark, besides: counterpart(rule, own, others) },
})

/**
 * The earlier or later form of a rule: the one with its id, or, if it is the only one of its kind on both sides, that
 * one.
 */
function counterpart(rule: Rule, own: readonly Rule[], others: readonly Rule[]): Rule | undefined {
  const same = others.find(({ id }) => id !== undefined && id === rule.id)
  const isAlike = ({ ruleType, action }: Rule): boolean => ruleType === rule.ruleType && action === rule.action
  const alike = others.filter(isAlike)
  return same ?? (alike.length === 1 && own.filter(isAlike).length === 1 ? alike[0] : undefined)
}

function RuleSentence({ rule, whole }: { rule: Rule; whole?: Whole | undefined }) {
  const { action } = rule
  return (
    <>
      <Badge status={action} says={ACTIONS[action as Action] ?? words(action)} />
      <span>
        <Says condition={rule} whole={whole} />
      </span>
    </>
  )
}

const COMPOSITES: { [ruleType: string]: string } = { ALL_OF: 'all of these are true:', ANY_OF: 'any of these is true:' }

function Says({ condition, whole }: { condition: Condition; whole: Whole | undefined }) {
  const { ruleType, value } = condition
  const heading = COMPOSITES[ruleType]
  if (heading !== undefined && Array.isArray(value)) {
    return (
      <>
        {heading}
        <ul class="within">
          {(value as Condition[]).map((one, at) => (
            <li key={at}>
              <Says condition={one} whole={whole && { ...whole, besides: partOf(whole.besides, ruleType, at) }} />
            </li>
          ))}
        </ul>
      </>
    )
  }
  const text = phraseOf(condition)
  return (
    <>
      {text ?? (
        <>
          {words(ruleType)}: <AnyValue of={value} />
        </>
      )}
      {whole && <Addresses of={condition} whole={whole} />}
    </>
  )
}

/** The condition at the same position in another composite. */
function partOf(composite: Condition | undefined, ruleType: string, at: number): Condition | undefined {
  const isAlike = composite?.ruleType === ruleType && Array.isArray(composite.value)
  return isAlike ? (composite.value as Condition[])[at] : undefined
}

/** For an unknown type, any list may contain addresses. */
function addressesOf({ ruleType, value }: Condition): unknown[] {
  const type = typeOf(ruleType)
  if (type?.fields === 'addresses') return listed(value)
  return type === undefined && Array.isArray(value) ? value : []
}

function Addresses({ of, whole: { besides, mark } }: { of: Condition; whole: Whole }) {
  const others = besides?.ruleType === of.ruleType ? addressesOf(besides).map(uncased) : []
  const shown = addressesOf(of).filter((one) => !others.includes(uncased(one)))
  if (shown.length === 0) return null
  return (
    <ul class="items">
      {shown.map((one, index) => (
        <li key={index} class={mark}>
          {mark && <Highlight mark={mark} />}
          <code class="whole">{typeof one === 'string' ? one : JSON.stringify(one)}</code>
        </li>
      ))}
    </ul>
  )
}

type Values = { [field: string]: unknown }

const or = (list: readonly string[]): string =>
  list.length < 2 ? (list[0] ?? 'nobody') : `${list.slice(0, -1).join(', ')} or ${list.at(-1)!}`
const listed = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [String(value)])
const amountOf = (value: unknown): string => (/^\d+(\.\d+)?$/.test(String(value)) ? money(String(value)) : '…')
const PERIODS: Values = { DAILY: 'a day', WEEKLY: 'a week', MONTHLY: 'a month', TOTAL: 'in total' }
const SPANS: Values = { MINUTE: 'a minute', HOUR: 'an hour', DAY: '24 hours', WEEK: 'seven days' }
const MAX_NAMED = 4

function addressesIn(value: unknown): string {
  const all = listed(value)
  const shown = all.slice(0, MAX_NAMED).map((one) => short(one))
  return all.length > MAX_NAMED ? `one of ${all.length} addresses, such as ${shown[0]}` : or(shown)
}

/** The value may be a date without a time. */
const moment = (value: unknown): string => String(value).replace('T', ' ').replace(/Z$/, ' UTC')

function blackouts(value: unknown): string {
  const { windows } = (value ?? {}) as { windows?: { start: string; end: string; reason?: string }[] }
  return (Array.isArray(windows) ? windows : [])
    .map(({ start, end, reason }) => `from ${moment(start)} until ${moment(end)}${reason ? ` (${reason})` : ''}`)
    .join(', or ')
}

type Phrase = (value: unknown, fields: Values, operator: string | null) => string

const PHRASES: { [ruleType: string]: Phrase } = {
  MAX_AMOUNT: (value, _, operator) => `the amount is ${operator === 'LT' ? 'less than' : 'at most'} ${amountOf(value)}`,
  DAILY_LIMIT: (value) => `the agent spends at most ${amountOf(value)} a day`,
  WEEKLY_LIMIT: (value) => `the agent spends at most ${amountOf(value)} a week`,
  MONTHLY_LIMIT: (value) => `the agent spends at most ${amountOf(value)} a month`,
  BUDGET_CAP: (_, { amount, period, of }) => {
    const who = of === 'POLICY' ? 'all agents under this policy together spend' : 'the agent spends'
    return `${who} at most ${amountOf(amount)} ${String(PERIODS[String(period)])}`
  },
  VELOCITY_LIMIT: (_, { maxCount, period }) =>
    `the agent makes at most ${String(maxCount)} payments within ${String(SPANS[String(period)])}`,
  REQUIRE_APPROVAL_ABOVE: (value) => `the amount is more than ${amountOf(value)}`,
  TIME_WINDOW: (_, { start, end, timezone }, operator) => {
    const where = timezone ? ` in ${String(timezone)}` : ''
    return `it is ${operator === 'NOT_BETWEEN' ? 'not ' : ''}between ${String(start)} and ${String(end)}${where}`
  },
  DAY_OF_WEEK: (value, _, operator) => `it is ${operator === 'NOT_IN_LIST' ? 'not ' : ''}${or(listed(value))}`,
  DATE_RANGE: (_, { start, end }) => `it is from ${moment(start)} until ${moment(end)}`,
  BLACKOUT_PERIOD: (value) => `it is ${blackouts(value)}`,
  ALLOWED_CATEGORIES: (value) => `the category is ${or(listed(value))}`,
  BLOCKED_CATEGORIES: (value) => `the category is ${or(listed(value))}, or none is named`,
  ALLOWED_COUNTERPARTIES: (value) => `the recipient is ${addressesIn(value)}`,
  BLOCKED_COUNTERPARTIES: (value) => `the recipient is ${addressesIn(value)}`,
  CONTRACT_ALLOWLIST: (value) => `the recipient is the contract ${addressesIn(value)}`,
  COUNTERPARTY_STATUS: (value) => `the recipient is ${or(listed(value).map((one) => words(one).toLowerCase()))}`,
  TRUST_SCORE: (value) => `the recipient's trust score is at least ${String(value)}`,
  NEW_COUNTERPARTY: (value) => `the recipient was ${value === true ? 'never ' : ''}paid before`,
  ALLOWED_RAILS: (value) => `it is paid by ${or(listed(value).map((one) => words(one).toLowerCase()))}`,
  CARD_ALLOWED_MCCS: (value) => `the card pays a merchant of category ${or(listed(value))}`,
  CARD_BLOCKED_MCCS: (value) => `the card pays a merchant of category ${or(listed(value))}`,
  CARD_MAX_AMOUNT: (value) => `the card pays at most ${amountOf(value)}`,
  X402_MAX_PER_REQUEST: (value) => `a payment by x402 is at most ${amountOf(value)}`,
  X402_MAX_PER_SERVICE: (_, { amount, period }) =>
    `the agent pays one x402 service at most ${amountOf(amount)} ${String(PERIODS[String(period)])}`,
  X402_ALLOWED_SERVICES: (value) => `the x402 service is ${or(listed(value))}`,
  X402_BLOCKED_SERVICES: (value) => `the x402 service is ${or(listed(value))}`,
} satisfies Omit<OfEach<Phrase>, 'ALL_OF' | 'ANY_OF'>

/** Undefined for an unknown type. */
function phraseOf({ ruleType, value, operator }: Condition): string | undefined {
  const fields = typeof value === 'object' && value !== null ? (value as Values) : {}
  return Object.hasOwn(PHRASES, ruleType) ? PHRASES[ruleType]!(value, fields, operator) : undefined
}
