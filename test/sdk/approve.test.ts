// Leave to pay from a wallet of one's own comes with its token, whatever the network does.
import test from 'ava'
import { Bursar, type Permit } from '../../sdk/index.js'
import { start, type Started } from '../interface/started.js'
import { wholeFile } from '../service/service.js'
import { fundedAgent, RECIPIENT } from '../service/setup.js'

const scope = wholeFile(test)
let service: Started
test.before('the service starts', async () => {
  service = await start(scope)
})

let made = 0
const hex = (digits: number): string => `0x${String(++made).padStart(digits, '0')}`

interface Payer {
  key: string
  /** The body of a payment from the agent's own wallet. */
  wanted: { amount: number; recipientAddress: string; senderAddress: string; chainId: string }
}

async function newPayer(): Promise<Payer> {
  const [senderAddress, chainId] = [hex(40), '84532']
  const wallet = { custodyType: 'EXTERNAL', address: senderAddress, chainId }
  const { key } = await fundedAgent(service.client, { name: `Agent ${senderAddress}`, balance: 100, wallet })
  return { key, wanted: { amount: 7, recipientAddress: RECIPIENT, senderAddress, chainId } }
}

const paymentsOf = ({ key }: Payer, baseUrl: string, more: object = {}): Bursar['payments'] =>
  new Bursar({ apiKey: key, baseUrl, ...more }).payments

/** Pays what the permit allows, which takes its token. */
async function confirmed(payer: Payer, { approvalId, approvalToken }: Permit): Promise<string> {
  const paid = { txHash: hex(64), approvalToken: approvalToken! }
  return (await paymentsOf(payer, service.url).confirm(approvalId!, paid)).requestId
}

test('With a key of its own in the body, leave is asked for under that key', async (t) => {
  const payer = await newPayer()
  const payments = paymentsOf(payer, service.url)
  const permit = await payments.approve({ ...payer.wanted, idempotencyKey: 'order-1' })
  t.true(permit.approved)
  const found = await payments.list({ idempotencyKey: 'order-1' })
  t.deepEqual(found.payments.map(({ requestId }) => requestId), [permit.requestId])
  t.is(await confirmed(payer, permit), permit.requestId)
})
