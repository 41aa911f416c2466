// How a payment was decided, as a tree: each policy with its rules, and what no policy said, such as a limit of the
// delegation, in branches beside them.
import type { Answer } from '../api.js'
import { words } from '../format/words.js'
import { to } from '../router.js'
import { AnyValue, fieldLabel } from './anyValue.js'
import { Badge } from './badge.js'
import { branchesOf, type Branch } from './branches.js'
import { Facts, type Fact } from './facts.js'
import { Icon } from './icon.js'
import { figuresOfRule, figuresOfViolation, isFigure } from './limitFigures.js'
import { LimitStep } from './limitStep.js'
import { grouped } from '../format/money.js'

export type Trace = Answer<'GET /api/payments/{paymentId}'>['trace']
type Policy = Trace['policies'][number]
type Rule = Policy['rules'][number]
type Violation = Trace['violations'][number]

interface Decided {
  amount: number
  rail: string
}

interface TreeProps {
  trace: Trace
  /** The payment that was decided. */
  payment: Decided
  /** Also shows the rules of policies that passed. */
  whole?: boolean
}

export function TraceTree({ trace, payment, whole = false }: TreeProps) {
  const { policies, request } = trace
  const branches = branchesOf(trace, payment.rail)
  return (
    <div class="trace">
      {policies.length === 0 && (
        <p class="hint">
          No policy applied. The decision follows from the agent's status, its wallet and the limits of its delegation.
        </p>
      )}
      <ul class="tree">
        {branches.map((branch) => (
          <BranchNode key={branch.name} branch={branch} payment={payment} />
        ))}
        {policies.map((policy) => (
          <PolicyNode key={policy.policyId} policy={policy} payment={payment} whole={whole} />
        ))}
      </ul>
      {request && (
        <details>
          <summary>Original decision, at the request: {words(request.outcome)}</summary>
          <TraceTree trace={request} payment={payment} />
        </details>
      )}
    </div>
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
      {total > of.length && <p class="hint">And {grouped(total - of.length)} more.</p>}
    </div>
  )
}

function BranchNode({ branch: { name, violations }, payment }: { branch: Branch; payment: Decided }) {
  return (
    <li>
      <details open>
        <summary>
          <strong>{name}</strong> <Badge status="DENIED" />
        </summary>
        <ul class="tree">
          {violations.map((violation, index) => (
            <ViolationNode key={index} violation={violation} amount={payment.amount} />
          ))}
        </ul>
      </details>
    </li>
  )
}

function ViolationNode({ violation, amount }: { violation: Violation; amount: number }) {
  const { type, message } = violation
  const figures = figuresOfViolation(violation, amount)
  return (
    <li class="rule denied">
      <p class="rule-says">
        <Icon name="cross" />
        <span>
          <strong>{words(type)}</strong> {message}
        </span>
      </p>
      {figures && <LimitStep label={words(type)} of={figures} />}
    </li>
  )
}

const WORST = ['DENIED', 'REQUIRES_APPROVAL', 'PASSED'] as const

interface PolicyProps {
  policy: Policy
  payment: Decided
  whole: boolean
}

function PolicyNode({ policy, payment, whole }: PolicyProps) {
  const { policyId, policyName, policyVersion, rules } = policy
  const outcome = WORST.find((one) => rules.some((rule) => rule.outcome === one)) ?? 'PASSED'
  return (
    <li>
      <details open={whole || outcome !== 'PASSED'}>
        <summary>
          <strong>{policyName}</strong> <span class="hint">version {policyVersion}</span> <Badge status={outcome} />
        </summary>
        <ul class="tree">
          <li>
            <a href={to('policies', policyId, { part: 'versions', version: String(policyVersion) })}>
              View version {policyVersion} of {policyName}
            </a>
          </li>
          {rules.map((rule) => (
            <RuleNode key={rule.ruleId} rule={rule} amount={payment.amount} />
          ))}
        </ul>
      </details>
    </li>
  )
}

const MARKS = { PASSED: 'check', DENIED: 'cross', REQUIRES_APPROVAL: 'person', NOT_APPLICABLE: 'check' } as const

function RuleNode({ rule, amount }: { rule: Rule; amount: number }) {
  const { ruleType, operator, value, action, outcome, facts, explanation } = rule
  const figures = figuresOfRule(rule, amount)
  const others = Object.entries(facts).filter(([name]) => figures === undefined || !isFigure(name))
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
            ...others.map(([name, fact]): Fact => [fieldLabel(name), <AnyValue of={fact} />]),
          ]}
        />
      </details>
      {figures && <LimitStep label={words(ruleType)} of={figures} />}
    </li>
  )
}
