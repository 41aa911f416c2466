// A cap on an agent's daily spending, and on each of its payments.
import type { Template } from './template.js'

export const dailyCap: Template = {
  id: 'daily-cap',
  name: 'Daily cap',
  description: 'Pays at most 1000 a day and 200 at a time.',
  policyType: 'SPEND_LIMIT',
  rules: [
    { ruleType: 'DAILY_LIMIT', operator: 'LTE', value: 1000, action: 'ALLOW' },
    { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 200, action: 'ALLOW' },
  ],
}
