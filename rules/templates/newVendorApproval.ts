// The first payment to a recipient needs a person's approval.
import type { Template } from './template.js'

export const newVendorApproval: Template = {
  id: 'new-vendor-approval',
  name: 'Approval of new vendors',
  description: 'Asks a person before the first payment to a recipient.',
  policyType: 'COUNTERPARTY',
  rules: [{ ruleType: 'NEW_COUNTERPARTY', operator: 'EQUALS', value: true, action: 'REQUIRE_APPROVAL' }],
}
