// Mistakes in approvals: of payments, and of changes under governance.
import { mutant, type Mutant } from '../mutant.js'

const GUARDS = 'machines/payment/guards.js'
const CHANGE = 'machines/change.js'
const GOVERNANCE = 'src/domain/outcomes/governance.js'

export const APPROVALS: readonly Mutant[] = [
  mutant('whoever wants decides', GUARDS, ['!isApprover(context.approval, one)', 'false'], 'service', 'approvers'),
  mutant(
    'a decision counts on another request',
    GUARDS,
    ['otherRequest: ({ context, event }) => context.approval?.id !== event.approvalId', 'otherRequest: () => false'],
    'kernel',
    'approvers',
  ),
  mutant(
    'one decides on the own request',
    GUARDS,
    [
      'ownRequest: ({ context, event }) => decidersOf(event).some((one) => isBarred(context.approval, one))',
      'ownRequest: () => false',
    ],
    'kernel',
    'approvers',
    'asked',
  ),
  mutant(
    'one person approves twice',
    GUARDS,
    ['alreadyDecided: ({ context, event }) => hasDecided(context.approval, event)', 'alreadyDecided: () => false'],
    'kernel',
    'asked',
  ),
  mutant(
    'one approval is enough',
    GUARDS,
    ['lacksApprovals: ({ context, event }) => !isLastNeeded(context.approval, event)', 'lacksApprovals: () => false'],
    'service',
    'asked',
  ),
  mutant(
    'two credentials of one person are two people',
    'src/domain/access/principal.js',
    ['return countsAs ?? { type, id }', 'return { type, id }'],
    'service',
    'asked',
    'governed',
  ),
  mutant(
    'the lowest workflow is asked first',
    'src/domain/payment/workflow.js',
    ['b.fields.priority - a.fields.priority', 'a.fields.priority - b.fields.priority'],
    'service',
    'workflow',
  ),
  mutant(
    'workflows count from above their amount',
    'src/domain/payment/workflow.js',
    ['payment.amount >= amountAtLeast', 'payment.amount > amountAtLeast'],
    'service',
    'workflow',
  ),
  mutant(
    'a workflow that ends in a denial passes on',
    'src/domain/payment/workflow.js',
    ['const asked = last < 0 ? matching : matching.slice(0, last + 1)', 'const asked = matching'],
    'service',
    'workflow',
    'approvers',
    'asked',
    'quiet',
  ),
  mutant(
    'who may decide no more counts on',
    'src/domain/payment/approval.js',
    ['!hasLapsed(approval, one) && !lapsed.includes(one.by.id)', '!hasLapsed(approval, one)'],
    'service',
    'asked',
  ),
  mutant(
    'governance stands aside',
    'src/commands/barrier.js',
    ['if (settings === undefined)', 'if (true)'],
    'service',
    'governed',
  ),
  mutant(
    'one person switches governance off',
    GOVERNANCE,
    ["action === 'governance.update' || actions.includes(action)", 'actions.includes(action)'],
    'service',
    'governed',
  ),
  mutant(
    'rules are replaced without approval',
    GOVERNANCE,
    ["'policy.REPLACE_RULES': always('policy.update'),", ''],
    'service',
    'governed',
  ),
  mutant(
    'a delegation is changed without approval',
    GOVERNANCE,
    ["'delegation.CONFIGURE': always('delegation.update'),", ''],
    'service',
    'governed',
  ),
  mutant(
    'a block is lifted without approval',
    GOVERNANCE,
    ["'counterparty.UNBLOCK': lifts,", ''],
    'service',
    'governed',
  ),
  mutant(
    'keys are made without approval',
    GOVERNANCE,
    ["'key.CREATE': always('key.create'),", ''],
    'service',
    'governed',
  ),
  mutant(
    'an agent is reactivated without approval',
    GOVERNANCE,
    ["'agent.ACTIVATE': reactivates,", ''],
    'service',
    'governed',
  ),
  {
    mistake: 'one approves the own change',
    changes: [
      {
        file: CHANGE,
        from: 'ownRequest: (taken) => isBarred(taken.context.approval, givenIn(taken).by)',
        to: 'ownRequest: () => false',
      },
      { file: 'src/commands/approvals/changes.js', from: 'if (isBarred(approval, by))', to: 'if (false)' },
    ],
    breaks: ['governed'],
    in: 'service',
  },
  mutant(
    'a change needs one approval',
    CHANGE,
    ['lacksApprovals: (taken) => !isLastNeeded(taken.context.approval, givenIn(taken))', 'lacksApprovals: () => false'],
    'service',
    'governed',
  ),
  mutant(
    'a change is approved twice by one',
    CHANGE,
    ['alreadyDecided: (taken) => hasDecided(taken.context.approval, givenIn(taken))', 'alreadyDecided: () => false'],
    'service',
    'governed',
  ),
  {
    mistake: 'a change is made on what nobody has seen',
    changes: [
      {
        file: 'src/commands/approvals/changes.js',
        from: 'subject === undefined || subjectHash(action, subject) !== since',
        to: 'false',
      },
      { file: 'src/commands/barrier.js', from: 'isCovered && approved.since === since', to: 'isCovered' },
    ],
    breaks: ['governed'],
    in: 'service',
  },
]
