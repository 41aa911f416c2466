// The same rules in Cedar: one policy that permits, and for each rule one that forbids.
import { NotRun } from '../target.js'
import { rivalModule } from '../rivals/clients.js'
import { FACTS } from './facts.js'
import { rulesOf, type WrittenRule } from './written.js'

interface Answer {
  type: 'success' | 'failure'
  response?: { decision: 'allow' | 'deny'; diagnostics: { errors: unknown[] } }
}

interface Cedar {
  preparsePolicySet(id: string, policies: { staticPolicies: { [id: string]: string } }): { type: string }
  statefulIsAuthorized(call: object): Answer
}

const SUMS: { [ruleType: string]: string } = {
  DAILY_LIMIT: 'dayTotal',
  WEEKLY_LIMIT: 'weekTotal',
  MONTHLY_LIMIT: 'monthTotal',
}
const MICROS = 1_000_000

/** Throws NotRun if Cedar is not installed. */
export function cedarOver(rules: number): () => boolean {
  const cedar = rivalModule<Cedar>('@cedar-policy/cedar-wasm/nodejs')
  const staticPolicies: { [id: string]: string } = { all: 'permit(principal, action, resource);' }
  for (const [index, rule] of rulesOf(rules).entries()) {
    staticPolicies[`rule${index}`] = `forbid(principal, action, resource) ${objection(rule)};`
  }
  const parsed = cedar.preparsePolicySet(`${rules} rules`, { staticPolicies })
  if (parsed.type !== 'success') throw new NotRun(`Cedar does not parse the rules: ${JSON.stringify(parsed)}`)
  const entity = (type: string) => ({ type, id: 'bench' })
  const call = {
    principal: entity('Agent'),
    action: { type: 'Action', id: 'pay' },
    resource: entity('Wallet'),
    context: FACTS,
    preparsedPolicySetId: `${rules} rules`,
    entities: [],
  }
  return () => {
    const { response } = cedar.statefulIsAuthorized(call)
    return response?.decision === 'allow' && response.diagnostics.errors.length === 0
  }
}

function objection({ ruleType, value }: WrittenRule): string {
  const sum = SUMS[ruleType]
  if (sum !== undefined) return `when { context.${sum} > ${Number(value) * MICROS} }`
  if (ruleType === 'MAX_AMOUNT') return `when { context.amount > ${Number(value) * MICROS} }`
  if (ruleType === 'ALLOWED_CATEGORIES') return `unless { ${JSON.stringify(value)}.contains(context.category) }`
  if (ruleType === 'BLOCKED_COUNTERPARTIES') return `when { ${JSON.stringify(value)}.contains(context.recipient) }`
  const { start, end } = value as { start: string; end: string }
  return `unless { context.now >= ${Date.parse(start)} && context.now < ${Date.parse(end)} }`
}
