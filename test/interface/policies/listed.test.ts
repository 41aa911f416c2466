// Policies are found through lists. One that is listed and does not exist is not left out.
import test from 'ava'
import { policiesOn } from '../../../src/commands/payments/policySet.js'
import type { Services } from '../../../src/commands/ports.js'

test('a policy that is listed and does not exist fails the decision', (t) => {
  const payer = { organization: 'c1', agentId: 'c2', walletId: 'c3' }
  const listing = (list: string) =>
    ({ query: { refs: (name: string) => (name === list ? ['policy/gone'] : []) } }) as unknown as Services
  for (const list of ['organization-policies/c1', 'agent-policies/c2', 'wallet-policies/c3']) {
    t.throws(() => policiesOn(listing(list), () => undefined, payer), { message: /policy\/gone .* does not exist/ })
  }
  t.deepEqual(policiesOn(listing('none'), () => undefined, payer).kept, [])
})
