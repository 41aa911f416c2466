// COUNTERPARTY_STATUS: the recipient's status. A recipient that was never met is UNKNOWN.
import * as v from 'valibot'
import { COUNTERPARTY_STATUSES } from '../../src/domain/parties/counterparty.js'
import { ruleType } from './ruleType.js'
import { oneOf, setOf } from './values.js'

const status = oneOf(COUNTERPARTY_STATUSES)

export const counterpartyStatus = ruleType({
  operators: ['EQUALS', 'IN_LIST'],
  operatorsOf: (value) => (Array.isArray(value) ? ['IN_LIST'] : ['EQUALS']),
  actions: ['ALLOW', 'DENY', 'REQUIRE_APPROVAL'],
  violation: 'COUNTERPARTY_STATUS',
  byRecipient: true,
  schema: v.lazy((written) => (Array.isArray(written) ? setOf(status) : status)),
  bind({ value }) {
    const statuses = [value].flat()
    return {
      condition: { fact: 'counterpartyStatus', operator: 'in', value: statuses },
      explain: (facts, met) =>
        `The counterparty is ${facts.counterpartyStatus}${met ? '' : `, not ${statuses.join(' or ')}`}`,
    }
  },
})
