// ALLOWED_RAILS: what may carry the money of a payment.
import { RAILS } from '../../src/domain/payment/terms.js'
import { shownList } from '../shown.js'
import { ruleType } from './ruleType.js'
import { oneOf, setOf } from './values.js'

export const allowedRails = ruleType({
  operators: ['IN_LIST'],
  actions: ['ALLOW'],
  violation: 'RAIL_NOT_ALLOWED',
  schema: setOf(oneOf(RAILS)),
  bind: ({ value }) => ({
    condition: { fact: 'rail', operator: 'in', value },
    explain: (facts, met) => `The rail ${facts.rail} is ${met ? '' : 'not '}one of ${shownList(value)}`,
  }),
})
