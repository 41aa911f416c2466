// A budget for one purpose, shared by the agents under it. Its categories match those named by agents and those of
// counterparties.
import type { Template } from './template.js'

export const cloudBudget: Template = {
  id: 'cloud-budget',
  name: 'Cloud budget',
  description: 'Pays for cloud services and APIs alone, at most 5000 a month for all agents under the policy together.',
  policyType: 'BUDGET_ALLOCATION',
  rules: [
    {
      ruleType: 'ALLOWED_CATEGORIES',
      operator: 'IN_LIST',
      value: ['CLOUD', 'CLOUD_SERVICES', 'API', 'API_PROVIDER'],
      action: 'ALLOW',
    },
    {
      ruleType: 'BUDGET_CAP',
      operator: 'LTE',
      value: { amount: 5000, period: 'MONTHLY', of: 'POLICY' },
      action: 'ALLOW',
    },
  ],
}
