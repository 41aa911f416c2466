// One version of a policy as it stood: its rules as sentences, and the one that a decision names, marked.
import { api } from '../api.js'
import { When } from '../components/loadingStates.js'
import { useLoad } from '../load.js'
import { to } from '../router.js'
import type { Definition } from './policy.js'
import { RuleList } from './sentences.js'

interface Props {
  policyId: string
  version: number
  current: number
  /** The rule to mark. */
  ruleId: string | null
}

export function VersionRules({ policyId, version, current, ruleId }: Props) {
  const read = useLoad(async () => {
    const path = { policyId, version }
    return (await api.call('GET /api/policies/{policyId}/versions/{version}', { path })).snapshot as Definition
  }, [policyId, version])
  return (
    <section class="card" aria-label={`Version ${version}`}>
      <header class="section-head">
        <h2>
          Version {version}
          {version === current && ' (current)'}
        </h2>
        <a href={to('policies', policyId, { part: 'versions' })}>Close</a>
      </header>
      <When of={read}>
        {({ rules }) => (
          <>
            <RuleList lines={rules.map((rule) => ({ rule, isMarked: rule.id === ruleId }))} />
            {rules.length === 0 && <p class="hint">No rules</p>}
          </>
        )}
      </When>
    </section>
  )
}
