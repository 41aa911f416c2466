// The rules of the bench as a policy in the form that decides payments.
import { contentHash } from '../../rules/hash.js'
import { checkRules, type Rule } from '../../rules/rule.js'
import type { PolicySnapshot } from '../../rules/compile.js'
import { rulesOf } from './written.js'

export const NO_BREATH = async (): Promise<void> => {}

export function policyOf(count: number): PolicySnapshot {
  const checked = checkRules(rulesOf(count), 'rules')
  if (!checked.ok) throw new Error(`The rules of the bench are refused: ${JSON.stringify(checked.refusal.details)}`)
  const rules: Rule[] = checked.value.map((rule, index) => ({ id: `r${index}`, ...rule }))
  return { id: 'p', version: 1, name: 'bench', priority: 50, contentHash: contentHash(rules), rules }
}
