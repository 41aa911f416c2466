// bursar policies impact: which of the latest decisions a policy file would change. It changes nothing.
import type { PolicyImpact } from '../../../sdk/index.js'
import { agentIdOf } from '../agents.js'
import { asking, type ServiceCommand, type Shown } from '../terminal/asking.js'
import { Failure } from '../../config/failure.js'
import { type Style } from '../terminal/command.js'
import { readPolicyFiles } from './file.js'
import { planOf, type Plan } from './plan.js'
import { clean, recipient, table, type Columns } from '../terminal/show.js'

export const impactCommands = {
  'policies impact': asking({
    usage: 'policies impact FILE [--agent AGENT ...]',
    summary:
      'show which of the last 1,000 decisions a policy file would change; --agent names an agent of a new policy',
    run: impact,
  }),
}

const COLUMNS: Columns<PolicyImpact['examples'][number]> = {
  PAYMENT: ({ paymentId }) => paymentId,
  AT: ({ at }) => at,
  AMOUNT: ({ amount }) => amount,
  TO: recipient,
  BEFORE: ({ before }) => before,
  AFTER: ({ after }) => after,
  WHY: ({ violations }) => violations.map(({ message }) => message).join('; '),
}

async function impact(asking: ServiceCommand): Promise<Shown> {
  const {
    bursar,
    words: [path],
    texts,
  } = asking
  const [plan, ...others] = await planOf(bursar, readPolicyFiles(path!))
  if (others.length > 0) throw new Failure(`${path} contains several policies: name one file`)
  const { policy, file } = plan!
  const agentIds = await Promise.all(texts('agent').map((agent) => agentIdOf(asking, agent)))
  if (policy && agentIds.length > 0) {
    throw new Failure(`${file.name} exists: an edit concerns the agents that it is assigned to, leave out --agent`)
  }
  const { name, description, policyType, scope, priority, isActive, rules } = file
  const edited = { name, description, scope, priority, isActive, rules }
  const found = policy
    ? await bursar.policies.impact(policy.id, edited)
    : await bursar.policies.impactOfNew({
        policy: { policyType, ...edited },
        ...(agentIds.length > 0 && { agentIds }),
      })
  const why = found.replayed === 0 && found.complete ? [`Nothing was compared: ${nothingTo(plan!, agentIds)}`] : []
  return { json: found, lines: (style) => [...linesOf(found, style), ...why] }
}

/** Why there was no decision to compare. */
function nothingTo({ policy, file: { name, scope } }: Plan, agentIds: readonly string[]): string {
  if (scope === 'organization') return 'no payment of the organization has been decided yet'
  if (!policy && agentIds.length === 0) return `${name} does not exist yet, so name its agents with --agent AGENT`
  const { agents, wallets } = policy?.assignments ?? { agents: agentIds, wallets: [] }
  if (agents.length + wallets.length === 0) return `${name} is assigned to no agent and no wallet`
  return 'no payment of these agents has been decided yet'
}

function linesOf(found: PolicyImpact, style: Style): string[] {
  const { replayed, period, complete, changes, examples, failingTests } = found
  const when = period ? `, ${period.from} to ${period.to}` : ''
  const count = changes.reduce((sum, one) => sum + one.count, 0)
  return [
    style('bold', `${count} of ${replayed} decisions would change`) + when,
    ...(complete ? [] : ['Time ran out: later decisions were not replayed']),
    ...changes.map((one) => `  ${one.before} → ${one.after}: ${one.count}`),
    ...(examples.length > 0 ? ['', ...table(COLUMNS, examples, style)] : []),
    ...failingTests.map(({ name, message }) => style('red', `test ${clean(name)} ${clean(message)}`)),
  ]
}
