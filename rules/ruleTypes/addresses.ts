// The common part of address lists: whether the recipient is listed.
import { comparable } from '../../src/domain/values/address.js'
import type { ViolationType } from '../../src/domain/outcomes/violation.js'
import { ruleType, type RuleType } from './ruleType.js'
import { address, setOf } from './values.js'

/** `name` names the entries: `blocked counterparties`. */
export function addresses(violation: ViolationType, actions: RuleType['actions'], name: string): RuleType {
  return ruleType({
    operators: ['IN_LIST'],
    actions,
    violation,
    byRecipient: true,
    schema: setOf(address),
    bind: ({ value }) => ({
      condition: { fact: 'recipient', operator: 'in', value: value.map(comparable) },
      explain: (_, met) => listing(name, met),
    }),
  })
}

export function listing(name: string, isListed: boolean): string {
  return `The recipient is ${isListed ? '' : 'not '}on the list of ${name}`
}
