// Payments by x402: a server asks for them, the service signs, and the agent tells what became of the signature.
import { recent, request, type Action, type Stage } from '../stage.js'
import { keyOf, note } from './payments.js'

const ASSET = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const NETWORK = 'eip155:84532'
const url = 'https://api.example.com/data'

async function authorize(stage: Stage): Promise<void> {
  const { organization, random, world } = stage
  const agent = random.pick(organization.agents)
  const wallet = organization.delegations.find((each) => each.agent === agent && !each.wallet.isExternal)?.wallet
  if (!wallet) return
  const recipient = random.pick(organization.recipients)
  const amount = String((1 + random.below(30)) * 1_000_000)
  const rest = { maxTimeoutSeconds: 60, extra: { name: 'USDC', version: '2' } }
  const accepts = [{ scheme: 'exact', network: NETWORK, amount, asset: ASSET, payTo: recipient.address, ...rest }]
  const paymentRequired = { x402Version: 2, error: 'Payment required', resource: { url }, accepts }
  const paymentKey = `order-${random.below(8)}`
  const told = await request(stage, {
    by: keyOf(stage, agent),
    method: 'POST',
    path: '/api/sdk/x402/authorize',
    body: { paymentRequired, resource: { url, method: 'GET' }, paymentKey, walletId: wallet.id },
    needs: 'payments:execute',
    isKeyless: true,
  })
  const more = { rail: 'x402', agent, recipient, wallet, card: undefined, paymentKey, at: world.now } as const
  note(organization, told.body, () => more)
}

async function settle(stage: Stage): Promise<void> {
  const { organization, random } = stage
  const payment = recent(
    stage,
    organization.payments.filter(({ rail }) => rail === 'x402'),
  )
  if (!payment) return
  const path = `/api/sdk/x402/${payment.id}/settle`
  const said = random.pick([true, true, false])
  const body = { paymentResponse: { success: said, network: NETWORK }, httpStatus: said ? 200 : 402 }
  const by = keyOf(stage, payment.agent)
  const told = await request(stage, { by, method: 'POST', path, body, needs: 'payments:execute' })
  if (told.status < 300) note(organization, told.body, () => payment)
}

export const x402: Action[] = [
  { name: 'authorize by x402', share: 6, act: authorize },
  { name: 'settle by x402', share: 5, act: settle },
]
