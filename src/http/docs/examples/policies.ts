// Examples of policies: writing, editing and trying them, and their versions.
import { RECIPIENT, type Examples } from './example.js'

const LIMIT = { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 200 }
const APPROVAL = { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 100 }

export const POLICIES: Examples = {
  'POST /api/policies': {
    body: { name: 'Card limits', policyType: 'SPEND_LIMIT', rules: [LIMIT, APPROVAL], agentIds: ['{agentId}'] },
    sdk: 'admin.policies.create(body)',
  },
  'GET /api/policies': { query: { isActive: 'true' }, sdk: 'admin.policies.list({ isActive: true })' },
  'GET /api/policies/{policyId}': { sdk: 'admin.policies.get(policyId)' },
  'PATCH /api/policies/{policyId}': {
    body: { priority: 80, description: 'What cards may pay' },
    sdk: 'admin.policies.update(policyId, body)',
  },
  'DELETE /api/policies/{policyId}': { sdk: 'admin.policies.delete(policyId)' },
  'GET /api/policies/{policyId}/rules': { sdk: 'admin.policies.rules.list(policyId)' },
  'POST /api/policies/{policyId}/rules': { body: LIMIT, sdk: 'admin.policies.rules.add(policyId, body)' },
  'PUT /api/policies/{policyId}/rules': {
    body: { rules: [LIMIT, APPROVAL] },
    sdk: `admin.policies.rules.replace(policyId, [
  { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 200 },
  { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 100 },
])`,
  },
  'PATCH /api/policies/{policyId}/rules/{ruleId}': {
    body: { value: 150 },
    sdk: 'admin.policies.rules.update(policyId, ruleId, body)',
  },
  'DELETE /api/policies/{policyId}/rules/{ruleId}': { sdk: 'admin.policies.rules.remove(policyId, ruleId)' },
  'GET /api/policies/{policyId}/versions': { sdk: 'admin.policies.versions.list(policyId)' },
  'GET /api/policies/{policyId}/versions/compare': {
    query: { from: '1', to: '1' },
    sdk: 'admin.policies.versions.compare(policyId, 1, 1)',
  },
  'GET /api/policies/{policyId}/versions/{version}': { sdk: 'admin.policies.versions.get(policyId, version)' },
  'POST /api/policies/{policyId}/versions/{version}/rollback': {
    body: { note: 'Back to the first limits' },
    sdk: "admin.policies.versions.rollback(policyId, version, 'Back to the first limits')",
  },
  'POST /api/policies/evaluate': {
    body: { agentId: '{agentId}', payment: { amount: 150, recipientAddress: RECIPIENT, category: 'CLOUD' } },
    sdk: 'admin.policies.evaluate(body)',
  },
  'POST /api/policies/impact': {
    body: { policy: { name: 'Card limits', policyType: 'SPEND_LIMIT', scope: 'organization', rules: [LIMIT] } },
    query: { examples: '5' },
    sdk: 'admin.policies.impactOfNew(body, { examples: 5 })',
  },
  'POST /api/policies/{policyId}/impact': {
    body: { rules: [LIMIT] },
    query: { examples: '5' },
    sdk: 'admin.policies.impact(policyId, body, { examples: 5 })',
  },
  'GET /api/policies/{policyId}/tests': { sdk: 'admin.policies.tests.get(policyId)' },
  'PUT /api/policies/{policyId}/tests': {
    body: { tests: [{ name: 'lunch', payment: { amount: 12 }, expect: 'APPROVED' }] },
    sdk: 'admin.policies.tests.replace(policyId, body)',
  },
  'GET /api/policy-templates': { sdk: 'admin.policies.templates()' },
}
