// The sentence of a decision: the rules that allowed or denied a payment, or that required approval, each as a link to
// the policy at the version that decided, and what no policy said.
import type { ComponentChildren } from 'preact'
import type { Answer } from '../api.js'
import { branchesOf } from '../components/branches.js'
import { words } from '../format/words.js'
import { to } from '../router.js'

type Trace = Omit<Answer<'GET /api/payments/{paymentId}'>['trace'], 'request'>
type Policy = Trace['policies'][number]
type Rule = Policy['rules'][number]

interface Props {
  trace: Trace
  rail: string
  /** Approvers could not allow what rules deny: the outcome that the payment had then. */
  outcome: 'APPROVED' | 'REQUIRES_APPROVAL' | 'DENIED'
}

const DECISIVE = { APPROVED: 'PASSED', REQUIRES_APPROVAL: 'REQUIRES_APPROVAL', DENIED: 'DENIED' } as const
const STARTS = { APPROVED: 'Allowed', REQUIRES_APPROVAL: 'Approval required', DENIED: 'Denied' } as const

export function DecisionSaid({ trace, rail, outcome }: Props) {
  const rules = trace.policies.flatMap((policy) =>
    policy.rules.filter((rule) => rule.outcome === DECISIVE[outcome]).map((rule) => ({ policy, rule })),
  )
  const branches = outcome === 'DENIED' ? branchesOf(trace, rail) : []
  const causes: ComponentChildren[] = [
    ...branches.flatMap(({ name, violations }) =>
      violations.map(({ message }) => (
        <>
          by the {name.toLowerCase()}: {lowered(message)}
        </>
      )),
    ),
    ...rules.map(({ policy, rule }) => <RuleSaid policy={policy} rule={rule} />),
  ]
  if (causes.length === 0) return <>{STARTS[outcome]}: no policy applied</>
  if (causes.length === 1)
    return (
      <>
        {STARTS[outcome]} {causes[0]}
      </>
    )
  return (
    <>
      {STARTS[outcome]}
      <ul class="causes">
        {causes.map((cause, index) => (
          <li key={index}>{cause}</li>
        ))}
      </ul>
    </>
  )
}

function RuleSaid({ policy, rule }: { policy: Policy; rule: Rule }) {
  const { policyId, policyName, policyVersion } = policy
  const place = to('policies', policyId, { part: 'versions', version: String(policyVersion), rule: rule.ruleId })
  return (
    <>
      by rule{' '}
      <a href={place}>
        “{words(rule.ruleType)}” of policy “{policyName}”, version {policyVersion}
      </a>
      : {lowered(rule.explanation)}
    </>
  )
}

/** Within a sentence. */
const lowered = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
