// Deleting agents and wallets while something else of them begins or has not ended.
import { idOf, type Actor } from '../../../src/actor/actor.js'
import { listOf } from '../../../src/domain/values/lists.js'
import { succeed } from '../../../src/domain/outcomes/result.js'
import test, { type ExecutionContext } from 'ava'
import { createAgent, deleteAgent, updateAgent } from '../../../src/commands/agents/agents.js'
import { decideApproval } from '../../../src/commands/approvals/approvals.js'
import { delegateWallet, type GivenTerms } from '../../../src/commands/agents/delegations.js'
import { permitPayment } from '../../../src/commands/payments/externalPayments.js'
import { authenticate, createAgentKey } from '../../../src/commands/people/keys.js'
import { releasePayment } from '../../../src/commands/payments/payments.js'
import type { Caller, Services } from '../../../src/commands/ports.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import { createWallet, deleteWallet, fundWallet } from '../../../src/commands/agents/wallets.js'
import { rotateSecret } from '../../../src/commands/organizations/webhooks.js'
import { WEEKDAYS } from '../../../src/domain/time/timezone.js'
import { addressOf, done, newOrganization, openBare, randomAddress } from '../../support/commands.js'
import { interrupted, killedBefore } from '../../support/interrupted.js'

const EVERY_DAY: GivenTerms = { delegationType: 'FULL', allowedDays: [...WEEKDAYS] }
const GONE = { ok: false, refusal: { code: 'NOT_FOUND' } }
const NOT_NOW = { ok: false, refusal: { code: 'INVALID_STATUS' } }
const theirs = () =>
  ({
    name: 'Theirs',
    custodyType: 'EXTERNAL',
    chainType: 'EVM',
    address: addressOf(randomAddress()),
    walletType: 'EOA',
  }) as const

const ask = async (services: Services, caller: Caller) => {
  const recipientAddress = addressOf(randomAddress())
  const wanted = { amount: 5, recipientAddress, urgency: 'NORMAL', autoExecute: false } as const
  return done(await requestPayment(services, caller, wanted))
}

/** An agent with a key, and an external wallet that it may pay from. */
async function payer(t: ExecutionContext, terms: GivenTerms = {}) {
  const bare = openBare(t)
  const { services } = bare
  const { admin, agent, delegate } = await newOrganization(bare)
  const { id: agentId, caller } = await agent()
  const wallet = done(await createWallet(services, admin, theirs()))
  const walletId = String(wallet.wallet.context['id'])
  done(await fundWallet(services, admin, walletId, 100))
  await delegate(agentId, walletId, { ...EVERY_DAY, ...terms })
  const { secret } = done(await createAgentKey(services, admin, agentId, { name: 'Key' }))
  return { ...bare, admin, caller, agentId, walletId, secret }
}

test('an agent that got a permit while it was being deleted is not deleted and keeps its keys', async (t) => {
  const { services, admin, caller, agentId, secret } = await payer(t)
  const { id } = (await ask(services, caller)).payment.context
  const permitted = async (): Promise<void> => {
    t.is(done(await permitPayment(services, caller, id)).state, 'permitted')
  }
  const refused = await interrupted(services, { before: 'agent DELETE' }, permitted, (then) =>
    deleteAgent(then, admin, agentId),
  )
  t.like(refused, NOT_NOW)
  t.is(services.host.peek(`agent/${agentId}`)!.state, 'registered.active')
  t.is(authenticate(services, secret)?.agent, agentId)
  done(await releasePayment(services, admin, id, { reason: 'Not paid', allowRetry: false }))
  done(await deleteAgent(services, admin, agentId))
  t.is(authenticate(services, secret), undefined)
})

test('an agent, its keys and its delegations end in one commit, or none of them does', async (t) => {
  const { services, admin, agentId, secret } = await payer(t)
  const killed = killedBefore(services, 'delegation REVOKE', (then) => deleteAgent(then, admin, agentId))
  await t.throwsAsync(killed, { message: 'killed' })
  t.is(authenticate(services, secret)?.agent, agentId)
  done(await deleteAgent(services, admin, agentId))
  t.is(authenticate(services, secret), undefined)
  for (const list of [`agent-keys/${agentId}`, `delegations/${agentId}`]) {
    const states = (await services.query.all(listOf(list))).map(({ state }) => state)
    t.deepEqual(states, ['revoked'])
  }
})

test('an agent that is deleted twice at once is deleted, and not found', async (t) => {
  const { services, admin, agentId } = await payer(t)
  const first = async (): Promise<void> => void done(await deleteAgent(services, admin, agentId))
  const second = interrupted(services, { before: 'agent DELETE' }, first, (then) => deleteAgent(then, admin, agentId))
  t.like(await second, GONE)
})

test('a wallet that is deleted twice at once is deleted, and not found', async (t) => {
  const { services, admin, walletId } = await payer(t)
  const first = async (): Promise<void> => void done(await deleteWallet(services, admin, walletId))
  const second = interrupted(services, { before: 'wallet DELETE' }, first, (then) =>
    deleteWallet(then, admin, walletId),
  )
  t.like(await second, GONE)
})

test('the first callback URL shows the secret that it made, though another replaces it at once', async (t) => {
  const { services, admin, agentId } = await payer(t)
  const updated = await interrupted(
    services,
    { after: 'agent UPDATE' },
    async () => void done(await rotateSecret(services, admin)),
    (then) => updateAgent(then, admin, agentId, { callbackUrl: 'https://bursar.example/events' }),
  )
  t.truthy(done(updated).secret)
})

for (const kind of ['agent', 'wallet'] as const) {
  test(`a wallet is not delegated when its ${kind} is deleted meanwhile`, async (t) => {
    const { services, admin, agentId, walletId } = await payer(t)
    const made = {
      agent: () => createAgent(services, admin, { name: 'Other', agentType: 'CUSTOM' }),
      wallet: async () => succeed(done(await createWallet(services, admin, theirs())).wallet),
    }
    const other = idOf(done<Actor>(await made[kind]()).ref)
    const removed = { agent: deleteAgent, wallet: deleteWallet }
    const meanwhile = async (): Promise<void> => void done<Actor>(await removed[kind](services, admin, other))
    const ids = { agent: agentId, wallet: walletId, [kind]: other }
    const delegated = await interrupted(services, { before: 'delegation CREATE' }, meanwhile, (then) =>
      delegateWallet(then, admin, ids.agent, ids.wallet, EVERY_DAY),
    )
    t.like(delegated, GONE)
    const list = kind === 'agent' ? `delegations/${other}` : `wallet-delegations/${other}`
    t.deepEqual(await services.query.all(listOf(list)), [])
  })
}

test('no key is made for an agent that is deleted meanwhile', async (t) => {
  const { services, admin, agentId } = await payer(t)
  const deleted = async (): Promise<void> => void done(await deleteAgent(services, admin, agentId))
  const late = interrupted(services, { before: 'key CREATE' }, deleted, (then) =>
    createAgentKey(then, admin, agentId, { name: 'Late' }),
  )
  t.like(await late, GONE)
  const keys = await services.query.all(listOf(`agent-keys/${agentId}`))
  t.deepEqual(
    keys.map(({ state }) => state),
    ['revoked'],
  )
})

test('a wallet is created at the address of one that is deleted meanwhile', async (t) => {
  const { services, admin } = await payer(t)
  const given = theirs()
  const { id } = done(await createWallet(services, admin, given)).wallet.context
  const meanwhile = async (): Promise<void> => void done(await deleteWallet(services, admin, String(id)))
  const made = done(
    await interrupted(services, { after: 'wallet CREATE' }, meanwhile, (then) => createWallet(then, admin, given)),
  )
  t.false(made.existed)
  t.is(made.wallet.state, 'kept.active')
  t.not(made.wallet.context['id'], id)
})

test('a hold that is overdue does not keep its wallet from being deleted', async (t) => {
  const { services, admin, caller, walletId, setClock } = await payer(t)
  const { expiresAt } = (await ask(services, caller)).payment.context
  setClock(expiresAt - 1)
  t.like(await deleteWallet(services, admin, walletId), NOT_NOW)
  setClock(expiresAt)
  done(await deleteWallet(services, admin, walletId))
})

test('a payment of a deleted agent is not approved, and can be denied', async (t) => {
  const { services, admin, caller, agentId, walletId } = await payer(t, { delegationType: 'PREAPPROVED' })
  const { approval } = (await ask(services, caller)).payment.context
  done(await deleteAgent(services, admin, agentId))
  const decide = (decision: 'APPROVED' | 'DENIED') =>
    decideApproval(services, admin, approval!.id, { decision, comment: null })
  const message = 'The agent was deleted: deny the request, or release the payment'
  t.like(await decide('APPROVED'), { ok: false, refusal: { code: 'INVALID_STATUS', message } })
  t.is(done(await decide('DENIED')).state, 'denied')
  done(await deleteWallet(services, admin, walletId))
})
