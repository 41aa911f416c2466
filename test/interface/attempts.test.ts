// What one command does in one commit: several messages of it are all taken, or nothing of it has been.
import { listOf } from '../../src/domain/values/lists.js'
import test, { type ExecutionContext } from 'ava'
import { charts } from '../../machines/index.js'
import { fieldsOf, type Actor, type DomainEvent } from '../../src/actor/actor.js'
import { MOST_MESSAGES } from '../../src/actor/attempt.js'
import { proveAddress } from '../../src/commands/agents/addressProof.js'
import {
  createAgent,
  deleteAgent,
  freezeAgent,
  updateAgent,
  type AgentChanges,
} from '../../src/commands/agents/agents.js'
import { createAgentKey } from '../../src/commands/people/keys.js'
import type { Caller, Services } from '../../src/commands/ports.js'
import { send, sendAll, type Sent } from '../../src/commands/send.js'
import { subjectHash } from '../../src/commands/approvalSubject.js'
import { createWallet, deleteWallet } from '../../src/commands/agents/wallets.js'
import type { AddressedCommand } from '../../src/commands/barrier.js'
import type { Ref } from '../../src/domain/limits/gate.js'
import type { ApprovedChange, GovernedAction } from '../../src/domain/outcomes/governance.js'
import { EmbeddedHost } from '../../src/host/embedded.js'
import type { Change } from '../../src/store/change.js'
import { interrupted } from '../support/interrupted.js'
import { addressOf, done, newOrganization, openBare, randomAddress, type Bare } from '../support/commands.js'

const MANY = 620

interface Stage extends Bare, Awaited<ReturnType<typeof newOrganization>> {
  /** Every change that was written since the last call. */
  written(): Change[]
  /** The events of everything committed since the last call. */
  told(): string[]
  named(name: string): Promise<Ref>
}

/** An organization whose commits and events can be looked at. */
async function newStage(t: ExecutionContext): Promise<Stage> {
  const bare = openBare(t)
  const { store } = bare
  const [changes, events]: [Change[], DomainEvent[]] = [[], []]
  const commit = store.commit.bind(store)
  store.commit = (change) => (changes.push(change), commit(change))
  const deliveriesOf = (those: readonly DomainEvent[]) => (events.push(...those), [])
  const outbox = { deliveriesOf, committed: () => {} }
  const host = new EmbeddedHost(charts, store, { hotActors: 10_000, outbox })
  const watched = { ...bare, services: { ...bare.services, host } }
  const made = await newOrganization(watched)
  const named = async (name: string) =>
    done(await createAgent(watched.services, made.admin, { name, agentType: 'CUSTOM' })).ref
  changes.length = 0
  return {
    ...watched,
    ...made,
    named,
    written: () =>
      changes.splice(0).filter(({ actors, keys, audited }) => actors.length + keys.length + audited.length),
    told: () => events.splice(0).map(({ event }) => event),
  }
}

const idOf = (ref: Ref): string => ref.slice(ref.indexOf('/') + 1)
const update = ({ services, admin }: Stage, ref: Ref, changes: AgentChanges, caller: Caller = admin) =>
  updateAgent(services, caller, idOf(ref), changes)
const codeOf = (outcome: { ok: true } | { ok: false; refusal: { code: string } }): string =>
  outcome.ok ? 'made' : outcome.refusal.code

/** The actions since an entry, in the order of the log. */
async function actionsAfter({ services, admin }: Stage, last: number): Promise<string[]> {
  const { organization } = admin.principal
  const entries = await services.auditLog.all(organization, {})
  return entries.filter(({ sequence }) => sequence > last).map(({ action }) => action)
}

const lastEntry = ({ services, admin }: Stage): Promise<number> => services.auditLog.last(admin.principal.organization)

test('a name, other fields and a status of an agent change in one commit, with an entry each in this order', async (t) => {
  const stage = await newStage(t)
  const ref = await stage.named('Ada')
  const last = await lastEntry(stage)
  stage.written()
  done(await update(stage, ref, { name: 'Eve', description: 'Buys paper', status: 'PAUSED' }))
  const [change, ...others] = stage.written()
  t.deepEqual(others, [])
  t.deepEqual(
    change!.audited.map(({ turn }) => turn.command),
    ['RENAME', 'UPDATE', 'PAUSE'],
  )
  t.is(change!.keys.length, 2, 'the new name, and the old one')
  t.deepEqual(await actionsAfter(stage, last), ['agent.update', 'agent.update', 'agent.pause'])
  t.deepEqual(stage.told(), ['agent.status_changed'])
  t.like(stage.services.host.peek(ref), {
    state: 'registered.paused',
    context: { name: 'Eve', fields: { description: 'Buys paper' } },
  })
})

/** What somebody does between the read and the attempt, and the changes that are refused then. */
const REFUSED: [title: string, meanwhile: AgentChanges | undefined, changes: AgentChanges, code: string][] = [
  ['a name that is taken', undefined, { name: 'Eve', description: 'No', status: 'PAUSED' }, 'ALREADY_EXISTS'],
  ['a status that it cannot have any more', { status: 'REVOKED' }, { name: 'Ida', status: 'PAUSED' }, 'INVALID_STATUS'],
]

for (const [title, meanwhile, changes, code] of REFUSED) {
  test(`of an update with ${title} nothing is done, told or recorded`, async (t) => {
    const stage = await newStage(t)
    const [ada] = [await stage.named('Ada'), await stage.named('Eve')]
    let [before, last] = [stage.services.host.peek(ada), 0]
    const between = async (): Promise<void> => {
      if (meanwhile) done(await update(stage, ada, meanwhile))
      before = stage.services.host.peek(ada)
      last = await lastEntry(stage)
      stage.written()
      stage.told()
    }
    const refused = await interrupted(stage.services, { before: 'agent RENAME' }, between, (services) =>
      updateAgent(services, stage.admin, idOf(ada), changes),
    )
    t.is(codeOf(refused), code)
    t.is(stage.services.host.peek(ada), before)
    t.deepEqual([stage.written(), stage.told(), await actionsAfter(stage, last)], [[], [], []])
    if (changes.name !== 'Eve') await t.notThrowsAsync(stage.named(changes.name!), 'the name is free')
  })
}

/** An agent with a key, and delegations of as many wallets. */
async function delegate(stage: Stage, count: number) {
  const { services, admin } = stage
  const { id } = await stage.agent()
  done(await createAgentKey(services, admin, id, { name: 'Key' }))
  const wallets = await Promise.all(Array.from({ length: count }, () => stage.wallet(0)))
  await Promise.all(wallets.map((wallet) => stage.delegate(id, wallet, {})))
  stage.written()
  return { id, wallets }
}

const commandsIn = ({ audited }: Change): string[] =>
  audited.map(({ after, turn }) => `${kindIn(after)} ${turn.command}`)
const kindIn = ({ ref }: Actor): string => ref.slice(0, ref.indexOf('/'))

test('an agent, its keys and its delegations end in one commit', async (t) => {
  const stage = await newStage(t)
  const { id } = await delegate(stage, 2)
  done(await deleteAgent(stage.services, stage.admin, id))
  const commits = stage.written().map(commandsIn)
  t.deepEqual(commits, [['agent DELETE', 'key REVOKE', 'delegation REVOKE', 'delegation REVOKE']])
})

test('a wallet and its delegations end in one commit', async (t) => {
  const stage = await newStage(t)
  const [wallet, one, other] = [await stage.wallet(0), await stage.agent(), await stage.agent()]
  for (const { id } of [one, other]) await stage.delegate(id, wallet, {})
  stage.written()
  done(await deleteWallet(stage.services, stage.admin, wallet))
  t.deepEqual(stage.written().map(commandsIn), [['wallet DELETE', 'delegation REVOKE', 'delegation REVOKE']])
})

/** A wallet that is delegated to as many agents. */
async function shared(stage: Stage, count: number) {
  const wallet = await stage.wallet(0)
  const agents = await Promise.all(Array.from({ length: count }, () => stage.agent()))
  await Promise.all(agents.map(({ id }) => stage.delegate(id, wallet, {})))
  stage.written()
  return wallet
}

/** The delegations of a wallet that are active. */
const activeOn = async ({ services }: Stage, walletId: string): Promise<Actor[]> =>
  (await services.query.all(listOf(`wallet-delegations/${walletId}`))).filter(({ state }) => state === 'active')

test('a wallet with more delegations than one commit holds is gone with the first, and they with the next', async (t) => {
  const stage = await newStage(t)
  const wallet = await shared(stage, MANY)
  done(await deleteWallet(stage.services, stage.admin, wallet))
  const commits = stage.written().map(commandsIn)
  t.deepEqual(
    commits.map(({ length }) => length),
    [MOST_MESSAGES, MANY + 1 - MOST_MESSAGES],
  )
  t.deepEqual(commits[0]!.slice(0, 2), ['wallet DELETE', 'delegation REVOKE'])
  t.deepEqual(await activeOn(stage, wallet), [])
})

test('after a crash between these commits the wallet is gone, and its agents can be deleted', async (t) => {
  const stage = await newStage(t)
  const wallet = await shared(stage, MANY)
  let attempts = 0
  const attempt: Services['host']['attempt'] = (...given) => {
    if ((attempts += 1) > 1) throw new Error('killed')
    return stage.services.host.attempt(...given)
  }
  const { host } = stage.services
  const dying = new Proxy(host, {
    get: (target, name) => (name === 'attempt' ? attempt : (Reflect.get(target, name) as () => unknown).bind(target)),
  })
  await t.throwsAsync(deleteWallet({ ...stage.services, host: dying }, stage.admin, wallet), { message: 'killed' })
  t.is(host.peek(`wallet/${wallet}`)!.state, 'deleted')
  const left = await activeOn(stage, wallet)
  t.is(left.length, MANY + 1 - MOST_MESSAGES)
  const agents = left.map((actor) => String(fieldsOf(actor)['agentId']))
  for (const outcome of await Promise.all(agents.map((one) => deleteAgent(stage.services, stage.admin, one)))) {
    done(outcome)
  }
  t.deepEqual(await activeOn(stage, wallet), [])
})

test('a delegation that somebody revokes between these commits keeps none of the others active', async (t) => {
  const stage = await newStage(t)
  const { services, admin } = stage
  const wallet = await shared(stage, MANY)
  const other = async (): Promise<void> => {
    const last = (await activeOn(stage, wallet)).at(-1)!
    done(await deleteAgent(services, admin, String(fieldsOf(last)['agentId'])))
  }
  done(await interrupted(services, { after: 'wallet DELETE' }, other, (then) => deleteWallet(then, admin, wallet)))
  t.deepEqual(await activeOn(stage, wallet), [])
})

test('a proof of an address that fails takes nothing from the next organization', async (t) => {
  const { services, admin, ...stage } = await newStage(t)
  const { admin: other } = await newOrganization({ services, ...stage })
  const address = addressOf(randomAddress())
  const given = { name: 'Wallet', custodyType: 'EXTERNAL', chainType: 'EVM', walletType: 'EOA', address } as const
  const { id } = done(await createWallet(services, admin, given)).wallet.context
  const isSignedBy = async () => (await deleteWallet(services, admin, String(id))).ok
  t.is(codeOf(await proveAddress({ ...services, isSignedBy }, admin, String(id), '0x')), 'INVALID_STATUS')
  const theirs = done(await createWallet(services, other, given)).wallet.context['id']
  done(await proveAddress({ ...services, isSignedBy: async () => true }, other, String(theirs), '0x'))
  t.is(codeOf(await createWallet(services, admin, given)), 'WALLET_CONFIG_ERROR')
})

/** Lets these actions need a second person from now on. */
async function govern({ services, admin }: Stage, ...actions: GovernedAction[]): Promise<void> {
  const governance = { enabled: true, actions, requiredApprovals: 1, timeoutHours: 24 }
  const to: Ref = `organization/${admin.principal.organization}`
  if (!(await send(services, admin, to, 'UPDATE', { changes: { governance } })).ok) throw new Error('not governed')
}

/** The caller with an approval of this action on the agent as it is now. */
function approvedFor({ services, admin }: Stage, action: GovernedAction, ref: Ref): Caller {
  const approved: ApprovedChange = {
    action,
    ref,
    createsId: null,
    since: subjectHash(action, services.host.peek(ref)!),
  }
  return { ...admin, principal: { ...admin.principal, approved } }
}

const barrierIn = (sent: Sent) => ('barrier' in sent ? sent.barrier : undefined)

/** A frozen agent whose return needs a second person. */
async function frozen(stage: Stage): Promise<Ref> {
  const ref = await stage.named('Ada')
  done(await freezeAgent(stage.services, stage.admin, idOf(ref), 'Drill'))
  await govern(stage, 'agent.reactivate', 'webhook.update')
  return ref
}

test('a governed command that needs an approval leaves no record, event, key or entry', async (t) => {
  const stage = await newStage(t)
  const ref = await frozen(stage)
  const [before, last] = [stage.services.host.peek(ref), await lastEntry(stage)]
  stage.written()
  stage.told()
  const record = (): never => t.fail('an answer is recorded') as never
  const outcome = await update(stage, ref, { name: 'Ida', status: 'ACTIVE' }, { ...stage.admin, record })
  t.is(codeOf(outcome), 'REQUIRES_APPROVAL')
  t.deepEqual([stage.written(), stage.told(), await actionsAfter(stage, last)], [[], [], []])
  t.is(stage.services.host.peek(ref), before)
  await t.notThrowsAsync(stage.named('Ida'), 'the name is free')
})

/** What happens to the agent after the approval, by the field that shows it. */
const SINCE: [field: string, since: (stage: Stage, ref: Ref) => Promise<unknown>][] = [
  ['status', (stage, ref) => update(stage, ref, { status: 'PAUSED' })],
  ['reason', ({ services, admin }, ref) => freezeAgent(services, admin, idOf(ref), 'Key leaked')],
  ['number of freezes', ({ services, admin }, ref) => freezeAgent(services, admin, idOf(ref), 'Drill')],
]

for (const [field, since] of SINCE) {
  test(`an approved return of an agent is stale after another ${field}, and changes nothing`, async (t) => {
    const stage = await newStage(t)
    const ref = await frozen(stage)
    const caller = approvedFor(stage, 'agent.reactivate', ref)
    await since(stage, ref)
    const before = stage.services.host.peek(ref)
    const outcome = await update(stage, ref, { name: 'Ida', status: 'ACTIVE' }, caller)
    t.like(outcome, { ok: false, refusal: { code: 'REQUIRES_APPROVAL', barrier: { isStale: true } } })
    t.is(stage.services.host.peek(ref), before)
    done(await update(stage, ref, { status: 'ACTIVE' }, approvedFor(stage, 'agent.reactivate', ref)))
  })
}

test("an approval of an agent's return is bound to its status, its reason and its number of changes each", async (t) => {
  const stage = await newStage(t)
  const actor = stage.services.host.peek(await frozen(stage))!
  const hashOf = (change: Partial<Actor>, fields: object = {}): string =>
    subjectHash('agent.reactivate', { ...actor, ...change, context: { ...actor.context, ...fields } })
  const edits = Number(fieldsOf(actor)['edits'])
  const same = [hashOf({}), hashOf({ revision: 99 }, { name: 'Ida', updatedAt: 1 })]
  t.is(new Set(same).size, 1)
  const hashes = [
    hashOf({ state: 'registered.paused' }),
    hashOf({}, { frozenFor: 'x' }),
    hashOf({}, { edits: edits + 1 }),
  ]
  t.is(new Set([...same, ...hashes]).size, 4)
})

test('of several governed messages the first names the action, and its approval covers them all', async (t) => {
  const stage = await newStage(t)
  const { services, admin } = stage
  const agent = await frozen(stage)
  const organization: Ref = `organization/${admin.principal.organization}`
  const rename: AddressedCommand = { to: agent, type: 'RENAME', fields: { name: 'Ida' } }
  const activate: AddressedCommand = { to: agent, type: 'ACTIVATE', fields: { changes: {} } }
  const url = 'https://events.example.com/in'
  const tell: AddressedCommand = { to: organization, type: 'SET_WEBHOOK', fields: { url, secret: 'sealed' } }
  t.like(barrierIn(await sendAll(services, admin, agent, [rename, activate, tell])), {
    action: 'agent.reactivate',
    ref: agent,
  })
  t.like(barrierIn(await sendAll(services, admin, organization, [tell, activate])), {
    action: 'webhook.update',
    ref: organization,
  })
  const wrong = approvedFor(stage, 'webhook.update', organization)
  t.like(barrierIn(await sendAll(services, wrong, agent, [rename, activate, tell])), { action: 'agent.reactivate' })
  t.is(fieldsOf(services.host.peek(agent)!)['name'], 'Ada')
  const right = approvedFor(stage, 'agent.reactivate', agent)
  t.true((await sendAll(services, right, agent, [rename, activate, tell])).ok)
  t.like(services.host.peek(agent), { state: 'registered.active', context: { name: 'Ida' } })
  t.like(services.host.peek(organization)!.context, { webhook: { webhookUrl: url } })
})
