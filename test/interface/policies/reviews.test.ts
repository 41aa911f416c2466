// An execution reviews what the payment was approved on, and the review counts only for the payment as it is then.
import { causesOf } from '../../../src/domain/payment/terms.js'
import test, { type ExecutionContext } from 'ava'
import type { BudgetContext } from '../../../machines/budget.js'
import { deliver } from '../../../src/actor/host.js'
import type { Caller } from '../../../src/commands/ports.js'
import { configureDelegation, type GivenTerms } from '../../../src/commands/agents/delegations.js'
import { counterpartyRef } from '../../../src/commands/payments/facts.js'
import { executePayment, findPayment } from '../../../src/commands/payments/payments.js'
import { paymentStatus } from '../../../src/commands/status.js'
import { updateOrganization } from '../../../src/commands/organizations/organizations.js'
import { createPolicy } from '../../../src/commands/policies/policies.js'
import { assign } from '../../../src/commands/policies/assignments.js'
import { requestPayment } from '../../../src/commands/payments/request.js'
import type { Review } from '../../../machines/payment/chart.js'
import { reviewPayment } from '../../../src/commands/payments/review.js'
import { updateAgent } from '../../../src/commands/agents/agents.js'
import { updateWallet } from '../../../src/commands/agents/wallets.js'
import type { Address } from '../../../src/domain/values/address.js'
import { addressOf, done, newOrganization, openBare, randomAddress, type Bare } from '../../support/commands.js'
import { interrupted } from '../../support/interrupted.js'

const MICROS = 1_000_000
const OPEN: GivenTerms = { delegationType: 'FULL', allowedDays: ['Thu'] }

interface Stage {
  bare: Bare
  organization: Awaited<ReturnType<typeof newOrganization>>
  admin: Caller
  caller: Caller
  agentId: string
  walletId: string
  recipient: Address
}

async function build(t: ExecutionContext, hotActors?: number): Promise<Stage> {
  const bare = openBare(t, undefined, hotActors)
  const organization = await newOrganization(bare)
  const { id: agentId, caller } = await organization.agent()
  const walletId = await organization.wallet(1000 * MICROS)
  await organization.delegate(agentId, walletId, OPEN)
  return {
    bare,
    organization,
    admin: organization.admin,
    caller,
    agentId,
    walletId,
    recipient: addressOf(randomAddress()),
  }
}

async function ask({ bare, caller, recipient }: Stage, amount: number, autoExecute = false): Promise<string> {
  const wanted = { amount: amount * MICROS, recipientAddress: recipient, urgency: 'NORMAL', autoExecute } as const
  return String(done(await requestPayment(bare.services, caller, wanted)).payment.context['id'])
}

async function shared({ bare, admin, agentId }: Stage, amount: number): Promise<string> {
  const fields = { name: 'Shared', policyType: 'COMPOSITE', scope: 'assigned', priority: 50, isActive: true } as const
  const rules = [{ ruleType: 'BUDGET_CAP', value: { amount, period: 'TOTAL', of: 'POLICY' } }]
  return String(done(await createPolicy(bare.services, admin, { ...fields, rules, agentIds: [agentId] })).context['id'])
}

function capped({ bare, admin, agentId }: Stage, amount: number): Promise<unknown> {
  const fields = { name: 'Capped', policyType: 'SPEND_LIMIT', scope: 'assigned', priority: 50, isActive: true } as const
  const rules = [{ ruleType: 'MAX_AMOUNT', operator: 'LTE', value: amount }]
  return createPolicy(bare.services, admin, { ...fields, rules, agentIds: [agentId] })
}

async function budgetOf({ bare }: Stage, policyId: string): Promise<[total: number, held: number]> {
  const [budget] = await bare.services.host.read([`budget/${policyId}`])
  const { total, sums } = (budget!.context as unknown as BudgetContext).tally!
  return [total / MICROS, sums.held / MICROS]
}

function isJoined({ bare }: Stage, policyId: string, agents = 2): boolean {
  return bare.services.host.peek(`policy/${policyId}`)!.context.agents.length === agents
}

/** Sends the counterparty commands that are reserved to administrators. */
async function tellRecipient({ bare, admin, recipient }: Stage, ...types: string[]): Promise<void> {
  const { organization, type: by, id } = admin.principal
  for (const type of types) {
    const command = { type, now: bare.now(), organization, reason: 'Because' }
    await deliver(bare.services.host, { type: by, id }, counterpartyRef(organization, recipient), command)
  }
}

const setType = (stage: Stage, delegationType: 'PREAPPROVED' | 'ALLOWLIST' | 'FULL') =>
  configureDelegation(stage.bare.services, stage.admin, stage.agentId, stage.walletId, { delegationType })

const setPerTx = (stage: Stage, amount: number) =>
  configureDelegation(stage.bare.services, stage.admin, stage.agentId, stage.walletId, {
    spendLimitPerTx: amount * MICROS,
  })

/** The result of an execution: the code of the refusal, if any, and the payment's status afterwards. */
async function execute({ bare, caller }: Stage, id: string): Promise<[code: string | undefined, status: string]> {
  const executed = await executePayment(bare.services, caller, id)
  const actor = done(await findPayment(bare.services, caller, id))
  return [executed.ok ? undefined : executed.refusal.code, paymentStatus(actor)]
}

/** The review of a payment, as `executePayment` makes it. */
async function reviewOf({ bare: { services }, caller }: Stage, id: string): Promise<Review | undefined> {
  const reviewed = await reviewPayment(services, done(await findPayment(services, caller, id)))
  return reviewed.ok ? reviewed.value.review : undefined
}

function tellExecute({ bare, caller }: Stage, id: string, review: Review | undefined) {
  const { organization, type, id: by } = caller.principal
  const command = { type: 'EXECUTE', now: bare.now(), organization, review: review as never }
  return deliver(bare.services.host, { type, id: by }, `payment/${id}`, command)
}

/** Runs a command on the stage, and something else right before its message. */
function late<Result>(
  stage: Stage,
  message: string,
  meanwhile: () => Promise<unknown>,
  run: (stageThen: Stage) => Promise<Result>,
): Promise<Result> {
  return interrupted(stage.bare.services, { before: message }, meanwhile, (services) =>
    run({ ...stage, bare: { ...stage.bare, services } }),
  )
}

const lateExecution = (stage: Stage, id: string, meanwhile: () => Promise<unknown>) =>
  late(stage, 'payment EXECUTE', meanwhile, ({ bare, caller }) => executePayment(bare.services, caller, id))

/** Takes the review of now, fails at a wallet that is frozen meanwhile, and leaves the payment approved as before. */
async function executeInVain(stage: Stage, id: string): Promise<void> {
  const { services } = stage.bare
  const review = await reviewOf(stage, id)
  done(await updateWallet(services, stage.admin, stage.walletId, { status: 'FROZEN' }))
  await tellExecute(stage, id, review)
  done(await updateWallet(services, stage.admin, stage.walletId, { status: 'ACTIVE' }))
}

test('a review made before another execution attempt is refused as a version conflict', async (t) => {
  const stage = await build(t)
  const id = await ask(stage, 10)
  const first = await shared(stage, 100)
  const stale = await reviewOf(stage, id)
  const second = await shared(stage, 100)
  await executeInVain(stage, id)
  t.deepEqual(await budgetOf(stage, second), [0, 10])
  t.like(await tellExecute(stage, id, stale), { ok: false, code: 'VERSION_CONFLICT' })
  t.deepEqual(await execute(stage, id), [undefined, 'EXECUTED'])
  for (const policy of [first, second]) t.deepEqual(await budgetOf(stage, policy), [10, 0])
})

test('an execution whose review has become outdated makes a new one', async (t) => {
  const stage = await build(t)
  const id = await ask(stage, 10)
  const first = await shared(stage, 100)
  let second = ''
  const overtake = async (): Promise<void> => {
    second = await shared(stage, 100)
    await executeInVain(stage, id)
  }
  done(await lateExecution(stage, id, overtake))
  for (const policy of [first, second]) t.deepEqual(await budgetOf(stage, policy), [10, 0])
})

test('an execution that another with the same review overtook makes a new review', async (t) => {
  const stage = await build(t)
  const id = await ask(stage, 10)
  const policy = await shared(stage, 100)
  done(await lateExecution(stage, id, () => executeInVain(stage, id)))
  t.deepEqual(await budgetOf(stage, policy), [10, 0])
})

test('a payment is not approved beyond a budget that another agent joins just before the command', async (t) => {
  const stage = await build(t)
  const { bare, admin, walletId, organization } = stage
  const { id: agentId, caller } = await organization.agent()
  await organization.delegate(agentId, walletId, OPEN)
  await ask({ ...stage, caller }, 60, true)
  const policy = await shared(stage, 100)
  await ask(stage, 10, true)
  const join = () => assign(bare.services, admin, policy, 'agents', agentId)
  const id = await late(stage, 'payment REQUEST', join, (stageThen) => ask(stageThen, 31))
  t.is(paymentStatus(done(await findPayment(bare.services, stage.caller, id))), 'DENIED')
  await ask(stage, 30, true)
  t.deepEqual(await budgetOf(stage, policy), [100, 0])
})

for (const isOpen of [true, false]) {
  test(`a budget that is ${isOpen ? '' : 'not yet '}open counts the payments of an agent that are made while it joins`, async (t) => {
    const stage = await build(t)
    const { bare, admin, walletId, organization } = stage
    const { id: agentId, caller } = await organization.agent()
    await organization.delegate(agentId, walletId, OPEN)
    const policy = await shared(stage, 1_000)
    if (isOpen) await ask(stage, 10, true)
    const joining = assign(bare.services, admin, policy, 'agents', agentId)
    // It is decided, but not yet on disk.
    for (let waits = 0; !isJoined(stage, policy) && waits < 100_000; waits += 1) await Promise.resolve()
    t.true(isJoined(stage, policy))
    await Promise.all([ask(stage, 1, true), ask({ ...stage, caller }, 60, true), joining])
    await ask(stage, 1, true)
    t.deepEqual(await budgetOf(stage, policy), [isOpen ? 72 : 62, 0])
  })
}

test('an assignment that is being made keeps no earlier one out of the budget', async (t) => {
  const stage = await build(t)
  const { bare, admin, walletId, organization } = stage
  const [first, second] = [await organization.agent(), await organization.agent()]
  await organization.delegate(first.id, walletId, OPEN)
  await ask({ ...stage, caller: first.caller }, 60, true)
  const policy = await shared(stage, 100)
  await ask(stage, 1, true)
  await assign(bare.services, admin, policy, 'agents', first.id)
  const joining = assign(bare.services, admin, policy, 'agents', second.id)
  for (let waits = 0; !isJoined(stage, policy, 3) && waits < 100_000; waits += 1) await Promise.resolve()
  const id = await ask(stage, 40)
  await joining
  t.is(paymentStatus(done(await findPayment(bare.services, stage.caller, id))), 'DENIED')
})

test("an execution is decided by the days of the organization's present time zone", async (t) => {
  const stage = await build(t)
  const { bare, admin, agentId, caller } = stage
  const fields = { name: 'Days', policyType: 'COMPOSITE', scope: 'assigned', priority: 50, isActive: true } as const
  const rules = [{ ruleType: 'DAY_OF_WEEK', operator: 'IN_LIST', value: ['Thu'] }]
  done(await createPolicy(bare.services, admin, { ...fields, rules, agentIds: [agentId] }))
  await bare.moveClock(Date.parse('2026-03-05T00:01:00Z'))
  const asked = await ask(stage, 1)
  done(await updateOrganization(bare.services, admin, { timezone: 'America/New_York' }))
  t.like(await executePayment(bare.services, caller, asked), { refusal: { code: 'LIMIT_EXCEEDED' } })
  const actor = done(await findPayment(bare.services, caller, asked))
  t.is(actor.state, 'denied')
  t.like(actor.context.review, { timezone: 'America/New_York' })
})

test('an execution requires approval if its delegation does by now', async (t) => {
  const stage = await build(t)
  const id = await ask(stage, 10)
  done(await setType(stage, 'PREAPPROVED'))
  t.deepEqual(await execute(stage, id), ['INVALID_STATUS', 'REQUIRES_APPROVAL'])
  const actor = done(await findPayment(stage.bare.services, stage.caller, id))
  const { decision, review } = actor.context
  t.like(decision, { outcome: 'APPROVED', preapproval: false })
  t.like(review, { outcome: 'REQUIRES_APPROVAL', preapproval: true, policySetHash: decision!.policySetHash })
  t.not(review!.id, decision!.id)
})

test('a payment is not executed if its delegation begins to require approval just before the command', async (t) => {
  for (const autoExecute of [false, true]) {
    const stage = await build(t)
    const restrict = () => setType(stage, 'PREAPPROVED')
    const request = (stageThen: Stage) => ask(stageThen, 10, autoExecute)
    const id = autoExecute ? await late(stage, 'payment REQUEST', restrict, request) : await request(stage)
    if (!autoExecute) {
      const executed = await late(stage, 'payment EXECUTE', restrict, (stageThen) => execute(stageThen, id))
      t.deepEqual(executed, ['INVALID_STATUS', 'REQUIRES_APPROVAL'])
    }
    const actor = done(await findPayment(stage.bare.services, stage.caller, id))
    t.is(paymentStatus(actor), 'REQUIRES_APPROVAL')
  }
})

test('an execution finds nothing changed when every read comes from disk', async (t) => {
  const stage = await build(t, 2)
  await capped(stage, 100)
  t.deepEqual(await execute(stage, await ask(stage, 10)), [undefined, 'EXECUTED'])
})

/** What an administrator may change between the review of a payment and its command. */
const CHANGES: [string, (stage: Stage) => Promise<unknown>][] = [
  ['a policy that denies', (stage) => capped(stage, 1)],
  ['a recipient that is no longer trusted', (stage) => tellRecipient(stage, 'RESET')],
  ['a delegation with a lower limit', (stage) => setPerTx(stage, 1)],
  [
    'an agent that is suspended',
    (stage) => updateAgent(stage.bare.services, stage.admin, stage.agentId, { status: 'SUSPENDED' }),
  ],
]

for (const [what, change] of CHANGES) {
  test(`between review and command, ${what} stops a request and an execution`, async (t) => {
    const stage = await build(t)
    t.deepEqual(await execute(stage, await ask(stage, 1)), [undefined, 'EXECUTED'])
    await tellRecipient(stage, 'TRUST')
    done(await setType(stage, 'ALLOWLIST'))
    const early = await ask(stage, 10)
    const changed = () => change(stage)
    const [code] = await late(stage, 'payment EXECUTE', changed, (stageThen) => execute(stageThen, early))
    t.truthy(code)
    const next = await late(stage, 'payment REQUEST', changed, (stageThen) => ask(stageThen, 10, true))
    const status = paymentStatus(done(await findPayment(stage.bare.services, stage.caller, next)))
    t.is(status, 'DENIED')
  })
}

test('an execution checks again whether the recipient is trusted', async (t) => {
  const stage = await build(t)
  t.deepEqual(await execute(stage, await ask(stage, 1)), [undefined, 'EXECUTED'])
  const early = await ask(stage, 10)
  await tellRecipient(stage, 'TRUST')
  done(await setType(stage, 'ALLOWLIST'))
  t.deepEqual(await execute(stage, early), [undefined, 'EXECUTED'])
  const late = await ask(stage, 10)
  await tellRecipient(stage, 'BLOCK', 'UNBLOCK')
  t.deepEqual(await execute(stage, late), ['LIMIT_EXCEEDED', 'DENIED'])
  const payment = done(await findPayment(stage.bare.services, stage.caller, late)).context
  t.is(causesOf(payment)[0]!.type, 'DELEGATION_NOT_ALLOWED')
})
