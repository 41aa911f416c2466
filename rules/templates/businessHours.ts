// Payments only during business hours.
import type { Template } from './template.js'

export const businessHours: Template = {
  id: 'business-hours',
  name: 'Business hours',
  description: 'Pays from Monday to Friday, 9:00 to 17:00 in the time zone of the organization.',
  policyType: 'TIME_WINDOW',
  rules: [
    { ruleType: 'DAY_OF_WEEK', operator: 'IN_LIST', value: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], action: 'ALLOW' },
    { ruleType: 'TIME_WINDOW', operator: 'BETWEEN', value: { start: '09:00', end: '17:00' }, action: 'ALLOW' },
  ],
}
