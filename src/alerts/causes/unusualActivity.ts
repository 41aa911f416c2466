// An agent that meets a threshold of its own, whether it is frozen for it or not.
import { sayMet } from '../../domain/limits/autoFreeze.js'
import { NO_CAUSES, type CausesIn } from '../cause.js'

export const unusualActivity: CausesIn<'agent'> = ({ before, after }, { day }) => {
  const { id, name, autoFreeze, activity } = after.context
  const was = before?.context
  if (activity === null || autoFreeze === null || activity === was?.activity) return NO_CAUSES
  return activity.met.map((threshold) => {
    const message = () => `${name}: ${sayMet(autoFreeze, [threshold])}.`
    return { type: 'UNUSUAL_ACTIVITY', about: [id, threshold, day], title: 'Unusual activity', message, agentId: id }
  })
}
