// bursar policies impact: which of the latest decisions a policy file would change. It changes nothing.
import type { PolicyImpact } from '../../../sdk/index.js'
import { asking, type ServiceCommand, type Shown } from '../terminal/asking.js'
import { Failure } from '../../config/failure.js'
import { type Style } from '../terminal/command.js'
import { readPolicyFiles } from './file.js'
import { planOf } from './plan.js'
import { clean, recipient, table, type Columns } from '../terminal/show.js'

export const impactCommands = {
  'policies impact': asking({
    usage: 'policies impact FILE',
    summary: 'show which of the last 1,000 decisions a policy file would change',
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

async function impact({ bursar, words: [path] }: ServiceCommand): Promise<Shown> {
  const [plan, ...others] = await planOf(bursar, readPolicyFiles(path!))
  if (others.length > 0) throw new Failure(`${path} contains several policies: name one file`)
  const { policy, file } = plan!
  const { name, description, policyType, scope, priority, isActive, rules } = file
  const edited = { name, description, scope, priority, isActive, rules }
  const found = policy
    ? await bursar.policies.impact(policy.id, edited)
    : await bursar.policies.impactOfNew({ policy: { policyType, ...edited } })
  return { json: found, lines: (style) => linesOf(found, style) }
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
