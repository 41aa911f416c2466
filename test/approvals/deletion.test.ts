// Deleting an agent while it gets a permit to pay: only one of the two happens, however they interleave.
import { setImmediate as turn } from 'node:timers/promises'
import test from 'ava'
import { deleteAgent } from '../../src/commands/agents.js'
import type { Done } from '../../src/commands/ask.js'
import { permitPayment } from '../../src/commands/externalPayments.js'
import { requestPayment } from '../../src/commands/request.js'
import { createWallet, fundWallet } from '../../src/commands/wallets.js'
import type { Refused } from '../../src/domain/refusal.js'
import { addressOf, done, newOrganization, openBare, randomAddress } from '../interface/bare.js'

/** Turns of the event loop by which the permit is asked for before (below zero) or after the deletion. */
const DISTANCES = [-Infinity, ...Array.from({ length: 41 }, (_, index) => index - 20), Infinity]

/** After that many turns; after infinitely many, `other` is over. */
async function later<T>(turns: number, other: () => Promise<unknown>, act: () => Promise<T>): Promise<T> {
  for (let left = turns; left > 0 && left < Infinity; left -= 1) await turn()
  if (turns === Infinity) await turn().then(other)
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
    const paymentId = String(actor.context['id'])
    const removing: Promise<Done | Refused> = later(
      -distance,
      () => permitting,
      () => deleteAgent(services, admin, id),
    )
    const permitting: Promise<Done | Refused> = later(
      distance,
      () => removing,
      () => permitPayment(services, caller, paymentId),
    )
    const [removed, given] = await Promise.all([removing, permitting])
    const isPermitted = given.ok && given.actor.state === 'permitted'
    t.not(removed.ok, isPermitted, `at ${distance}: ${JSON.stringify([removed, given])}`)
    outcomes.push(isPermitted ? 'permit' : 'deletion')
  }
  t.deepEqual([outcomes.at(0), outcomes.at(-1)], ['permit', 'deletion'])
})
