// Sets up the demo's agent with a wallet, limits and a key, all through the public API.
import type { Money } from './money.js'
import type { Delegation, MintedKey, Named, Payment, Wallet } from './records.js'
import type { Screen } from './screen.js'
import type { Client, Stage } from './stage.js'
import { expectEqual, expectStatus } from './expect.js'

const EVERY_DAY = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const RECIPIENT = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

export class DemoAgent {
  private constructor(
    readonly organization: Client,
    readonly agent: Client,
    readonly agentId: string,
    readonly walletId: string,
  ) {}

  static async setUp(stage: Stage, money: Money, screen: Screen): Promise<DemoAgent> {
    const organization = stage.client(stage.firstKey)
    const agentId = await registerAgent(organization, screen)
    const walletId = await fundWallet(organization, money, screen)
    await delegate(organization, screen, agentId, walletId)
    const key = await handOutKey(organization, screen, agentId)
    return new DemoAgent(organization, stage.client(key), agentId, walletId)
  }

  async request(amount: number, purpose: string): Promise<Payment> {
    const wish = { amount, recipientAddress: RECIPIENT, recipientName: 'Compute Ltd', purpose }
    return expectStatus('a request', await this.agent.post<Payment>('/api/sdk/payments/request', wish), 200)
  }

  /** The full current record of the payment. */
  async status({ requestId }: Payment): Promise<Payment> {
    return expectStatus('a status', await this.agent.get<Payment>(`/api/sdk/payments/${requestId}`), 200)
  }

  async delegation(): Promise<Delegation> {
    const path = `/api/agents/${this.agentId}/wallets`
    return expectStatus('the delegations', await this.organization.get<{ wallets: Delegation[] }>(path), 200)
      .wallets[0]!
  }

  async balance(): Promise<number> {
    const answer = await this.organization.get<Wallet>(`/api/wallets/${this.walletId}`)
    return expectStatus('the wallet', answer, 200).balance
  }
}

async function registerAgent(organization: Client, screen: Screen): Promise<string> {
  const wanted = { name: 'research-agent', agentType: 'CUSTOM' }
  const agent = expectStatus('registering', await organization.post<Named>('/api/agents', wanted), 201)
  expectEqual('the new agent', agent.status, 'ACTIVE')
  screen.fact('agent', wanted.name, agent.status)
  return agent.id
}

async function fundWallet(organization: Client, money: Money, screen: Screen): Promise<string> {
  const wanted = { name: 'operations', custodyType: 'MANAGED', ...money.chain }
  const wallet = expectStatus('creating a wallet', await organization.post<Wallet>('/api/wallets', wanted), 201)
  const balance = await money.fund(organization, wallet, 1000)
  expectEqual('the balance', balance, 1000)
  screen.fact('wallet', `${wanted.name}, ${balance} USDC ${money.where}`, wallet.status)
  return wallet.id
}

async function delegate(organization: Client, screen: Screen, agentId: string, walletId: string): Promise<void> {
  const limits = { spendLimitPerTx: 100, spendLimitDaily: 250 }
  const terms = { walletId, ...limits, allowedDays: EVERY_DAY, timezone: zoneFarFromMidnight() }
  const answer = await organization.post<Delegation>(`/api/agents/${agentId}/wallets`, terms)
  const { delegationType, status } = expectStatus('delegating', answer, 201)
  screen.fact('delegation', `${delegationType}: 100 USDC a payment, 250 a day`, status)
}

/** A time zone in which midnight, which resets the day's sums, does not fall into the demo. */
function zoneFarFromMidnight(): string {
  return new Date().getUTCHours() === 23 ? 'Asia/Tokyo' : 'UTC'
}

async function handOutKey(organization: Client, screen: Screen, agentId: string): Promise<string> {
  const answer = await organization.post<MintedKey>(`/api/agents/${agentId}/sdk-keys`, { name: 'demo' })
  const { key, keyPrefix, scopes } = expectStatus('creating a key', answer, 201)
  screen.fact('key', `${keyPrefix}… with ${scopes.length} scopes, shown once`)
  return key
}
