// Stores test cases with a policy; later edits of the policy have to pass them.
import type { Actor } from '../../actor/actor.js'
import type { PolicyTest } from '../../domain/parties/policy.js'
import { refuse, refuseFields, type Result } from '../../domain/outcomes/result.js'
import { outcome, send } from '../send.js'
import { findPolicy, isOvertaken, outdatedBy, type EditOptions } from './policies.js'
import { failingTests, problemsOf } from './tests.js'
import type { Caller, Services } from '../ports.js'

/** Replaces the policy's tests; refused where the policy fails the new ones now. */
export async function keepTests(
  services: Services,
  caller: Caller,
  policyId: string,
  tests: readonly PolicyTest[],
  options: EditOptions,
): Promise<
  Result<
    Actor<'policy'>,
    'INVALID_STATUS' | 'NOT_FOUND' | 'POLICY_TESTS_FAILED' | 'VALIDATION_ERROR' | 'VERSION_CONFLICT'
  >
> {
  const details = tests.flatMap(problemsOf)
  for (;;) {
    const found = await findPolicy(services, caller, policyId)
    if (!found.ok) return found
    if (details.length > 0) return refuseFields(details)
    const { definition, version } = found.value.context
    const outdated = outdatedBy(options, version)
    if (outdated) return outdated
    const failing = await failingTests(services, found.value, definition, tests)
    const named = failing.map(({ name, message }) => ({ path: name, message }))
    if (named.length > 0)
      return refuse('POLICY_TESTS_FAILED', 'The policy does not pass these tests now', { details: named })
    const reply = await send(services, caller, found.value.ref, 'TEST', { tests, ifVersion: version })
    if (!isOvertaken(reply)) return outcome(reply)
  }
}
