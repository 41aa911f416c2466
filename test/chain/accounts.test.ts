// Who may sign, and with which nonce: one that nothing was signed with leaves no trace, and once the service stops
// nothing begins to be signed.
import { metaOf } from '../../src/actor/stateMeta.js'
import test, { type ExecutionContext } from 'ava'
import { charts } from '../../machines/index.js'
import { Accounts } from '../../src/chain/accounts.js'
import { TransferLoop, type TransferLoopParts } from '../../src/chain/transferLoop.js'
import type { Actor } from '../../src/actor/actor.js'
import type { Reply } from '../../src/actor/attempt.js'
import { createTurns } from '../../src/actor/turn.js'
import type { OutsideCall } from '../../src/domain/payment/settlement.js'
import { EmbeddedHost } from '../../src/host/embedded.js'
import { openBare } from '../support/commands.js'

const ACCOUNT = { organization: 'o1', chainId: '31337', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }

function newAccounts(t: ExecutionContext): Accounts {
  return new Accounts(new EmbeddedHost(charts, openBare(t).store, { hotActors: 10 }), () => 1)
}

test('A nonce that nothing was signed with is given out again, whatever the node said meanwhile', async (t) => {
  const accounts = newAccounts(t)
  const given: number[] = []
  for (const floor of [3, 1000, 3, 4]) {
    await accounts.signing(
      ACCOUNT,
      'payment/p1',
      async () => floor,
      async (nonce) => given.push(nonce),
    )
  }
  t.deepEqual(given, [3, 1000, 3, 4])
})

test('An account that an older version stored frees its nonce as it is', (t) => {
  const take = createTurns(charts)
  const context = { ...ACCOUNT, nonce: 7, holder: 'payment/p1' }
  const stored: Actor = { ref: 'account/a1', version: 1, revision: 1, state: 'used', context }
  const free = { type: 'FREE', payment: 'payment/p1', organization: 'o1', now: 1 }
  t.like(take('account/a1', stored, undefined, free).actor.context, { nonce: 7, former: null, holder: null })
})

test('What waits its turn when the service stops is not signed, and can be asked for again', async (t) => {
  const accounts = newAccounts(t)
  const signed: string[] = []
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const signing = (payment: 'payment/p1' | 'payment/p2') =>
    accounts.signing(
      ACCOUNT,
      payment,
      () => held.then(() => 0),
      async () => void signed.push(payment),
    )
  const [first, second] = [signing('payment/p1'), signing('payment/p2')]
  accounts.close()
  release()
  await first
  await t.throwsAsync(second, { name: 'CustodyError', code: 'UNAVAILABLE' } as never)
  t.deepEqual(signed, ['payment/p1'])
})

test('A stopped settlement still sends what was signed, and leaves an unknown outcome to the next start', async (t) => {
  const states = ['signing', 'submitting', 'unknown', 'unknown']
  const calls: OutsideCall[] = []
  let isClosed = false
  const reply = (state: string): Reply<'payment'> => {
    const actor = {
      ref: 'payment/p1',
      state: `transferring.${state}`,
      version: 1,
      revision: 1,
    } as unknown as Actor<'payment'>
    return { ok: true, actor }
  }
  const parts = {
    accounts: { close: () => (isClosed = true) },
    outgoing: { start: () => {}, stop: async () => {} },
    settler: {
      answer: async (_: unknown, call: OutsideCall) => {
        calls.push(call)
        if (call === 'sign') void settlement.stop()
        return reply(states[calls.length]!)
      },
    },
    metaOf: (payment: Actor) => metaOf(charts.payment.machine, payment.state),
  }
  const settlement = new TransferLoop(parts as unknown as TransferLoopParts)
  const ended = await settlement.carryOut(
    'payment/p1',
    async () => reply('signing'),
    async () => undefined,
  )
  t.is(ended?.actor.state, 'transferring.unknown')
  t.deepEqual(calls, ['sign', 'broadcast'])
  t.true(isClosed)
})
