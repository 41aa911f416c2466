// One policy: its rules as sentences, its assignments, a dry run, its tests, and its history.
import { api } from '../api.js'
import { Badge } from '../components/badge.js'
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
import { SwitchOn } from '../policies/switchOn.js'
import { TestCases } from '../policies/tests.js'
import { TryOut } from '../policies/tryOut.js'
import { Versions } from '../policies/versions.js'
import { go, to } from '../router.js'
import type { PageProps } from '../page.js'
import { useMay } from '../session.js'
import '../policies/policies.css'

const PARTS = [
  ['rules', 'Rules'],
  ['applies', 'Applies to'],
  ['try', 'Dry run'],
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
      mark={data && <Badge status={data.isActive ? 'ACTIVE' : 'INACTIVE'} />}
      actions={data && <Actions policy={data} onChanged={policy.reload} />}
    >
      <Tabs
        label="Parts"
        current={part}
        tabs={PARTS.map(([id, label]) => ({ id, label, href: to('policies', policyId, { part: id }) }))}
      />
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
  if (part === 'try') return <TryOut policy={policy} />
  if (part === 'tests') return <TestCases policy={policy} />
  if (part === 'versions') return <Versions policy={policy} query={query} onChanged={onChanged} />
  return <Rules policy={policy} />
}

function Rules({ policy }: { policy: Policy }) {
  const { policyType, priority, version, updatedAt } = policy
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
          <Remove policy={policy} />
        </div>
      )}
    </>
  )
}

function Remove({ policy: { id, name } }: { policy: Policy }) {
  const remove = async (): Promise<string> => {
    await api.call('DELETE /api/policies/{policyId}', { path: { policyId: id } })
    go(to('policies'))
    return `${name} was removed`
  }
  return (
    <Confirm label="Remove policy" class="danger" title={`Remove ${name}?`} confirm="Remove" danger act={remove}>
      <p>
        It stops applying immediately. Its versions and past decisions are kept. Unassign it from its agents and wallets
        first.
      </p>
    </Confirm>
  )
}

function Actions({ policy, onChanged }: { policy: Policy; onChanged: () => void }) {
  const mayWrite = useMay('MANAGER')
  if (!mayWrite) return null
  return (
    <>
      <SwitchOn policy={policy} onChanged={onChanged} />
      <Details policy={policy} onChanged={onChanged} />
      <a class="button primary" href={to('policies', policy.id, 'rules')}>
        Edit rules
      </a>
    </>
  )
}
