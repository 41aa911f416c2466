// The setup of the live settlement tests: a chain of their own, a service that settles on it, and agents with funded
// wallets there. Where anvil cannot be started, tests report that they were not run.
import type { ExecutionContext } from 'ava'
import { LOCAL_CHAIN_ID, LocalChain, NoChain } from '../../src/cli/demo/localChain.js'
import { notRun } from './notRun.js'
import { newClient, type Client } from './client.js'
import { newFolder, ORGANIZATION_KEY, startService, type Scope, type Service } from './process.js'
import { ask, EVERY_DAY, made, status, type Agent, type Key, type Payment, type Wallet } from './payments.js'

export const MICROS = 1_000_000

/** A chain for the test, or for a longer scope. Undefined, with the test reported as not run, if none can start. */
export async function startChain(
  t: ExecutionContext,
  options?: readonly string[],
  scope: Scope = t,
): Promise<LocalChain | undefined> {
  try {
    const chain = await LocalChain.start(options)
    scope.teardown(() => chain.stop())
    return chain
  } catch (error) {
    if (!(error instanceof NoChain)) throw error
    notRun(t, `a local chain (${error.message})`)
    return undefined
  }
}

export interface Live {
  chain: LocalChain
  service: Service
  client: Client
}

export async function startLive(
  t: Scope,
  chain: LocalChain,
  env: { [name: string]: string } = {},
  folder = newFolder(t),
): Promise<Live> {
  const service = await startService(t, folder, { env: { ...chain.settings, ...env } })
  return { chain, service, client: newClient(t, service.url) }
}

export interface Payer {
  agentId: string
  walletId: string
  address: string
  key: string
}

export interface PayerOptions {
  name?: string
  /** Tokens in the wallet. */
  balance?: number
  /** Coins for fees, wei in hex. */
  coins?: string
  wallet?: object
  terms?: object
}

const OPEN = { spendLimitPerTx: 1_000_000, spendLimitDaily: 1_000_000, allowedDays: EVERY_DAY }

/** An agent with a wallet on the local chain. */
export async function newPayer(client: Client, chain: LocalChain, options: PayerOptions = {}): Promise<Payer> {
  const { name = 'Buyer', balance = 1_000, coins, wallet, terms } = options
  const { id: agentId } = await made<Agent>(client, '/api/agents', { name, agentType: 'CUSTOM' })
  const wanted = { name: `Wallet of ${name}`, custodyType: 'MANAGED', chainId: LOCAL_CHAIN_ID, ...wallet }
  const { id: walletId, address } = await made<Wallet>(client, '/api/wallets', wanted)
  await chain.fund(address, balance * MICROS, coins)
  // A block number that was just read is reused for a moment, and shows no funds that arrived since.
  await until(async () => {
    await chain.mine(2)
    const found = await client.get<Wallet>(`/api/wallets/${walletId}`, ORGANIZATION_KEY)
    return found.body.balance >= balance || undefined
  }, `${name} is not funded`)
  await made(client, `/api/agents/${agentId}/wallets`, { walletId, ...OPEN, ...terms })
  const { key } = await made<Key>(client, `/api/agents/${agentId}/sdk-keys`, { name: 'Key' })
  return { agentId, walletId, address, key }
}

let recipients = 0

/** An address that nobody has paid yet. */
export function newRecipient(): string {
  recipients += 1
  return `0x${(0xb0b0_0000_0000 + recipients).toString(16).padStart(40, '0')}`
}

export type LivePayment = Payment & { transaction?: { txHash?: string } }

/** Requests a payment that must be APPROVED, and returns its id. */
export async function approved(client: Client, key: string, amount: number, recipientAddress: string): Promise<string> {
  const { body } = await ask(client, key, amount, { recipientAddress })
  if (body.status !== 'APPROVED') throw new Error(`The request was answered ${JSON.stringify(body)}`)
  return body.requestId
}

const PATIENCE_MS = 30_000
const PAUSE_MS = 25

/** Polls until something is found; throws if that takes too long. */
export async function until<Found>(
  find: () => Promise<Found | undefined>,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<Found> {
  const end = Date.now() + patienceMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`It took too long: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

/** Mines blocks until the payment's transaction has the wanted status. */
export function settled(
  { chain, client }: Pick<Live, 'chain' | 'client'>,
  key: string,
  requestId: string,
  wanted = 'CONFIRMED',
  patienceMs = PATIENCE_MS,
): Promise<LivePayment> {
  const find = async (): Promise<LivePayment | undefined> => {
    const { body } = await status(client, key, requestId)
    if (body.transaction?.status === wanted) return body as LivePayment
    await chain.mine(1)
    return undefined
  }
  return until(find, `${requestId} is not ${wanted}`, patienceMs)
}

/** Waits until the payment's transfer is SUBMITTED; mines no block, which could confirm it. */
export function submitted(client: Client, key: string, requestId: string): Promise<LivePayment> {
  return until(async () => {
    const { body } = await status(client, key, requestId)
    return body.transaction?.status === 'SUBMITTED' ? (body as LivePayment) : undefined
  }, `${requestId} is not SUBMITTED`)
}

/** The number of transactions from an address in the chain. */
export async function nonceOf(chain: LocalChain, address: string): Promise<number> {
  return Number(await chain.rpc<string>('eth_getTransactionCount', [address, 'latest']))
}

export function wallet(client: Client, walletId: string): Promise<Wallet> {
  return client.get<Wallet>(`/api/wallets/${walletId}`, ORGANIZATION_KEY).then(({ body }) => body)
}
