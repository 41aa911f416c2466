// The fixture of tests of x402: what a server offers with HTTP 402, and the calls of an agent that meets it.
import type { X402Authorization, X402Settlement } from '../../sdk/api.js'
import type { Client, Failure } from './client.js'
import { RECIPIENT } from './payments.js'

/** USDC on Base Sepolia, where wallets are by default. */
export const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
export const NETWORK = 'eip155:84532'
export const URL_PAID = 'https://api.example.com/data?token=1'

export interface WrittenOffer {
  scheme: string
  network: string
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: object
}

/** `amount` in USDC. */
export function offer(amount: number, more: Partial<WrittenOffer> = {}): WrittenOffer {
  return {
    scheme: 'exact',
    network: NETWORK,
    amount: String(Math.round(amount * 1_000_000)),
    asset: USDC,
    payTo: RECIPIENT,
    maxTimeoutSeconds: 60,
    extra: { name: 'USDC', version: '2' },
    ...more,
  }
}

export function challenge(...accepts: WrittenOffer[]) {
  return { x402Version: 2, error: 'Payment required', resource: { url: URL_PAID }, accepts }
}

interface Asked {
  accepts: WrittenOffer[]
  url?: string
  paymentKey?: string
  maxAmount?: number
  walletId?: string
  paymentRequired?: unknown
}

let purchases = 0

export function authorize(client: Client, key: string, { accepts, url = URL_PAID, ...more }: Asked) {
  const paymentKey = `purchase-${(purchases += 1)}`
  const body = { paymentRequired: challenge(...accepts), resource: { url, method: 'GET' }, paymentKey, ...more }
  return client.post<X402Authorization & Failure>('/api/sdk/x402/authorize', key, body)
}

/** For so much, to the usual recipient. */
export function authorizeFor(client: Client, key: string, amount: number, more: Partial<Asked> = {}) {
  return authorize(client, key, { accepts: [offer(amount)], ...more })
}

export function settle(client: Client, key: string, { requestId }: { requestId: string }, more: object = {}) {
  const body = { paymentResponse: { success: true, transaction: '0x1', network: NETWORK }, httpStatus: 200, ...more }
  return client.post<X402Settlement & Failure>(`/api/sdk/x402/${requestId}/settle`, key, body)
}
