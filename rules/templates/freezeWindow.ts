// No payments in periods when the staff is away.
import type { Template } from './template.js'

export const freezeWindow: Template = {
  id: 'freeze-window',
  name: 'Freeze window',
  description: 'Pays nothing over the turn of the year. Change the dates to those of your own freezes.',
  policyType: 'BLACKOUT_PERIOD',
  rules: [
    {
      ruleType: 'BLACKOUT_PERIOD',
      operator: 'BETWEEN',
      value: {
        windows: [
          { start: '2026-12-21', end: '2027-01-03', reason: 'Year-end freeze' },
          { start: '2027-12-20', end: '2028-01-02', reason: 'Year-end freeze' },
          { start: '2028-12-18', end: '2029-01-01', reason: 'Year-end freeze' },
        ],
      },
      action: 'DENY',
    },
  ],
}
