// All rule types by the names that users write. INVARIANT: a type that is not listed here does not exist.
import { allowedRails } from './allowedRails.js'
import { blackoutPeriod } from './blackoutPeriod.js'
import { budgetCap } from './budgetCap.js'
import { cardAllowedMccs, cardBlockedMccs } from './cardMccs.js'
import { allowedCategories, blockedCategories } from './categories.js'
import { composite } from './composite.js'
import { contractAllowlist } from './contractAllowlist.js'
import { allowedCounterparties, blockedCounterparties } from './counterparties.js'
import { counterpartyStatus } from './counterpartyStatus.js'
import { dateRange } from './dateRange.js'
import { dayOfWeek } from './dayOfWeek.js'
import { maxAmount } from './maxAmount.js'
import { maxOnRail } from './maxOnRail.js'
import { newCounterparty } from './newCounterparty.js'
import { dailyLimit, monthlyLimit, weeklyLimit } from './periodLimits.js'
import { requireApprovalAbove } from './requireApprovalAbove.js'
import type { RuleType } from './ruleType.js'
import { timeWindow } from './timeWindow.js'
import { trustScore } from './trustScore.js'
import { velocityLimit } from './velocityLimit.js'
import { x402MaxPerService } from './x402MaxPerService.js'
import { x402AllowedServices, x402BlockedServices } from './x402Services.js'

export const RULE_TYPES = {
  MAX_AMOUNT: maxAmount,
  DAILY_LIMIT: dailyLimit,
  WEEKLY_LIMIT: weeklyLimit,
  MONTHLY_LIMIT: monthlyLimit,
  BUDGET_CAP: budgetCap,
  VELOCITY_LIMIT: velocityLimit,
  TIME_WINDOW: timeWindow,
  DAY_OF_WEEK: dayOfWeek,
  DATE_RANGE: dateRange,
  BLACKOUT_PERIOD: blackoutPeriod,
  ALLOWED_CATEGORIES: allowedCategories,
  BLOCKED_CATEGORIES: blockedCategories,
  ALLOWED_COUNTERPARTIES: allowedCounterparties,
  BLOCKED_COUNTERPARTIES: blockedCounterparties,
  COUNTERPARTY_STATUS: counterpartyStatus,
  TRUST_SCORE: trustScore,
  REQUIRE_APPROVAL_ABOVE: requireApprovalAbove,
  NEW_COUNTERPARTY: newCounterparty,
  CONTRACT_ALLOWLIST: contractAllowlist,
  ALLOWED_RAILS: allowedRails,
  CARD_ALLOWED_MCCS: cardAllowedMccs,
  CARD_BLOCKED_MCCS: cardBlockedMccs,
  CARD_MAX_AMOUNT: maxOnRail('CARD', 'on a card'),
  X402_MAX_PER_REQUEST: maxOnRail('X402', 'by x402'),
  X402_MAX_PER_SERVICE: x402MaxPerService,
  X402_ALLOWED_SERVICES: x402AllowedServices,
  X402_BLOCKED_SERVICES: x402BlockedServices,
  ALL_OF: composite('ALL_OF', all),
  ANY_OF: composite('ANY_OF', all),
} satisfies Record<string, RuleType>

export type RuleTypeName = keyof typeof RULE_TYPES

/** Called only once a rule is read, when the table is complete. */
function all(): Readonly<Record<string, RuleType>> {
  return RULE_TYPES
}
