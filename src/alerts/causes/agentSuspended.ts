// An agent that may not pay any more, whoever suspended it.
import { charts } from '../../../machines/index.js'
import { statusOf } from '../../actor/turn.js'
import { NO_CAUSES, type CausesIn } from '../cause.js'

export const agentSuspended: CausesIn<'agent'> = ({ before, after }) => {
  if (before === undefined || before.state === after.state || statusOf(charts, after) !== 'SUSPENDED') return NO_CAUSES
  const { id, name, frozenFor, edits } = after.context
  const message = () => (frozenFor === null ? `${name} is suspended.` : `${name} is suspended: ${frozenFor}`)
  return [{ type: 'AGENT_SUSPENDED', about: [id, edits], isOnce: true, title: 'Agent suspended', message, agentId: id }]
}
