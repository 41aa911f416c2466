// An agent that may not pay any more, whoever suspended it.
import type { AgentContext } from '../../../machines/agent.js'
import { charts } from '../../../machines/index.js'
import { statusOf } from '../../actor/turn.js'
import { NO_CAUSES, type CausesIn } from '../cause.js'

export const agentSuspended: CausesIn = ({ before, after }) => {
  if (before === undefined || before.state === after.state || statusOf(charts, after) !== 'SUSPENDED') return NO_CAUSES
  const { id, name, frozenFor, edits } = after.context as unknown as AgentContext
  const message = frozenFor === null ? `${name} is suspended.` : `${name} is suspended: ${frozenFor}`
  return [{ type: 'AGENT_SUSPENDED', about: [id, edits], isOnce: true, title: 'Agent suspended', message, agentId: id }]
}
