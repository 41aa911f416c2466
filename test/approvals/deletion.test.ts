// Deleting an agent while it gets a permit to pay: only one of the two happens, however they interleave.
import { setImmediate as turn } from 'node:timers/promises'
import test from 'ava'
import { deleteAgent } from '../../src/commands/agents.js'
import { permitPayment } from '../../src/commands/externalPayments.js'
import { requestPayment } from '../../src/commands/request.js'
import { createWallet, fundWallet } from '../../src/commands/wallets.js'
import { addressOf, done, newOrganization, openBare, randomAddress } from '../interface/bare.js'

/** Turns of the event loop by which the permit is asked for before (below zero) or after the deletion. */
const DISTANCES = Array.from({ length: 41 }, (_, index) => index - 20)

async function later<T>(turns: number, act: () => Promise<T>): Promise<T> {
  for (let left = turns; left > 0; left -= 1) await turn()
  return act()
}

test('an agent is deleted or gets a permit, never both, however close they are', async (t) => {
  const bare = openBare(t)
  const { services } = bare
  const { admin, agent, delegate } = await newOrganization(bare)
  const outcomes: string[] = []
  for (const distance of DISTANCES) {
    const { id, caller } = await agent()
    const place = { chainType: 'EVM', address: addressOf(randomAddress()), walletType: 'EOA' } as const
    const wallet = done(await createWallet(services, admin, { name: 'Theirs', custodyType: 'EXTERNAL', ...place }))
    const walletId = String(wallet.actor.context['id'])
    done(await fundWallet(services, admin, walletId, 100))
    await delegate(id, walletId, {
      delegationType: 'FULL',
      allowedDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
    })
    const recipientAddress = addressOf(randomAddress())
    const wanted = { amount: 5, recipientAddress, urgency: 'NORMAL', autoExecute: false } as const
    const { actor } = done(await requestPayment(services, caller, wanted))
    t.is(actor.state, 'approved')
    const [removed, given] = await Promise.all([
      later(-distance, () => deleteAgent(services, admin, id)),
      later(distance, () => permitPayment(services, caller, String(actor.context['id']))),
    ])
    const isPermitted = given.ok && given.actor.state === 'permitted'
    t.not(removed.ok, isPermitted, `at ${distance}: ${JSON.stringify([removed, given])}`)
    outcomes.push(isPermitted ? 'permit' : 'deletion')
  }
  const permits = outcomes.filter((outcome) => outcome === 'permit').length
  t.log(`${permits} of ${outcomes.length} got the permit`)
})
