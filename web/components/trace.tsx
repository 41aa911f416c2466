// How a payment was decided, as a tree: each policy, and each of its rules with its explanation and its facts.
import type { Answer } from '../api.js'
import { words } from '../format/words.js'
import { Badge } from './badge.js'
import { Facts, type Fact } from './facts.js'
import { Icon } from './icon.js'
import { fieldLabel, AnyValue } from './anyValue.js'

export type Trace = Answer<'GET /api/payments/{paymentId}'>['trace']
type Policy = Trace['policies'][number]
type Rule = Policy['rules'][number]

/** `whole` also shows the rules of policies that passed. */
export function TraceTree({ trace, whole = false }: { trace: Trace; whole?: boolean }) {
  const { policies, refusal, request } = trace
  return (
    <div class="trace">
      <Violations title="Reasons for denial" of={trace.violations} />
      {refusal && (
        <Violations
          title={`Refused by the ${refusal.gate.split('/')[0]!} when reserving the amount`}
          of={refusal.violations}
        />
      )}
      {policies.length === 0 && (
        <p class="hint">
          No policy applied. The decision follows from the agent's status, its wallet and the limits of its delegation.
        </p>
      )}
      <PolicyTree policies={policies} whole={whole} />
      {request && (
        <details>
          <summary>Original decision, at the request: {words(request.outcome)}</summary>
          <Violations title="Reasons for denial at that time" of={request.violations} />
          <PolicyTree policies={request.policies} whole={false} />
        </details>
      )}
    </div>
  )
}

function PolicyTree({ policies, whole }: { policies: readonly Policy[]; whole: boolean }) {
  return (
    <ul class="tree">
      {policies.map((policy) => (
        <PolicyNode key={policy.policyId} policy={policy} whole={whole} />
      ))}
    </ul>
  )
}

interface ViolationsProps {
  title: string
  of: Trace['violations']
  /** How many there are, where not all of them are listed. */
  total?: number | undefined
}

export function Violations({ title, of, total = of.length }: ViolationsProps) {
  if (of.length === 0) return null
  return (
    <div class="violations">
      <h3>{title}</h3>
      <ul>
        {of.map((violation, index) => (
          <li key={index}>
            <Icon name="cross" />
            <span>
              <strong>{words(violation.type)}</strong> {violation.message}
            </span>
          </li>
        ))}
      </ul>
      {total > of.length && <p class="hint">And {(total - of.length).toLocaleString('en')} more.</p>}
    </div>
  )
}

const WORST = ['DENIED', 'REQUIRES_APPROVAL', 'PASSED'] as const

function PolicyNode({ policy, whole }: { policy: Policy; whole: boolean }) {
  const { policyName, policyVersion, rules } = policy
  const outcome = WORST.find((one) => rules.some((rule) => rule.outcome === one)) ?? 'PASSED'
  return (
    <li>
      <details open={whole || outcome !== 'PASSED'}>
        <summary>
          <strong>{policyName}</strong> <span class="hint">version {policyVersion}</span> <Badge status={outcome} />
        </summary>
        <ul class="tree">
          {rules.map((rule) => (
            <RuleNode key={rule.ruleId} rule={rule} />
          ))}
        </ul>
      </details>
    </li>
  )
}

const MARKS = { PASSED: 'check', DENIED: 'cross', REQUIRES_APPROVAL: 'person', NOT_APPLICABLE: 'check' } as const

function RuleNode({ rule: { ruleType, operator, value, action, outcome, facts, explanation } }: { rule: Rule }) {
  return (
    <li class={`rule ${outcome.toLowerCase()}`}>
      <details open={outcome === 'DENIED' || outcome === 'REQUIRES_APPROVAL'}>
        <summary>
          <Icon name={MARKS[outcome]} />
          <span>{explanation}</span> <Badge status={outcome} />
        </summary>
        <Facts
          of={[
            [
              'Rule',
              <>
                {words(ruleType)}
                {operator && `, ${words(operator).toLowerCase()}`} <AnyValue of={value} />
              </>,
            ],
            ['Action', words(action)],
            ...Object.entries(facts).map(([name, fact]): Fact => [fieldLabel(name), <AnyValue of={fact} />]),
          ]}
        />
      </details>
    </li>
  )
}
