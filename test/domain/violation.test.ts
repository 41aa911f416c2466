// Which violations are lasting, and the code that an execution answers because of them.
import test from 'ava'
import type { Code } from '../../src/domain/outcomes/codes.js'
import { executionCode, isLasting, type Violation, type ViolationType } from '../../src/domain/outcomes/violation.js'

const because = (type: ViolationType, policyId?: string): Violation[] => [
  { type, message: 'It is so', ...(policyId !== undefined && { policyId, policyVersion: 1, ruleId: 'r1' }) },
]

const CASES: [violations: Violation[], lasting: boolean, code: Code][] = [
  [because('AGENT_NOT_ACTIVE'), false, 'INVALID_STATUS'],
  [because('WALLET_NOT_ACTIVE'), false, 'INVALID_STATUS'],
  [because('INSUFFICIENT_BALANCE'), false, 'INSUFFICIENT_BALANCE'],
  [because('BLOCKED_COUNTERPARTY'), true, 'INVALID_STATUS'],
  [because('SANCTIONED_ADDRESS'), true, 'INVALID_STATUS'],
  [because('DAILY_LIMIT'), true, 'LIMIT_EXCEEDED'],
  [because('DAILY_LIMIT', 'p1'), true, 'LIMIT_EXCEEDED'],
  [because('BLOCKED_COUNTERPARTY', 'p1'), true, 'LIMIT_EXCEEDED'],
  [because('TIME_WINDOW', 'p1'), true, 'LIMIT_EXCEEDED'],
  [because('POLICY_ERROR'), true, 'LIMIT_EXCEEDED'],
  [[...because('AGENT_NOT_ACTIVE'), ...because('COMPOSITE', 'p1')], true, 'INVALID_STATUS'],
]

test('each set of violations is lasting or not, and maps to its execution code', (t) => {
  for (const [violations, lasting, code] of CASES) {
    t.is(isLasting(violations), lasting, JSON.stringify(violations))
    t.is(executionCode(violations), code, JSON.stringify(violations))
  }
})
