// Histories at their edges: of actors that were changed more often than one telling goes back, that came into being
// without a command, and that others changed meanwhile without leaving an entry.
import test from 'ava'
import { historyOf, storyOf } from '../../src/commands/history.js'
import { fundWallet } from '../../src/commands/wallets.js'
import type { Retold } from '../../src/inspect/replay.js'
import { done, newOrganization, openBare } from '../interface/bare.js'
import { start } from '../interface/started.js'
import { ORGANIZATION_KEY } from '../service/service.js'
import { ask, fundedAgent, made, RECIPIENT } from '../service/setup.js'

interface History {
  entries: Retold[]
  complete: boolean
  pagination: { total: number }
}

const amounts = ({ changed }: Retold): unknown[] => {
  const { from, to } = changed.find(({ field }) => field === 'balance')!
  return [from, to]
}

test('a history goes back five hundred commands, says that there are more, and is as sure of them', async (t) => {
  const bare = openBare(t)
  const { admin, wallet } = await newOrganization(bare)
  const id = await wallet(0)
  for (let funded = 0; funded < 520; funded += 1) done(await fundWallet(bare.services, admin, id, 1))
  const [actor] = await bare.services.host.read([`wallet/${id}`])
  const { entries, isWhole } = await historyOf(bare.services, actor!)
  t.deepEqual([entries.length, isWhole], [500, false])
  t.deepEqual([amounts(entries[0]!), amounts(entries.at(-1)!)], [[20, 21], [519, 520]])
  t.is(entries[0]!.from, 'kept.active')
  t.deepEqual(new Set(entries.map(({ basis }) => basis)), new Set(['replayed']))
  const story = await storyOf(bare.services, actor!)
  t.deepEqual([story.lines.length, story.isWhole], [100, false])
  const whole = await historyOf(bare.services, actor!, 521)
  t.deepEqual([whole.entries.length, whole.isWhole, whole.entries[0]!.from], [521, true, null])
})

test('what changed is as the log has it, whatever gates did to the record in between', async (t) => {
  const { client } = await start(t)
  const buyer = await fundedAgent(client, { name: 'Buyer' })
  await ask(client, buyer.key, 5, { autoExecute: true })
  await made(client, `/api/wallets/${buyer.walletId}/fund`, { amount: 10 })
  const { body } = await client.get<History>(`/api/machines/wallet/actors/${buyer.walletId}/history`, ORGANIZATION_KEY)
  t.true(body.complete)
  const [last, first] = body.entries
  const [, before] = amounts(first!)
  t.deepEqual(amounts(last!), [Number(before) - 5_000_000, Number(before) + 5_000_000])
  t.is(last!.basis, 'replayed')
})

test('an actor that no command began has a history from the state it was found in', async (t) => {
  const { client } = await start(t)
  const buyer = await fundedAgent(client, { name: 'Buyer' })
  await ask(client, buyer.key, 5, { autoExecute: true })
  const found = await client.get<{ counterparty: { id: string } }>(`/api/counterparties/lookup?address=${RECIPIENT}`, ORGANIZATION_KEY)
  const { id } = found.body.counterparty
  await made(client, `/api/counterparties/${id}/block`, { reason: 'Test' })
  const { body } = await client.get<History>(`/api/machines/counterparty/actors/${id}/history`, ORGANIZATION_KEY)
  t.deepEqual(body.entries.map(({ message, from, to, basis }) => [message, from, to, basis]), [
    ['BLOCK', 'met.unknown', 'blocked', 'replayed'],
  ])
})
