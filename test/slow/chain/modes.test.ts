// A payment keeps the settlement mode in which it was requested: a person's approval executes it in no other. A balance
// is the chain's again once settlement is live again.
import test from 'ava'
import { newFolder, ORGANIZATION_KEY } from '../../support/process.js'
import { ask, made, status } from '../../support/payments.js'
import {
  newPayer,
  newRecipient,
  nonceOf,
  settled,
  startChain,
  startLive,
  until,
  wallet,
  type Live,
} from '../../support/chain.js'
import type { Decision } from '../../../sdk/api.js'

const NEEDS_PERSON = { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 10 }

function decide({ client }: Live, { approvalRequestId }: Decision, decision: string) {
  const path = `/api/approval-requests/${approvalRequestId}/decision`
  return client.post<{ code?: string; error?: string }>(path, ORGANIZATION_KEY, { decision })
}

test('An approval in another settlement mode is refused where it would execute the payment', async (t) => {
  t.timeout(60_000)
  const chain = await startChain(t)
  if (!chain) return
  const folder = newFolder(t)
  const live = await startLive(t, chain, {}, folder)
  const payer = await newPayer(live.client, chain)
  const rule = { name: 'Above 10', policyType: 'COMPOSITE', rules: [NEEDS_PERSON], agentIds: [payer.agentId] }
  await made(live.client, '/api/policies', rule)
  const recipient = newRecipient()
  const waiting = async (): Promise<Decision> => {
    return (await ask(live.client, payer.key, 20, { recipientAddress: recipient, autoExecute: true })).body
  }
  const [first, second] = [await waiting(), await waiting()]
  await live.service.stop()
  const other = await startLive(t, chain, { BURSAR_SETTLEMENT: 'test' }, folder)
  const refused = await decide(other, first, 'APPROVED')
  t.like(refused, { status: 400, body: { code: 'INVALID_STATUS' } })
  t.regex(refused.body.error!, /requested in live settlement/)
  t.is((await status(other.client, payer.key, first.requestId)).body.status, 'REQUIRES_APPROVAL')
  t.is((await decide(other, second, 'DENIED')).status, 200)
  t.is((await status(other.client, payer.key, second.requestId)).body.status, 'DENIED')
  await other.service.stop()
  const again = await startLive(t, chain, {}, folder)
  t.is(await nonceOf(chain, payer.address), 0)
  await until(async () => ((await decide(again, first, 'APPROVED')).status === 200 ? true : undefined), 'no approval')
  await settled(again, payer.key, first.requestId)
  t.is(await nonceOf(chain, payer.address), 1)
})

test('Funds of test settlement are gone from a wallet once settlement is live again', async (t) => {
  const chain = await startChain(t)
  if (!chain) return
  const folder = newFolder(t)
  const live = await startLive(t, chain, {}, folder)
  const { walletId } = await newPayer(live.client, chain)
  await live.service.stop()
  const other = await startLive(t, chain, { BURSAR_SETTLEMENT: 'test' }, folder)
  await other.client.post(`/api/wallets/${walletId}/fund`, ORGANIZATION_KEY, { amount: 500 })
  t.is((await wallet(other.client, walletId)).balance, 1_500)
  await other.service.stop()
  const again = await startLive(t, chain, {}, folder)
  t.is((await wallet(again.client, walletId)).balance, 1_000)
})
