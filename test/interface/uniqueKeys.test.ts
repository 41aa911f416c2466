// Unique keys: one actor has a name, an address, a pair or an e-mail address, however many ask for it at once, and it is
// free again from the commit on in which that actor gives it up.
import { listOf } from '../../src/domain/values/lists.js'
import { fieldsOf, type Actor } from '../../src/actor/actor.js'
import test, { type ExecutionContext } from 'ava'
import { createAgent, deleteAgent, updateAgent } from '../../src/commands/agents/agents.js'
import { delegateWallet, revokeDelegation } from '../../src/commands/agents/delegations.js'
import { inviteMember, removeMember } from '../../src/commands/people/members.js'
import type { Caller, Services } from '../../src/commands/ports.js'
import { commandMessage, senderOf } from '../../src/commands/send.js'
import { createWallet, deleteWallet } from '../../src/commands/agents/wallets.js'
import { succeed, type Result } from '../../src/domain/outcomes/result.js'
import { addressOf, done, newOrganization, openBare, type Bare } from '../support/commands.js'

const RUNS = 20
const CALLERS = 200

/** `existed`: it was there before. */
type Outcome = Result<{ actor: Actor; existed: boolean }>

interface Stage {
  services: Services
  admin: Caller
}

/** What may be there once, by a number that names it; `end` gives it up. */
interface Once {
  what: string
  create: (stage: Stage, number: number) => Promise<() => Promise<Outcome>>
  end: (stage: Stage, id: string) => Promise<Result<Actor>>
}

const idIn = (actor: Actor): string => String(fieldsOf(actor)['id'])
const made = (result: Result<Actor>): Outcome => (result.ok ? succeed({ actor: result.value, existed: false }) : result)
const agentNamed = async ({ services, admin }: Stage, name: string) =>
  made(await createAgent(services, admin, { name, agentType: 'CUSTOM' }))
const walletAt = async ({ services, admin }: Stage, number: number): Promise<Outcome> => {
  const address = addressOf(`0x${number.toString(16).padStart(40, 'c')}`)
  const given = { name: 'Wallet', custodyType: 'EXTERNAL', chainType: 'EVM', walletType: 'EOA', address } as const
  const found = await createWallet(services, admin, given)
  return found.ok ? succeed({ actor: found.value.wallet, existed: found.value.existed }) : found
}

/** The agent and the wallet of a delegation, by its id. */
const pairs = new Map<string, [agentId: string, walletId: string]>()

async function delegating(stage: Stage, number: number): Promise<() => Promise<Outcome>> {
  const agentId = idIn(done(await agentNamed(stage, `Delegate ${number}`)).actor)
  const walletId = idIn(done(await walletAt(stage, number)).actor)
  return async () => {
    const outcome = made(await delegateWallet(stage.services, stage.admin, agentId, walletId, {}))
    if (outcome.ok) pairs.set(idIn(outcome.value.actor), [agentId, walletId])
    return outcome
  }
}

const AGENT: Once = {
  what: 'one agent name',
  create: async (stage, number) => () => agentNamed(stage, `Agent ${number}`),
  end: ({ services, admin }, id) => deleteAgent(services, admin, id),
}
const WALLET: Once = {
  what: 'one wallet address',
  create: async (stage, number) => () => walletAt(stage, number),
  end: ({ services, admin }, id) => deleteWallet(services, admin, id),
}
const MEMBER: Once = {
  what: 'one e-mail address',
  create:
    async ({ services, admin }, number) =>
    async () => {
      const invited = await inviteMember(services, admin, { email: `${number}@example.com`, role: 'ADMIN' })
      return invited.ok ? succeed({ actor: invited.value.actor, existed: false }) : invited
    },
  end: ({ services, admin }, id) => removeMember(services, admin, { memberId: id }),
}
const DELEGATION: Once = {
  what: 'one pair of agent and wallet',
  create: delegating,
  end: ({ services, admin }, id) => revokeDelegation(services, admin, ...pairs.get(id)!),
}

async function newStage(bare: Bare): Promise<Stage> {
  return { services: bare.services, admin: (await newOrganization(bare)).admin }
}

/** The organization on the same folder after a restart. */
async function restarted(t: ExecutionContext, bare: Bare, { admin }: Stage): Promise<Stage> {
  await bare.close()
  return { services: openBare(t, bare.folder).services, admin }
}

const times = <T>(count: number, each: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => each(index)))

const codeOf = (outcome: Outcome): string => {
  if (!outcome.ok) return outcome.refusal.code
  return outcome.value.existed ? 'existed' : 'made'
}

/** How often each word occurs. */
function tally(words: readonly string[]): { [word: string]: number } {
  const counts: { [word: string]: number } = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

for (const { what, create } of [AGENT, MEMBER, DELEGATION]) {
  test(`of ${CALLERS} parallel creations with ${what} exactly one succeeds, ${RUNS} times of ${RUNS}`, async (t) => {
    const stage = await newStage(openBare(t))
    for (let run = 0; run < RUNS; run += 1) {
      const one = await create(stage, run)
      const outcomes = await times(CALLERS, one)
      t.deepEqual(tally(outcomes.map(codeOf)), { made: 1, ALREADY_EXISTS: CALLERS - 1 })
    }
  })
}

test(`of ${CALLERS} parallel creations at one address one makes the wallet and the others answer it`, async (t) => {
  const stage = await newStage(openBare(t))
  for (let run = 0; run < RUNS; run += 1) {
    const outcomes = await times(CALLERS, await WALLET.create(stage, run))
    t.deepEqual(tally(outcomes.map(codeOf)), { made: 1, existed: CALLERS - 1 })
    t.is(new Set(outcomes.map((outcome) => outcome.ok && outcome.value.actor.ref)).size, 1)
  }
  t.is(stage.services.query.size(listOf(`wallets/${stage.admin.principal.organization}`)), RUNS)
})

for (const { what, create, end } of [AGENT, WALLET, MEMBER, DELEGATION]) {
  test(`${what} is taken until its actor ends, and then free at once, also over restarts`, async (t) => {
    const bare = openBare(t)
    const stage = await newStage(bare)
    const first = done(await (await create(stage, 1))()).actor
    const again = await restarted(t, bare, stage)
    const one = await remade(again, create, first)
    t.not(codeOf(await one()), 'made')
    done(await end(again, idIn(first)))
    const second = done(await one())
    t.false(second.existed)
    t.not(second.actor.ref, first.ref)
    t.not(codeOf(await one()), 'made')
  })
}

/** The same creation after a restart; that of a delegation keeps its agent and its wallet. */
async function remade(stage: Stage, create: Once['create'], first: Actor): Promise<() => Promise<Outcome>> {
  const pair = pairs.get(idIn(first))
  return pair ? async () => made(await delegateWallet(stage.services, stage.admin, ...pair, {})) : create(stage, 1)
}

test('a name that was freed before a restart is free after it, and the new name is taken', async (t) => {
  const bare = openBare(t)
  const stage = await newStage(bare)
  const ada = idIn(done(await agentNamed(stage, 'Ada')).actor)
  done(await updateAgent(stage.services, stage.admin, ada, { name: 'Eve' }))
  const again = await restarted(t, bare, stage)
  t.is(codeOf(await agentNamed(again, 'Eve')), 'ALREADY_EXISTS')
  t.is(codeOf(await agentNamed(again, 'Ada')), 'made')
  t.is(codeOf(await agentNamed(again, 'Ada')), 'ALREADY_EXISTS')
})

test('another agent may take a name in the moment in which a rename gives it up', async (t) => {
  const stage = await newStage(openBare(t))
  const { services, admin } = stage
  const ada = done(await agentNamed(stage, 'Ada')).actor
  const eve = done(await agentNamed(stage, 'Eve')).actor
  const renamed = (ref: typeof ada.ref, name: string): { ok: boolean; saved: Promise<void> } => {
    const attempt = services.host.attempt(senderOf(admin))!
    const { ok } = attempt.send(ref, commandMessage(services, admin, 'RENAME', { name }))
    return { ok, saved: attempt.commit() }
  }
  const [free, taken, still] = [renamed(ada.ref, 'Ida'), renamed(eve.ref, 'Ada'), renamed(ada.ref, 'Ada')]
  t.deepEqual([free.ok, taken.ok, still.ok], [true, true, false])
  await Promise.all([free.saved, taken.saved, still.saved])
  t.deepEqual(await codesOf(stage, ['Ada', 'Ida', 'Eve']), ['ALREADY_EXISTS', 'ALREADY_EXISTS', 'made'])
})

const codesOf = (stage: Stage, names: string[]): Promise<string[]> =>
  Promise.all(names.map(async (name) => codeOf(await agentNamed(stage, name))))

test('a refused rename leaves both names with their agents, also over a restart', async (t) => {
  const bare = openBare(t)
  const stage = await newStage(bare)
  const ada = idIn(done(await agentNamed(stage, 'Ada')).actor)
  done(await agentNamed(stage, 'Eve'))
  const refused = await updateAgent(stage.services, stage.admin, ada, { name: 'Eve' })
  t.like(refused, { ok: false, refusal: { code: 'ALREADY_EXISTS' } })
  const taken = ['ALREADY_EXISTS', 'ALREADY_EXISTS']
  t.deepEqual(await codesOf(stage, ['Ada', 'Eve']), taken)
  t.deepEqual(await codesOf(await restarted(t, bare, stage), ['Ada', 'Eve']), taken)
})

test('of 200 parallel renames to one name exactly one succeeds, and the other agents keep theirs', async (t) => {
  const stage = await newStage(openBare(t))
  const { services, admin } = stage
  const ids = (await times(CALLERS, (index) => agentNamed(stage, `Agent ${index}`))).map((one) => idIn(done(one).actor))
  const outcomes = await times(CALLERS, (index) => updateAgent(services, admin, ids[index]!, { name: 'Wanted' }))
  t.deepEqual(tally(outcomes.map((outcome) => (outcome.ok ? 'made' : outcome.refusal.code))), {
    made: 1,
    ALREADY_EXISTS: CALLERS - 1,
  })
  const names = Array.from({ length: CALLERS }, (_, index) => `Agent ${index}`)
  t.deepEqual(tally(await codesOf(stage, names)), { made: 1, ALREADY_EXISTS: CALLERS - 1 })
})
