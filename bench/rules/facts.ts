// The facts that the rules are evaluated on.
import type { Facts } from '../../rules/facts.js'
import type { Micros } from '../../src/domain/values/money.js'
import { WISH } from '../wish.js'

const AMOUNT = 10_000 as Micros

export const FACTS: Facts = {
  amount: AMOUNT,
  category: WISH.category,
  counterpartyCategory: 'OTHER',
  recipient: WISH.recipientAddress.toLowerCase(),
  now: Date.UTC(2031, 6, 9, 12),
  dayTotal: AMOUNT,
  weekTotal: AMOUNT,
  monthTotal: AMOUNT,
}
