// One policy: its rules as sentences, its assignments, a dry run, its tests, and its history.
import { api } from '../api.js'
import { Badge } from '../components/badge.js'
import { ButtonLink } from '../components/button.js'
import { Confirm } from '../components/dialog.js'
import { Facts } from '../components/facts.js'
import { Time } from '../components/amounts.js'
import { Page } from '../components/page.js'
import { When } from '../components/loadingStates.js'
import { Tabs } from '../components/tabs.js'
import { words } from '../format/words.js'
import { useLoad } from '../load.js'
import { AppliesTo } from '../policies/assignments.js'
import { Details } from '../policies/details.js'
import type { Policy } from '../records.js'
import { appliesTo, readPolicy } from '../policies/policy.js'
import { RuleSentences } from '../policies/sentences.js'
import { Activate } from '../policies/activate.js'
import { TestCases } from '../policies/tests.js'
import { DryRun } from '../policies/dryRun.js'
import { Versions } from '../policies/versions.js'
import { go, to } from '../router.js'
import type { PageProps } from '../page.js'
import { useMay } from '../session.js'
import '../policies/policies.css'

const PARTS = [
  ['rules', 'Rules'],
  ['applies', 'Applies to'],
  ['dry-run', 'Dry run'],
  ['tests', 'Test cases'],
  ['versions', 'Versions'],
] as const

export default function PolicyPage({ params, query }: PageProps) {
  const policyId = params['id']!
  const [part] = PARTS.find(([id]) => id === query.get('part')) ?? PARTS[0]
  const policy = useLoad(() => readPolicy(policyId), [policyId])
  const { data } = policy
  return (
    <Page
      title={data?.name ?? 'Policy'}
      lead={data?.description}
      back={{ href: to('policies'), label: 'Policies' }}
      status={data && <Badge status={data.isActive ? 'ACTIVE' : 'INACTIVE'} />}
      actions={data && <Actions policy={data} onChanged={policy.reload} />}
    >
      <Tabs label="Parts" current={part} of={PARTS} href={(id) => to('policies', policyId, { part: id })} />
      <When of={policy}>{(read) => <Part part={part} policy={read} query={query} onChanged={policy.reload} />}</When>
    </Page>
  )
}

interface PartProps {
  part: (typeof PARTS)[number][0]
  policy: Policy
  query: URLSearchParams
  onChanged: () => void
}

function Part({ part, policy, query, onChanged }: PartProps) {
  if (part === 'applies') return <AppliesTo policy={policy} onChanged={onChanged} />
  if (part === 'dry-run') return <DryRun policy={policy} />
  if (part === 'tests') return <TestCases policy={policy} />
  if (part === 'versions') return <Versions policy={policy} query={query} onChanged={onChanged} />
  return <Rules policy={policy} />
}

function Rules({ policy }: { policy: Policy }) {
  const { id, name, policyType, priority, version, updatedAt } = policy
  const mayWrite = useMay('MANAGER')
  return (
    <>
      <div class="card">
        <RuleSentences rules={policy.rules} whole={{}} />
      </div>
      <div class="card">
        <Facts
          of={[
            ['Type', words(policyType)],
            ['Applies to', appliesTo(policy)],
            ['Priority', `${priority} of 100; if several policies deny, the highest is listed first`],
            ['Version', version],
            ['Updated', <Time at={updatedAt} />],
          ]}
        />
      </div>
      {mayWrite && (
        <div>
          <Confirm
            label="Remove policy"
            title={`Remove ${name}?`}
            confirm="Remove"
            danger
            act={() => api.call('DELETE /api/policies/{policyId}', { path: { policyId: id } })}
            after={() => go(to('policies'))}
            done={`${name} was removed`}
          >
            It stops applying immediately. Its versions and past decisions are kept. Unassign it from its agents and
            wallets first.
          </Confirm>
        </div>
      )}
    </>
  )
}

function Actions({ policy, onChanged }: { policy: Policy; onChanged: () => void }) {
  const mayWrite = useMay('MANAGER')
  if (!mayWrite) return null
  return (
    <>
      <Activate policy={policy} onChanged={onChanged} />
      <Details policy={policy} onChanged={onChanged} />
      <ButtonLink primary href={to('policies', policy.id, 'rules')} label="Edit rules" />
    </>
  )
}
