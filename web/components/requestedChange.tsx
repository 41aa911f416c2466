// A change that waits for a second person: its subject by name, the reason, and what it would change.
import type { Loaded } from '../load.js'
import { Differences } from './differences.js'
import { Facts, type Fact } from './facts.js'
import { Named, Time, Who } from './amounts.js'
import { isFields } from './anyValue.js'
import type { Proposal } from './proposal.js'
import { Notice, When } from './loadingStates.js'
import type { Rule } from '../policies/ruleTypes.js'
import { RuleSentences } from '../policies/sentences.js'
import type { ChangeApproval } from '../records.js'

export function RequestedChange({ approval, proposal }: { approval: ChangeApproval; proposal: Loaded<Proposal> }) {
  return <When of={proposal}>{(known) => <Whole approval={approval} proposal={known} />}</When>
}

function Whole({ approval, proposal }: { approval: ChangeApproval; proposal: Proposal }) {
  const { requestedBy, createdAt, change, resourceId, status } = approval
  const { reason, note } = isFields(change.body) ? change.body : {}
  return (
    <>
      {resourceId !== null && proposal.before === undefined && status === 'PENDING' && (
        <Notice tone="warning">The object of this change has been removed since.</Notice>
      )}
      {new URLSearchParams(change.query).get('force') === 'true' && (
        <Notice tone="warning">It would be applied although the policy's test cases would fail.</Notice>
      )}
      <div class="card">
        <Facts
          of={[
            ...proposal.about.map(([label, named]): Fact => [label, <Named {...named} />]),
            ['Requested by', <Who by={requestedBy} />],
            ['Requested', <Time at={createdAt} />],
            ['Reason', text(reason ?? note)],
          ]}
        />
      </div>
      <div class="card">
        <h2>Proposed change</h2>
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
