// The same payment with the SDK, which retries, reads the status after a lost answer, and pays only once.
//   BURSAR_URL=http://127.0.0.1:3000 BURSAR_AGENT_KEY=service_agent_… node examples/sdk.mjs order-17
import { Bursar, BursarError } from 'bursar/sdk'

const { BURSAR_URL = 'http://127.0.0.1:3000', BURSAR_AGENT_KEY } = process.env
const bursar = new Bursar({ apiKey: BURSAR_AGENT_KEY, baseUrl: BURSAR_URL })
const order = process.argv[2] ?? crypto.randomUUID()

try {
  const paid = await bursar.payments.pay({
    amount: '12.50',
    recipientAddress: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
    purpose: `Order ${order}`,
    paymentKey: order,
  })
  console.log(`${paid.status}: ${paid.amount} ${paid.currency} to ${paid.recipientAddress}`)
  for await (const payment of bursar.payments.list()) {
    console.log(`${payment.requestId} ${payment.status} ${payment.amount} ${payment.currency}`)
  }
} catch (error) {
  if (!(error instanceof BursarError)) throw error
  console.log(`${error.code}: ${error.message}`)
  process.exitCode = 1
}
