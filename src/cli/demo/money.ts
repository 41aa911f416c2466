// The demo's two kinds of money: simulated by the service, or on a local chain with real transfers, each shown with its
// hash and followed until it is confirmed.
import type { DemoAgent } from './demoAgent.js'
import { LOCAL_CHAIN_ID, type LocalChain } from './localChain.js'
import type { Payment, Transaction, Wallet } from './records.js'
import type { Screen } from './screen.js'
import type { Client } from './stage.js'
import { expectEqual, expectStatus } from './expect.js'

export interface Money {
  /** Settings of the service. */
  settings: { [name: string]: string }
  /** Further fields of the wallet, beside its name and custody. */
  chain: { chainId?: string }
  where: string
  /** Gives the wallet tokens; resolves to its new balance. */
  fund(organization: Client, wallet: Wallet, amount: number): Promise<number>
  /** Follows the executed payment and shows its settlement. */
  follow(agent: DemoAgent, payment: Payment, screen: Screen): Promise<void>
}

export const simulatedMoney: Money = {
  settings: {},
  chain: {},
  where: 'in test settlement',
  fund: async (organization, { id }, amount) => {
    const funding = await organization.post<Wallet>(`/api/wallets/${id}/fund`, { amount })
    return expectStatus('funding', funding, 200).balance
  },
  follow: async () => {},
}

const MICROS = 1_000_000
const TIMEOUT_MS = 20_000
const PAUSE_MS = 100

export function moneyOn(chain: LocalChain): Money {
  return {
    settings: chain.settings,
    chain: { chainId: LOCAL_CHAIN_ID },
    where: 'on a local chain',
    fund: async (organization, { id, address }, amount) => {
      await chain.fund(address, amount * MICROS)
      // Mined to confirmation depth.
      await chain.mine(1)
      return expectStatus('the wallet', await organization.get<Wallet>(`/api/wallets/${id}`), 200).balance
    },
    follow: async (agent, payment, screen) => {
      const { txHash, status } = await confirmed(agent, payment, chain)
      screen.fact('transfer', txHash ?? '', status)
    },
  }
}

async function confirmed(agent: DemoAgent, payment: Payment, chain: LocalChain): Promise<Transaction> {
  const end = Date.now() + TIMEOUT_MS
  for (;;) {
    const { transaction } = await agent.status(payment)
    if (transaction?.status === 'CONFIRMED') return transaction
    if (Date.now() > end) expectEqual('the transfer', transaction?.status, 'CONFIRMED')
    await chain.mine(1)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
