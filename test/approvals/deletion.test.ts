// Deleting an agent that gets a permit to pay right before a command of the deletion: it is not deleted.
import test from 'ava'
import { deleteAgent } from '../../src/commands/agents.js'
import { permitPayment } from '../../src/commands/externalPayments.js'
import { requestPayment } from '../../src/commands/request.js'
import { createWallet, fundWallet } from '../../src/commands/wallets.js'
import { WEEKDAYS } from '../../src/domain/zone.js'
import { addressOf, done, newOrganization, openBare, randomAddress } from '../interface/bare.js'
import { interrupted } from '../policies/late.js'

test('an agent that got a permit while it was being deleted is not deleted', async (t) => {
  const bare = openBare(t)
  const { services } = bare
  const { admin, agent, delegate } = await newOrganization(bare)
  const { id, caller } = await agent()
  const place = { chainType: 'EVM', address: addressOf(randomAddress()), walletType: 'EOA' } as const
  const wallet = done(await createWallet(services, admin, { name: 'Theirs', custodyType: 'EXTERNAL', ...place }))
  const walletId = String(wallet.actor.context['id'])
  done(await fundWallet(services, admin, walletId, 100))
  await delegate(id, walletId, { delegationType: 'FULL', allowedDays: [...WEEKDAYS] })
  const recipientAddress = addressOf(randomAddress())
  const wanted = { amount: 5, recipientAddress, urgency: 'NORMAL', autoExecute: false } as const
  const { actor } = done(await requestPayment(services, caller, wanted))
  const permitted = async (): Promise<void> => {
    const given = done(await permitPayment(services, caller, String(actor.context['id'])))
    t.is(given.actor.state, 'permitted')
  }
  const removed = await deleteAgent(interrupted(services, 'agent DELETE', permitted), admin, id)
  t.like(removed, { ok: false, refusal: { code: 'INVALID_STATUS' } })
  t.is(services.host.peek(`agent/${id}`)!.state, 'registered.active')
})
