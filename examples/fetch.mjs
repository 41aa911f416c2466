// A payment with plain fetch: request it with `autoExecute`, and read the decision.
//   BURSAR_URL=http://127.0.0.1:3000 BURSAR_AGENT_KEY=service_agent_… node examples/fetch.mjs order-17
const { BURSAR_URL = 'http://127.0.0.1:3000', BURSAR_AGENT_KEY } = process.env

async function post(path, body) {
  const response = await fetch(BURSAR_URL + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${BURSAR_AGENT_KEY}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${answer.code}: ${answer.error}`)
  return answer
}

// The purchase is named by the order, so running this again for it, after a crash or a denial, pays only once.
const order = process.argv[2] ?? crypto.randomUUID()
const decision = await post('/api/sdk/payments/request', {
  amount: '12.50',
  recipientAddress: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  purpose: `Order ${order}`,
  paymentKey: order,
  autoExecute: true,
})

if (decision.status === 'EXECUTED') {
  console.log(`${decision.status}: ${decision.amount} ${decision.currency} to ${decision.recipientAddress}`)
} else {
  const { error } = decision.autoExecuteError ?? {}
  console.log(`${decision.status}: ${[...decision.reasons, ...(error ? [error] : [])].join('; ')}`)
  for (const step of decision.context?.nextSteps ?? []) console.log(`- ${step}`)
}
