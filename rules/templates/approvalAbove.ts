// Large payments need a person's approval.
import type { Template } from './template.js'

export const approvalAbove: Template = {
  id: 'approval-above',
  name: 'Approval above an amount',
  description: 'Asks a person before a payment of more than 500.',
  policyType: 'APPROVAL_THRESHOLD',
  rules: [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 500, action: 'REQUIRE_APPROVAL' }],
}
