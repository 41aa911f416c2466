// A dry run asks the gates themselves: it is denied what another payment takes after its facts were read. It stores
// nothing.
import type { Result } from '../../../src/domain/outcomes/result.js'
import test, { type ExecutionContext } from 'ava'
import { freezeAgent } from '../../../src/commands/agents/agents.js'
import { dryRun } from '../../../src/commands/payments/dryRun.js'
import { reachableWallets } from '../../../src/commands/payments/facts.js'
import { createPolicy } from '../../../src/commands/policies/policies.js'
import type { Services } from '../../../src/commands/ports.js'
import { requestPayment, type PaymentRequest } from '../../../src/commands/payments/request.js'
import { updateWallet } from '../../../src/commands/agents/wallets.js'
import type { GivenTerms } from '../../../src/commands/agents/delegations.js'
import { WEEKDAYS } from '../../../src/domain/time/timezone.js'
import { decisionRecord } from '../../../src/http/routes/payments/records.js'
import { addressOf, done, newOrganization, openBare, randomAddress } from '../../support/commands.js'
import { rowsIn } from '../../support/integrity.js'
import { interrupted } from '../../support/interrupted.js'

const MICROS = 1_000_000
const BALANCE = 1_000

interface Shown {
  status: string
  wallet: { availableBalance?: number }
  violations?: { type: string; current?: number; limit?: number }[]
  context?: { wallets: { balance: number }[] }
}

interface Options {
  balance?: number
  terms?: GivenTerms
  /** What all agents of a policy may spend together. */
  shared?: number
}

/** Two agents that pay from one wallet each, and the dry run of the first. */
async function newStage(t: ExecutionContext, { balance = BALANCE, terms, shared }: Options) {
  const bare = openBare(t)
  const { services, store } = bare
  const organization = await newOrganization(bare)
  const { admin } = organization
  const [one, other] = [await organization.agent(), await organization.agent()]
  const wallet = await organization.wallet(balance * MICROS)
  const open: GivenTerms = { delegationType: 'FULL', allowedDays: [...WEEKDAYS], ...terms }
  for (const { id } of [one, other]) await organization.delegate(id, wallet, open)
  const value = { amount: shared ?? 0, period: 'TOTAL', of: 'POLICY' }
  const rules = [{ ruleType: 'BUDGET_CAP', value }]
  const fields = { name: 'Policy', policyType: 'COMPOSITE', scope: 'assigned', priority: 50, isActive: true } as const
  if (shared) done(await createPolicy(services, admin, { ...fields, rules, agentIds: [one.id, other.id] }))
  const recipientAddress = addressOf(randomAddress())
  const wanted = (amount: number): PaymentRequest => {
    return { amount: amount * MICROS, recipientAddress, urgency: 'NORMAL', autoExecute: false }
  }
  return {
    ...bare,
    admin,
    agentId: one.id,
    wallet,
    recipientAddress,
    pay: (amount: number, by: 'one' | 'other' = 'one') =>
      requestPayment(services, { one, other }[by].caller, { ...wanted(amount), autoExecute: true }),
    hold: (amount: number) => requestPayment(services, one.caller, wanted(amount)),
    dry: async (amount: number, given: Services = services): Promise<Shown> => {
      const shown = done(
        await dryRun(given, admin, one.id, { ...wanted(amount), idempotencyKey: 'dry' }, (made, view) =>
          decisionRecord(made, view, () => reachableWallets(services, one.id, view)),
        ),
      )
      return shown as unknown as Shown
    },
    /** Everything that is stored, but for a time of use. */
    everything: () => JSON.stringify(store.tables.map(({ name }) => [name, rowsIn(store, name)])),
  }
}

type Stage = Awaited<ReturnType<typeof newStage>>

/** What is taken while the dry run is decided, and what only a gate can know then. */
interface Race {
  title: string
  options?: Options
  meanwhile: (stage: Stage) => Promise<unknown>
  violation: { type: string; current?: number; limit?: number }
}

const RACES: Race[] = [
  {
    title: 'spends the balance',
    options: { balance: 100 },
    meanwhile: ({ pay }) => pay(60, 'other'),
    violation: { type: 'INSUFFICIENT_BALANCE', limit: 40, current: 0 },
  },
  {
    title: 'reserves the balance',
    options: { balance: 100 },
    meanwhile: ({ hold }) => hold(60),
    violation: { type: 'INSUFFICIENT_BALANCE', limit: 100, current: 60 },
  },
  {
    title: 'spends the daily limit of the delegation',
    options: { terms: { delegationType: 'LIMITED', spendLimitPerTx: 100 * MICROS, spendLimitDaily: 100 * MICROS } },
    meanwhile: ({ pay }) => pay(60),
    violation: { type: 'DAILY_LIMIT', current: 60, limit: 100 },
  },
  {
    title: 'spends the shared budget',
    options: { shared: 100 },
    meanwhile: ({ pay }) => pay(60, 'other'),
    violation: { type: 'BUDGET_EXCEEDED', current: 60, limit: 100 },
  },
]

for (const { title, options = {}, meanwhile, violation } of RACES) {
  test(`a dry run is denied where another payment ${title} after its facts were read`, async (t) => {
    const stage = await newStage(t, options)
    t.is((await stage.dry(50)).status, 'APPROVED')
    let before = ''
    const between = async (): Promise<void> => {
      done((await meanwhile(stage)) as Result<unknown>)
      before = stage.everything()
    }
    const shown = await interrupted(stage.services, { before: 'payment REQUEST' }, between, (services) =>
      stage.dry(50, services),
    )
    t.is(shown.status, 'DENIED')
    t.like(shown.violations, [violation])
    t.is(shown.violations!.length, 1)
    t.is(stage.everything(), before)
    t.like(await stage.dry(50), { status: 'DENIED', violations: [violation] })
  })
}

/** Stops that come after the facts, and the gate that sees each. */
const STOPS: [title: string, type: string, stop: (stage: Stage) => Promise<unknown>][] = [
  [
    'agent is frozen',
    'AGENT_NOT_ACTIVE',
    ({ services, admin, agentId }) => freezeAgent(services, admin, agentId, 'Look'),
  ],
  [
    'wallet is frozen',
    'WALLET_NOT_ACTIVE',
    ({ services, admin, wallet }) => updateWallet(services, admin, wallet, { status: 'FROZEN' }),
  ],
]

for (const [title, type, stop] of STOPS) {
  test(`a dry run is denied where the ${title} after its facts were read`, async (t) => {
    const stage = await newStage(t, {})
    const between = async (): Promise<void> => void done((await stop(stage)) as Result<unknown>)
    const shown = await interrupted(stage.services, { before: 'payment REQUEST' }, between, (services) =>
      stage.dry(50, services),
    )
    t.like(shown, { status: 'DENIED', violations: [{ type }] })
  })
}

test('a dry run shows what the request would leave of the balance, also of one that was spent meanwhile', async (t) => {
  const stage = await newStage(t, { balance: 100 })
  t.is((await stage.dry(30)).wallet.availableBalance, 70)
  const meanwhile = () => stage.pay(60, 'other')
  const shown = await interrupted(stage.services, { before: 'payment REQUEST' }, meanwhile, (services) =>
    stage.dry(30, services),
  )
  t.like(shown, { status: 'APPROVED', wallet: { availableBalance: 10 } })
  t.like(await stage.dry(50), {
    status: 'DENIED',
    wallet: { availableBalance: 40 },
    context: { wallets: [{ balance: 40 }] },
  })
})

test('a dry run meets no counterparty, takes no key and can be repeated without end', async (t) => {
  const stage = await newStage(t, { balance: 100 })
  const before = stage.everything()
  for (let time = 0; time < 5; time += 1) t.is((await stage.dry(100)).status, 'APPROVED')
  t.is(stage.everything(), before)
  t.like(await stage.hold(100), { ok: true, value: { payment: { state: 'approved' } } })
})
