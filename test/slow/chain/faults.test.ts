// A node that loses calls and answers, is late, answers 502 after it took a transaction, and says "already known" or
// "nonce too low" about what is in the chain: each payment still makes exactly one transfer.
import test from 'ava'
import { Random } from '../../support/random.js'
import { again, runs, seedOr } from '../../support/depth.js'
import { newClient } from '../../support/client.js'
import { newFolder, startService } from '../../support/process.js'
import { ask, execute } from '../../support/payments.js'
import { Proxy, type Call, type Deed } from './proxy.js'
import { MICROS, newPayer, newRecipient, nonceOf, settled, startChain } from '../../support/chain.js'

/** `npm run stress` sets 200. */
const PAYMENTS = runs(20)
const SEED = seedOr(20_240_229)
const AT_ONCE = 10
/** The service waits longer after each fault, up to 15 s, and many faults may follow each other. */
const PATIENCE_MS = 120_000

/** The faults of a call that sends a transaction. */
const SENDING: Deed[] = [
  { forward: false, answer: 'nothing' },
  { answer: 'nothing' },
  { answer: { status: 502 } },
  { forward: false, answer: { status: 502 } },
  { answer: { error: 'already known' } },
  { answer: { error: 'nonce too low' } },
  { forward: false, answer: { error: 'replacement transaction underpriced' } },
]
/** The faults of any other call. */
const READING: Deed[] = [{ forward: false, answer: 'nothing' }, { answer: { status: 502 } }]

function late(random: Random): Deed {
  const delayMs = random.below(150)
  return { before: () => new Promise((resolve) => setTimeout(resolve, delayMs)) }
}

function deedOf(random: Random, { method }: Call): Deed | undefined {
  if (method === 'eth_sendRawTransaction') return random.chance(0.7) ? random.pick(SENDING) : late(random)
  if (random.chance(0.05)) return random.pick(READING)
  return random.chance(0.1) ? late(random) : undefined
}

test(`${PAYMENTS} payments through a faulty node make ${PAYMENTS} transfers (seed ${SEED})`, async (t) => {
  t.timeout(60_000 + PATIENCE_MS + PAYMENTS * 3_000)
  const chain = await startChain(t)
  if (!chain) return
  t.log(again(SEED))
  const random = new Random(SEED)
  const node = await Proxy.open(t, chain.url)
  const env = { ...chain.settings, BURSAR_RPC_31337: node.url }
  const service = await startService(t, newFolder(t), { env })
  const client = newClient(t, service.url)
  const payers = [await newPayer(client, chain, { name: 'One' }), await newPayer(client, chain, { name: 'Other' })]
  node.deed = (call) => deedOf(random, call)
  const pay = async (index: number): Promise<void> => {
    const recipientAddress = newRecipient()
    const { key } = payers[index % 2]!
    const body = { recipientAddress, idempotencyKey: `payment-${index}` }
    const { requestId } = (await ask(client, key, 1, body)).body
    // A payment that could not be signed because the node did not answer stays approved, and is executed again.
    while ((await execute(client, key, requestId)).status === 503) continue
    await settled({ chain, client }, key, requestId, 'CONFIRMED', PATIENCE_MS)
    t.is(await chain.balanceOf(recipientAddress), MICROS)
  }
  for (let first = 0; first < PAYMENTS; first += AT_ONCE) {
    const portion = Array.from({ length: Math.min(AT_ONCE, PAYMENTS - first) }, (_, index) => first + index)
    await Promise.all(portion.map(pay))
  }
  const nonces = await Promise.all(payers.map(({ address }) => nonceOf(chain, address)))
  t.is(nonces[0]! + nonces[1]!, PAYMENTS)
  t.is(
    (await chain.balanceOf(payers[0]!.address)) + (await chain.balanceOf(payers[1]!.address)),
    (2_000 - PAYMENTS) * MICROS,
  )
})
