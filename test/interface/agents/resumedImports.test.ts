// An import that was interrupted says what it had made when the same body is sent again, and a complete one does not.
import { listOf } from '../../../src/domain/values/lists.js'
import test from 'ava'
import { importAgents } from '../../../src/commands/agents/imports.js'
import { importCounterparties } from '../../../src/commands/counterparties/imports.js'
import { deleteAgent } from '../../../src/commands/agents/agents.js'
import { killedBefore } from '../../support/interrupted.js'
import { addressOf, done, newOrganization, openBare, randomAddress, type Bare } from '../../support/commands.js'

const KILLED = { message: 'killed' }

const agents = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    return { ok: true, agent: { name: `Agent ${index}`, agentType: 'CUSTOM', publicKey: randomAddress() } } as const
  })

const counterparties = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const fields = { category: 'OTHER', status: 'UNKNOWN', notes: null, website: null } as const
    const counterparty = { name: `Company ${index}`, address: addressOf(randomAddress()), ...fields }
    return { ok: true, counterparty } as const
  })

const recordsIn = ({ store }: Bare): string[] => {
  return ['idempotencyRecords', 'expiries'].flatMap((table) => [
    ...store.tables.find(({ name }) => name === table)!.keys({}),
  ])
}

for (const skipExisting of [true, false]) {
  test(`agents of an interrupted import are resumed, with skipExisting ${skipExisting}`, async (t) => {
    const bare = openBare(t)
    const { services } = bare
    const { admin } = await newOrganization(bare)
    const entries = agents(5)
    const run = (then = services) => importAgents(then, admin, entries, skipExisting)
    await t.throwsAsync(killedBefore(services, 'agent CREATE', run, 4), KILLED)
    t.is(recordsIn(bare).length, 6)
    const [gone] = services.query.refs(listOf(`agents/${admin.principal.organization}`))
    done(await deleteAgent(services, admin, gone!.slice('agent/'.length)))
    const again = await run()
    t.like(again, { imported: 3, resumed: 2, skipped: 0, errors: [] })
    t.deepEqual(
      again.agents.map(({ name }) => name),
      entries.map(({ agent }) => agent.name),
    )
    const third = await run()
    t.like(third, { imported: 0, resumed: 0, skipped: skipExisting ? 5 : 0 })
    t.is(third.errors.length, skipExisting ? 0 : 5)
    t.deepEqual(recordsIn(bare), [])
  })
}

test('counterparties of an interrupted import are resumed', async (t) => {
  const bare = openBare(t)
  const { services } = bare
  const { admin } = await newOrganization(bare)
  const [first, ...rest] = counterparties(5)
  await importCounterparties(services, admin, [first!])
  const entries = [first!, ...rest]
  const run = async (then = services) => (await importCounterparties(then, admin, entries)).result
  await t.throwsAsync(killedBefore(services, 'counterparty CREATE', run, 4), KILLED)
  const other = (await importCounterparties(services, admin, rest)).result
  t.like(other, { imported: 2, resumed: 0, skipped: 2 }, 'another body')
  const again = await run()
  t.like(again, { imported: 0, resumed: 2, skipped: 3, errors: [] })
  t.like(await run(), { imported: 0, resumed: 0, skipped: 5 })
  t.deepEqual(recordsIn(bare), [])
})

test('of two imports of one body at once, one makes the entries and the other skips them', async (t) => {
  const bare = openBare(t)
  const { admin } = await newOrganization(bare)
  const entries = counterparties(20)
  const answers = await Promise.all([1, 2].map(() => importCounterparties(bare.services, admin, entries)))
  t.like(answers[0]!.result, { imported: 20, resumed: 0, skipped: 0 })
  t.like(answers[1]!.result, { imported: 0, resumed: 0, skipped: 20 })
})
