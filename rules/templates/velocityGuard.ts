// Stops a runaway agent.
import type { Template } from './template.js'

export const velocityGuard: Template = {
  id: 'velocity-guard',
  name: 'Velocity guard',
  description: 'Stops an agent that pays more often than 5 times a minute or 60 times an hour.',
  policyType: 'VELOCITY',
  rules: [
    { ruleType: 'VELOCITY_LIMIT', operator: 'LTE', value: { maxCount: 5, period: 'MINUTE' }, action: 'ALLOW' },
    { ruleType: 'VELOCITY_LIMIT', operator: 'LTE', value: { maxCount: 60, period: 'HOUR' }, action: 'ALLOW' },
  ],
}
