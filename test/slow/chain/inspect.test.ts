// The history of a payment in live settlement: a transfer on a chain, whose first answer is lost.
import test from 'ava'
import type { Story } from '../../../src/commands/audit/history.js'
import type { HistoryEntry } from '../../../src/inspect/history.js'
import { Proxy } from './proxy.js'
import {
  approved,
  newPayer,
  newRecipient,
  settled,
  startChain,
  startLive,
  until,
  type Live,
} from '../../support/chain.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { execute } from '../../support/payments.js'

async function read<Body>({ client }: Live, id: string, part: string): Promise<Body> {
  return (await client.get<Body>(`/api/machines/payment/actors/${id}${part}`, ORGANIZATION_KEY)).body
}

/** The history, oldest first, once it ends in this state; mines blocks until then. */
function historyUntil(live: Live, id: string, state: string): Promise<HistoryEntry[]> {
  return until(async () => {
    const { entries } = await read<{ entries: HistoryEntry[] }>(live, id, '/history')
    if (entries[0]!.to === state) return entries.reverse()
    await live.chain.mine(1)
    return undefined
  }, `it does not come to ${state}`)
}

test('the history of a transfer on a chain has every command from its request to its end', async (t) => {
  t.timeout(120_000)
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const live = await startLive(t, chain, { BURSAR_RPC_31337: node.url })
  const payer = await newPayer(live.client, chain)
  const id = await approved(live.client, payer.key, 12.5, newRecipient())
  let isLost = false
  node.deed = ({ method }) => {
    if (method !== 'eth_sendRawTransaction' || isLost) return undefined
    isLost = true
    return { answer: { status: 502 } }
  }
  t.is((await execute(live.client, payer.key, id)).status, 200)
  await settled(live, payer.key, id)
  const { holds } = await read<{ holds: { level: string }[] }>(live, id, '')
  t.deepEqual(new Set(holds.map(({ level }) => level)), new Set(['captured']))
  const history = await historyUntil(live, id, 'executed')
  t.deepEqual(
    history.map(({ message, to }) => [message, to]),
    [
      ['REQUEST', 'approved'],
      ['EXECUTE', 'transferring.signing'],
      ['SIGNED', 'transferring.submitting'],
      ['UNKNOWN', 'transferring.unknown'],
      ['ACCEPTED', 'transferred.submitted'],
      ['CONFIRMED', 'transferred.confirmed'],
      ['FINAL', 'executed'],
    ],
  )
  const { lines } = await read<Story>(live, id, '/story')
  t.deepEqual(
    lines.filter(({ kind }) => kind === 'event').map(({ text }) => text),
    ['payment.requested', 'payment.approved', 'payment.executed', 'payment.confirmed'],
  )
})
