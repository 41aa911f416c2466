// A seller and a facilitator of x402 as the protocol's own packages make them, on a local chain; and its clients.
import { once } from 'node:events'
import { createServer } from 'node:http'
import express from 'express'
import { createWalletClient, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { x402Client } from '@x402/core/client'
import { x402Facilitator } from '@x402/core/facilitator'
import { x402HTTPClient } from '@x402/core/http'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import { wrapFetchWithPayment } from '@x402/fetch'

const NETWORK = 'eip155:31337'
/** An account that the local chain has given coins. */
const FACILITATOR_KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a'

async function listening(handler) {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${server.address().port}`, stop }
}

/** Verifies and settles on the chain; `isSilent` keeps it from answering settlements, which it makes or leaves. */
async function startFacilitator(rpcUrl) {
  const account = privateKeyToAccount(FACILITATOR_KEY)
  const transport = http(rpcUrl)
  const wallet = createWalletClient({ account, chain: foundry, transport }).extend(publicActions)
  const facilitator = new x402Facilitator()
  registerExactEvmScheme(facilitator, {
    signer: toFacilitatorEvmSigner({ address: account.address, ...withAddress(wallet) }),
    networks: NETWORK,
  })
  const state = { is: 'answering', settled: [] }
  const app = express().use(express.json())
  app.get('/supported', (_, response) => response.json(facilitator.getSupported()))
  app.post('/verify', async ({ body }, response) => {
    response.json(await facilitator.verify(body.paymentPayload, body.paymentRequirements))
  })
  app.post('/settle', async ({ body }, response) => {
    if (state.is === 'gone') return
    const said = await facilitator.settle(body.paymentPayload, body.paymentRequirements)
    state.settled.push(said)
    if (state.is === 'answering') response.json(said)
  })
  return { ...(await listening(app)), state }
}

/** The methods of the client that a facilitator's signer has. */
function withAddress(wallet) {
  const names = [
    'readContract',
    'verifyTypedData',
    'writeContract',
    'sendTransaction',
    'waitForTransactionReceipt',
    'getCode',
  ]
  return Object.fromEntries(names.map((name) => [name, (given) => wallet[name](given)]))
}

/** Sells `GET /report` for so many USDC; `served` counts what was given. */
export async function startSeller({ rpcUrl, asset, payTo, price }) {
  const facilitator = await startFacilitator(rpcUrl)
  const resources = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator.url, timeoutMs: 2_000 }))
  resources.register(NETWORK, new ExactEvmScheme())
  const amount = String(Math.round(price * 1_000_000))
  const cost = { amount, asset, extra: { name: 'USD Coin', version: '2' } }
  const accepts = { scheme: 'exact', network: NETWORK, payTo, price: cost, maxTimeoutSeconds: 120 }
  const app = express()
  const seen = { asked: 0, served: 0 }
  app.use((_request, _response, next) => {
    seen.asked += 1
    next()
  })
  app.use(
    paymentMiddleware({ 'GET /report': { accepts, description: 'A report', mimeType: 'application/json' } }, resources),
  )
  app.get('/report', (_, response) => {
    seen.served += 1
    response.json({ report: 'Paid for' })
  })
  const seller = await listening(app)
  const stop = async () => {
    await seller.stop()
    await facilitator.stop()
  }
  return { url: `${seller.url}/report`, seen, facilitator: facilitator.state, stop }
}

/** The official client, which leaves it to `authorize` to make the payment of an offer. */
export function clientPayingBy(authorize) {
  const scheme = {
    scheme: 'exact',
    createPaymentPayload: async (x402Version, requirements) => ({
      x402Version,
      payload: await authorize(requirements),
    }),
  }
  const schemes = [{ network: NETWORK, client: scheme }]
  const client = x402Client.fromConfig({ schemes, spendControls: { allowedAssets: true } })
  return { fetch: wrapFetchWithPayment(fetch, client), http: new x402HTTPClient(client) }
}
