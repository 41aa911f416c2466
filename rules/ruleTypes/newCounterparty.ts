// NEW_COUNTERPARTY: whether the organization has never paid the recipient.
import * as v from 'valibot'
import { quoted } from '../shown.js'
import { ruleType } from './ruleType.js'

export const newCounterparty = ruleType({
  operators: ['EQUALS'],
  actions: ['REQUIRE_APPROVAL', 'ALLOW', 'DENY'],
  violation: 'COUNTERPARTY_STATUS',
  schema: v.boolean(({ input }) => `must be true or false, not ${quoted(input)}`),
  bind: ({ value }) => ({
    condition: { fact: 'newCounterparty', operator: 'equal', value },
    explain: (facts) => paidBefore(facts.newCounterparty !== true),
  }),
})

export function paidBefore(isMet: boolean): string {
  return isMet ? 'The recipient was paid before' : 'The recipient was never paid before'
}
