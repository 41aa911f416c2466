// Refusals that rest on a change on its way to the disk: they are answered once it is there.
import test, { type ExecutionContext } from 'ava'
import { deliver, deliverIf } from '../../../src/actor/host.js'
import { configureDelegation } from '../../../src/commands/agents/delegations.js'
import { requestPermit } from '../../../src/commands/payments/externalPayments.js'
import { inviteFirstOwner } from '../../../src/commands/organizations/organizations.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import { reviewPayment } from '../../../src/commands/payments/review.js'
import { setUpMember } from '../../../src/commands/people/setUp.js'
import { createWorkflow } from '../../../src/commands/people/workflows.js'
import type { Ref } from '../../../src/domain/limits/gate.js'
import type { WorkflowFields } from '../../../src/domain/payment/workflow.js'
import { WEEKDAYS } from '../../../src/domain/time/timezone.js'
import { addressOf, done, newOrganization, openBare, randomAddress } from '../../support/commands.js'

const WANTED = { amount: 5, urgency: 'NORMAL', autoExecute: false } as const
const recipientAddress = addressOf(randomAddress())

/** An agent with a wallet, and what sends a command without waiting for the disk. */
async function payer(t: ExecutionContext) {
  const bare = openBare(t)
  const { services, store } = bare
  const { admin, agent, wallet, delegate } = await newOrganization(bare)
  const { id: agentId, caller } = await agent()
  const walletId = await wallet(100)
  const delegationId = await delegate(agentId, walletId, { delegationType: 'FULL', allowedDays: [...WEEKDAYS] })
  const { organization } = admin.principal
  const begin = (to: Ref, type: string) => {
    void deliver(services.host, { type: 'test', id: 't' }, to, { type, now: bare.now(), organization, changes: {} })
  }
  const delegation: Ref = `delegation/${delegationId}`
  const isOnDisk = (ref: Ref, state: string) => t.is(store.committed(ref)!.state, state)
  return { services, admin, caller, agentId, walletId, delegation, begin, isOnDisk }
}

for (const [code, named] of [
  ['NO_WALLET', false],
  ['NOT_FOUND', true],
] as const) {
  test(`a request is refused with ${code} once the end of the delegation is on disk`, async (t) => {
    const { services, caller, walletId, delegation, begin, isOnDisk } = await payer(t)
    begin(delegation, 'REVOKE')
    const wanted = { ...WANTED, recipientAddress, ...(named && { walletId }) }
    t.like(await requestPayment(services, caller, wanted), { ok: false, refusal: { code } })
    isOnDisk(delegation, 'revoked')
  })
}

test('a permit is refused for lack of a wallet once the end of the delegation is on disk', async (t) => {
  const { services, caller, walletId, delegation, begin, isOnDisk } = await payer(t)
  const { address, chainId } = services.host.peek(`wallet/${walletId}`)!.context.fields
  begin(delegation, 'REVOKE')
  const wanted = { amount: 5, recipientAddress, senderAddress: addressOf(address!), chainId: chainId! }
  t.like(await requestPermit(services, caller, wanted), { ok: false, refusal: { code: 'NO_WALLET' } })
  isOnDisk(delegation, 'revoked')
})

test('a pause stops an execution that is reviewed once the pause is on disk', async (t) => {
  const { services, admin, caller, agentId, walletId, begin, isOnDisk } = await payer(t)
  const actor = done(await requestPayment(services, caller, { ...WANTED, recipientAddress }))
  done(await configureDelegation(services, admin, agentId, walletId, { delegationType: 'PREAPPROVED' }))
  begin(`agent/${agentId}`, 'PAUSE')
  t.like(await reviewPayment(services, actor.payment), { ok: false, refusal: { code: 'INVALID_STATUS' } })
  isOnDisk(`agent/${agentId}`, 'registered.paused')
})

test('a workflow is refused for an unknown agent once the end of that agent is on disk', async (t) => {
  const { services, admin, agentId, begin, isOnDisk } = await payer(t)
  const fields: WorkflowFields = {
    name: 'For one',
    priority: 0,
    conditions: { agentIds: [agentId] },
    requiredApprovals: 1,
    timeoutHours: 1,
    onTimeout: 'DENY',
    approverIds: [],
  }
  begin(`agent/${agentId}`, 'DELETE')
  t.like(await createWorkflow(services, admin, fields), { ok: false, refusal: { code: 'VALIDATION_ERROR' } })
  isOnDisk(`agent/${agentId}`, 'deleted')
})

test('a set-up link is refused as used once its use is on disk', async (t) => {
  const { services, admin, isOnDisk } = await payer(t)
  const { organization } = admin.principal
  const { actor, setupUrl } = done(await inviteFirstOwner(services, organization, 'owner@bursar.example'))
  const token = new URL(setupUrl).searchParams.get('token')!
  const use = {
    type: 'SET_UP',
    now: services.now(),
    organization,
    hash: services.hashKey(token),
    password: { hash: 'x' },
  }
  void deliver(services.host, { type: 'test', id: 't' }, actor.ref, use)
  const again = await setUpMember(services, { token, password: 'a long enough password', requestId: 'r' })
  t.like(again, { ok: false, refusal: { code: 'AUTH_FAILED' } })
  isOnDisk(actor.ref, 'active')
})

test('a command whose condition does not hold is given up once what it saw is on disk', async (t) => {
  const { services, admin, delegation, begin, isOnDisk } = await payer(t)
  begin(delegation, 'REVOKE')
  const command = { type: 'REVOKE', now: services.now(), organization: admin.principal.organization }
  const by = { type: 'test', id: 't' }
  t.is(await deliverIf(services.host, by, () => false, delegation, command), undefined)
  isOnDisk(delegation, 'revoked')
})
