// Alerts that only a chain raises: a transfer that is reverted, and a wallet that cannot pay fees, until it can again.
import test from 'ava'
import { encodeAbiParameters, keccak256, pad, type Hex } from 'viem'
import type { AlertList } from '../../../sdk/api.js'
import type { LocalChain } from '../../../src/cli/demo/localChain.js'
import type { Client } from '../../support/client.js'
import { ask } from '../../support/payments.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import { approved, newPayer, newRecipient, settled, startChain, startLive, until } from '../../support/chain.js'

async function alertsOf(client: Client, type: string): Promise<AlertList['alerts']> {
  return (await client.get<AlertList>(`/api/alerts?type=${type}`, ORGANIZATION_KEY)).body.alerts
}

/** The token refuses transfers to this address from now on. */
async function refuse(chain: LocalChain, recipient: string): Promise<void> {
  const refused = 3n
  const slot = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [recipient as Hex, refused]))
  await chain.rpc('anvil_setStorageAt', [chain.token, slot, pad('0x1')])
}

test('A transfer that is reverted raises an alert, one that is confirmed does not', async (t) => {
  const chain = await startChain(t, ['--no-mining'])
  if (!chain) return
  const live = await startLive(t, chain)
  const payer = await newPayer(live.client, chain)
  const pay = async (recipientAddress: string): Promise<string> => {
    const { body } = await ask(live.client, payer.key, 5, { recipientAddress, autoExecute: true })
    return body.requestId
  }
  await settled(live, payer.key, await pay(newRecipient()), 'CONFIRMED')
  t.deepEqual(await alertsOf(live.client, 'FAILED_TRANSACTION'), [])
  const recipient = newRecipient()
  const paymentId = await pay(recipient)
  await refuse(chain, recipient)
  await settled(live, payer.key, paymentId, 'FAILED')
  const [alert, ...others] = await alertsOf(live.client, 'FAILED_TRANSACTION')
  t.deepEqual(others, [])
  t.like(alert, { severity: 'CRITICAL', paymentId, agentId: payer.agentId, count: 1 })
})

test('A wallet that cannot pay fees raises one alert, and another one after it could', async (t) => {
  t.timeout(120_000)
  const chain = await startChain(t)
  if (!chain) return
  const { client } = await startLive(t, chain)
  const payer = await newPayer(client, chain)
  await approved(client, payer.key, 1, newRecipient())
  t.deepEqual(await alertsOf(client, 'LOW_GAS'), [])
  /** Asks until the service has seen the change of the coins. */
  const seen = async (coins: string, count: number): Promise<void> => {
    await chain.rpc('anvil_setBalance', [payer.address, coins])
    await until(async () => {
      await chain.mine(1)
      await ask(client, payer.key, 1, { recipientAddress: newRecipient() })
      return (await alertsOf(client, 'LOW_GAS')).length === count || undefined
    }, `${count} alerts`)
  }
  await seen('0x1', 1)
  t.like((await alertsOf(client, 'LOW_GAS'))[0], { severity: 'WARNING', walletId: payer.walletId, status: 'ACTIVE' })
  await chain.rpc('anvil_setBalance', [payer.address, '0x56bc75e2d63100000'])
  await until(async () => {
    await chain.mine(1)
    const { body } = await ask(client, payer.key, 1, { recipientAddress: newRecipient() })
    return body.status === 'APPROVED' || undefined
  }, 'the wallet can pay again')
  await seen('0x1', 2)
  t.deepEqual(
    (await alertsOf(client, 'LOW_GAS')).map(({ walletId }) => walletId),
    [payer.walletId, payer.walletId],
  )
})
