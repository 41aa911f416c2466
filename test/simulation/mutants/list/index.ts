// All mistakes, over every part.
import type { Mutant } from '../mutant.js'
import { ACCESS } from './access.js'
import { APPROVALS } from './approvals.js'
import { GATES } from './gates.js'
import { PAYMENTS } from './payments.js'
import { RECORDS } from './records.js'
import { SETTLEMENT_MISTAKES } from './settlement.js'

export const MUTANTS: readonly Mutant[] = [
  ...PAYMENTS,
  ...GATES,
  ...APPROVALS,
  ...ACCESS,
  ...RECORDS,
  ...SETTLEMENT_MISTAKES,
]
