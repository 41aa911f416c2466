// A change that waits for a second person: its subject by name, the reason, and what it would change.
import { useLoad } from '../load.js'
import { useAwaited } from '../names.js'
import { titleOf, Subject } from './approvalSummary.js'
import { Differences } from './differences.js'
import { Facts, type Fact } from './facts.js'
import { Named, Time, Who } from './amounts.js'
import { isFields } from './anyValue.js'
import { readProposal, type Proposal } from './proposal.js'
import { Notice, When } from './loadingStates.js'
import type { Rule } from '../policies/ruleTypes.js'
import { RuleSentences } from '../policies/sentences.js'
import type { ChangeApproval } from '../records.js'

export function RequestedChange({ approval }: { approval: ChangeApproval }) {
  const proposal = useLoad(() => readProposal(approval), [approval.id])
  useAwaited(proposal.data === undefined)
  return (
    <>
      <Brief of={approval} />
      <When of={proposal}>{(known) => <Whole approval={approval} proposal={known} />}</When>
    </>
  )
}

function Brief({ of: approval }: { of: ChangeApproval }) {
  const { requestedBy, createdAt, change } = approval
  const { reason, note } = isFields(change.body) ? change.body : {}
  return (
    <div class="card brief">
      <Facts
        of={[
          ['Change', <Title of={approval} />],
          ['Requested by', <Who by={requestedBy} />],
          ['Reason', text(reason ?? note) ?? <span class="hint">none given</span>],
          ['Rule', 'Governance requires the approval of another person for this change.'],
          ['Requested', <Time at={createdAt} />],
        ]}
      />
    </div>
  )
}

function Title({ of }: { of: ChangeApproval }) {
  return (
    <>
      <strong class="big">{titleOf(of)}</strong>
      <div>
        <Subject of={of} />
      </div>
    </>
  )
}

function Whole({ approval, proposal }: { approval: ChangeApproval; proposal: Proposal }) {
  const { change, resourceId, status } = approval
  return (
    <>
      {resourceId !== null && proposal.before === undefined && status === 'PENDING' && (
        <Notice tone="warning">The object of this change has been removed since.</Notice>
      )}
      {new URLSearchParams(change.query).get('force') === 'true' && (
        <Notice tone="warning">It would be applied although the policy's test cases would fail.</Notice>
      )}
      <div class="card">
        <h2>Proposed change</h2>
        {proposal.about.length > 0 && (
          <Facts of={proposal.about.map(([label, named]): Fact => [label, <Named {...named} />])} />
        )}
        <Effects approval={approval} of={proposal} />
      </div>
    </>
  )
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** What requests without a body do, by the end of their paths. */
const BODILESS: readonly (readonly [RegExp, string])[] = [
  [/rotate-secret$/, 'A new signing secret is created. The previous one stays valid for 24 hours.'],
  [/\/invite$/, 'They get a new link to set their password.'],
]

function Effects({ approval: { action, change }, of }: { approval: ChangeApproval; of: Proposal }) {
  if (action === 'policy.assign' || action === 'policy.unassign') {
    return (
      <>
        <p>The policy would {action === 'policy.assign' ? 'apply there, too.' : 'no longer apply there.'}</p>
        {of.before && <Differences of={{ about: [], before: undefined, after: { rules: of.before['rules'] } }} />}
      </>
    )
  }
  if (of.after === undefined) {
    const rules = of.before?.['rules']
    return (
      <>
        <p>It would be removed. {rules !== undefined && 'These rules would no longer apply:'}</p>
        {rules !== undefined && <RuleSentences rules={rules as Rule[]} whole={{}} />}
      </>
    )
  }
  const said = BODILESS.find(([ending]) => ending.test(change.path))?.[1]
  if (Object.keys(of.after).length === 0) return <p>{said ?? 'The request has no values.'}</p>
  return <Differences of={of} />
}
