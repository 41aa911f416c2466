// Payments only to trusted or verified vendors. The list is kept with the counterparties, so the template works
// unchanged; ALLOWED_COUNTERPARTIES would need addresses first.
import type { Template } from './template.js'

export const vendorAllowList: Template = {
  id: 'vendor-allow-list',
  name: 'Vendor allow list',
  description: 'Pays only counterparties that an administrator has marked TRUSTED or VERIFIED.',
  policyType: 'WHITELIST',
  rules: [{ ruleType: 'COUNTERPARTY_STATUS', operator: 'IN_LIST', value: ['TRUSTED', 'VERIFIED'], action: 'ALLOW' }],
}
