// Rules about rails and cards. On other rails a rule about cards has no objection.
import type { Facts } from '../../../rules/facts.js'
import { micros } from '../policies.js'
import { paying, type Table } from './table.js'

const onCard = (category: string, amount = 5): Facts => ({
  ...paying(amount),
  rail: 'CARD',
  category,
  recipient: '',
  counterpartyStatus: 'NONE',
  trustScore: -1,
})
const OTHER_RAIL = 'The rule is about the rail CARD, not TRANSFER'

export const CARDS: Table[] = [
  {
    rule: { ruleType: 'ALLOWED_RAILS', value: ['TRANSFER', 'X402'] },
    cases: [
      [paying(5), 'APPROVED', 'The rail TRANSFER is one of TRANSFER, X402'],
      [{ rail: 'X402' }, 'APPROVED', 'The rail X402 is one of TRANSFER, X402'],
      [onCard('7372'), 'RAIL_NOT_ALLOWED', 'The rail CARD is not one of TRANSFER, X402'],
    ],
  },
  {
    rule: { ruleType: 'CARD_ALLOWED_MCCS', value: ['7372', '5734'] },
    cases: [
      [paying(5), 'APPROVED', OTHER_RAIL],
      [onCard('5734'), 'APPROVED', 'The merchant category 5734 is one of 7372, 5734'],
      [onCard('7995'), 'CATEGORY_RESTRICTION', 'The merchant category 7995 is not one of 7372, 5734'],
    ],
  },
  {
    rule: { ruleType: 'CARD_BLOCKED_MCCS', value: ['7995'] },
    cases: [
      [paying(5), 'APPROVED', OTHER_RAIL],
      [onCard('5734'), 'APPROVED', 'The merchant category 5734 is not one of 7995'],
      [onCard('7995'), 'CATEGORY_RESTRICTION', 'The merchant category 7995 is one of 7995'],
    ],
  },
  {
    rule: { ruleType: 'CARD_MAX_AMOUNT', value: 100 },
    standing: { limit: micros(100), current: micros(100.01) },
    cases: [
      [paying(5000), 'APPROVED', OTHER_RAIL],
      [onCard('7372', 100), 'APPROVED', 'The amount 100 is at most 100 on a card'],
      [onCard('7372', 100.01), 'AMOUNT_LIMIT', 'The amount 100.01 is not at most 100 on a card'],
    ],
  },
  {
    rule: { ruleType: 'TRUST_SCORE', value: 0 },
    cases: [[onCard('7372'), 'TRUST_SCORE', 'A payment on a card has no recipient address, as the rule needs']],
  },
]
