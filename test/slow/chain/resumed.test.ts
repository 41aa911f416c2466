// A payment that waits for its signature when the service stops is signed by the next start only while it is fresh: a
// backup or a later start never pays what nobody waits for any more.
import { cpSync } from 'node:fs'
import test from 'ava'
import { newFolder, ORGANIZATION_KEY } from '../../support/process.js'
import { execute, status, type Agent } from '../../support/payments.js'
import { Proxy } from './proxy.js'
import {
  approved,
  MICROS,
  newPayer,
  newRecipient,
  nonceOf,
  settled,
  startChain,
  startLive,
  until,
} from '../../support/chain.js'

/** Longer than an approved payment can be executed, and a minute. */
const LATER_MS = 10 * 60_000

test('A payment that waits to be signed is paid by the next start, and not again by a copy that starts later', async (t) => {
  t.timeout(60_000)
  const chain = await startChain(t)
  if (!chain) return
  const node = await Proxy.open(t, chain.url)
  const env = { BURSAR_RPC_31337: node.url }
  const [folder, copy] = [newFolder(t), newFolder(t)]
  const first = await startLive(t, chain, env, folder)
  const payer = await newPayer(first.client, chain)
  const recipient = newRecipient()
  const requestId = await approved(first.client, payer.key, 3, recipient)
  const killed = new Promise<void>((resolve) => {
    node.deed = ({ method }) =>
      method === 'eth_getTransactionCount' ? { before: () => first.service.kill().then(() => resolve()) } : undefined
  })
  execute(first.client, payer.key, requestId).catch(() => {})
  await killed
  node.deed = () => undefined
  cpSync(folder, copy, { recursive: true })
  const next = await startLive(t, chain, env, folder)
  await settled(next, payer.key, requestId)
  await next.service.stop()
  let noncesRead = 0
  node.deed = ({ method }) => {
    if (method === 'eth_getTransactionCount') noncesRead += 1
    return undefined
  }
  const later = { NODE_ENV: 'test', BURSAR_CLOCK_OFFSET_MS: String(LATER_MS) }
  const { client } = await startLive(t, chain, { ...env, ...later }, copy)
  const shown = async () => (await status(client, payer.key, requestId)).body.status
  t.is(await until(async () => ((await shown()) === 'EXECUTING' ? undefined : shown()), 'it waits'), 'EXPIRED')
  t.is(noncesRead, 0)
  await chain.mine(2)
  t.deepEqual([await nonceOf(chain, payer.address), await chain.balanceOf(recipient)], [1, 3 * MICROS])
  const { body } = await client.get<Agent>(`/api/agents/${payer.agentId}`, ORGANIZATION_KEY)
  t.like(body.wallets![0], { spent: { day: 0 }, reserved: 0 })
})
