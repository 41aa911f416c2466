// CARD_MAX_AMOUNT and X402_MAX_PER_REQUEST: the largest amount of one payment on a rail.
import type { Rail } from '../../src/domain/payment/terms.js'
import { money } from '../shown.js'
import { ruleType } from './ruleType.js'
import { amount, microsOf } from './values.js'

/** `how` says in an explanation how such a payment is made: `on a card`. */
export const maxOnRail = (rail: Rail, how: string) =>
  ruleType({
    operators: ['LTE'],
    actions: ['ALLOW'],
    violation: 'AMOUNT_LIMIT',
    rail,
    schema: amount,
    bind({ value }) {
      const limit = microsOf(value)
      return {
        condition: { fact: 'amount', operator: 'lessThanInclusive', value: limit },
        standing: (facts) => ({ limit, current: facts.amount! }),
        explain: (facts, met) =>
          `The amount ${money(facts.amount!)} is ${met ? '' : 'not '}at most ${money(limit)} ${how}`,
      }
    },
  })
