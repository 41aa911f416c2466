// A denied payment: one alert for each type of its violations, agent and day; for a blocked recipient, each address.
import type { Ref } from '../../domain/limits/gate.js'
import type { AlertTypeName } from '../../domain/outcomes/alert.js'
import type { Violation, ViolationType } from '../../domain/outcomes/violation.js'
import { UNREADABLE_LIST } from '../../domain/parties/sanctions.js'
import { causesOf, recipientText } from '../../domain/payment/terms.js'
import { NO_CAUSES, type Cause, type Scene } from '../cause.js'
import { whatIsPaid, type PaymentCausesIn, type PaymentChange } from '../payment.js'

const LIMITS = ['PER_TX_LIMIT', 'DAILY_LIMIT', 'WEEKLY_LIMIT', 'MONTHLY_LIMIT', 'BUDGET_EXCEEDED'] as const
const ADDRESSES = ['BLOCKED_COUNTERPARTY', 'SANCTIONED_ADDRESS'] as const
const NO_ALERT = ['INSUFFICIENT_BALANCE', 'AGENT_NOT_ACTIVE', 'WALLET_NOT_ACTIVE', 'UNUSUAL_ACTIVITY'] as const
/** The wallet or the agent could not pay anyway, or the policies could not be read. */
const NOT_ITS_DOING: ReadonlySet<ViolationType> = new Set([
  'INSUFFICIENT_BALANCE',
  'AGENT_NOT_ACTIVE',
  'WALLET_NOT_ACTIVE',
  'POLICY_ERROR',
])

/** Undefined for violations that raise no alert here. Those of a new type are a policy's. */
const ALERT_OF = new Map<ViolationType, AlertTypeName | undefined>([
  ...LIMITS.map((type) => [type, 'SPEND_LIMIT_EXCEEDED'] as const),
  ...ADDRESSES.map((type) => [type, 'BLOCKED_ADDRESS'] as const),
  ...NO_ALERT.map((type) => [type, undefined] as const),
])

const TITLES: { [type in AlertTypeName]?: string } = {
  SPEND_LIMIT_EXCEEDED: 'Payment over a spending limit denied',
  BLOCKED_ADDRESS: 'Payment to a blocked address denied',
  POLICY_VIOLATION: 'Payment against a policy denied',
}

/** What denied the payment; nothing where a person did. A list that cannot be read blocks everybody. */
function reasonsOf({ payment }: PaymentChange): readonly Violation[] {
  if (payment.approval?.status === 'DENIED') return []
  return causesOf(payment).filter(({ message }) => message !== UNREADABLE_LIST)
}

/** Whether the agent asked for what rules forbid. */
export function isUnruly(denied: PaymentChange): boolean {
  return reasonsOf(denied).some(({ type }) => !NOT_ITS_DOING.has(type))
}

export const denials: PaymentCausesIn = (denied, scene) => {
  if (denied.became !== 'DENIED') return NO_CAUSES
  const causes = reasonsOf(denied).flatMap((violation) => denialCause(denied, violation, scene))
  if (causes.length < 2) return causes
  // Several violations may be about the same.
  return [...new Map(causes.map((cause) => [`${cause.type} ${cause.about.join()}`, cause])).values()]
}

function denialCause({ terms, subject }: PaymentChange, violation: Violation, scene: Scene): Cause[] {
  const type = ALERT_OF.has(violation.type) ? ALERT_OF.get(violation.type) : 'POLICY_VIOLATION'
  if (type === undefined) return NO_CAUSES
  const { agentId } = subject
  const what = type === 'BLOCKED_ADDRESS' ? recipientText(terms) : violation.type
  const message = () => `${nameOf(`agent/${agentId}`, scene)} asked to pay ${whatIsPaid(terms)}. ${violation.message}`
  return [{ type, about: [agentId, what, scene.day], title: TITLES[type]!, message, ...subject }]
}

function nameOf(agent: Ref<'agent'>, scene: Scene): string {
  return scene.actor(agent)?.context.name ?? agent
}
