// The fixture of payment tests: an agent with a funded wallet, a delegation that is open on all days, and a key.
import type { Decision, Delegation, Execution, MintedKey, Payment, Wallet, WholeAgent } from '../../sdk/api.js'
import type { Client } from './client.js'
import { ORGANIZATION_KEY } from './process.js'

export type { Decision, Delegation, Execution, Payment, Wallet } from '../../sdk/api.js'
export type Agent = WholeAgent
export type Key = MintedKey & { key: string }

export const EVERY_DAY = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
export const RECIPIENT = '0x00000000000000000000000000000000000000a1'

/** The answer to an administrator's POST, which must succeed. */
export async function made<Body>(client: Client, path: string, body: unknown, key = ORGANIZATION_KEY): Promise<Body> {
  const answer = await client.post<Body>(path, key, body)
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export interface FundedAgent {
  agentId: string
  walletId: string
  delegationId: string
  key: string
  /** Of its organization. */
  organizationKey: string
}

export interface FundedAgentOptions {
  name?: string
  balance?: number
  wallet?: object
  /** Fields of the delegation; by default none of its limits matters. */
  terms?: object
  agent?: object
  organizationKey?: string
}

export const OPEN = { spendLimitPerTx: 1_000_000, spendLimitDaily: null, allowedDays: EVERY_DAY }

export async function fundedAgent(client: Client, options: FundedAgentOptions = {}): Promise<FundedAgent> {
  const { name = 'Buyer', balance = 10_000, wallet, terms, agent, organizationKey = ORGANIZATION_KEY } = options
  const make = <Body>(path: string, body: object): Promise<Body> => made<Body>(client, path, body, organizationKey)
  const { id: agentId } = await make<Agent>('/api/agents', { name, agentType: 'CUSTOM', ...agent })
  const newWallet = { name: `Wallet of ${name}`, custodyType: 'MANAGED', ...wallet }
  const { id: walletId } = await make<Wallet>('/api/wallets', newWallet)
  if (balance > 0) await make(`/api/wallets/${walletId}/fund`, { amount: balance })
  const delegated = await make<Delegation>(`/api/agents/${agentId}/wallets`, { walletId, ...OPEN, ...terms })
  const { key } = await make<Key>(`/api/agents/${agentId}/sdk-keys`, { name: 'Key' })
  return { agentId, walletId, delegationId: delegated.id, key, organizationKey }
}

/** Requests a payment; `more` overrides fields of the body. */
export function ask(client: Client, key: string, amount: unknown, more: object = {}) {
  return client.post<Decision>('/api/sdk/payments/request', key, { amount, recipientAddress: RECIPIENT, ...more })
}

export function execute(client: Client, key: string, requestId: string) {
  return client.post<Execution>(`/api/sdk/payments/${requestId}/execute`, key)
}

export function status(client: Client, key: string, requestId: string) {
  return client.get<Payment>(`/api/sdk/payments/${requestId}`, key)
}

export async function delegationOf(client: Client, { agentId, delegationId }: FundedAgent): Promise<Delegation> {
  const { body } = await client.get<Agent>(`/api/agents/${agentId}`, ORGANIZATION_KEY)
  return body.wallets!.find(({ id }) => id === delegationId)!
}

export async function balanceOf(client: Client, { walletId }: FundedAgent): Promise<number> {
  return (await client.get<Wallet>(`/api/wallets/${walletId}`, ORGANIZATION_KEY)).body.balance
}
