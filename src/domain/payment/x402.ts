// Payments by x402: what a server offers under HTTP 402, and the transfer of EIP-3009 that its buyer signs. Version 2 of
// the protocol, scheme `exact` on EVM chains.
import type { Json } from '../values/canonical.js'
import { CHAINS } from '../values/chains.js'
import { sha256Hex } from '../values/digest.js'

export const X402_VERSION = 2
export const X402_SCHEME = 'exact'
/** Chains on which test settlement signs: nothing there is of value. */
export const X402_TEST_CHAINS: readonly string[] = ['84532', '31337']

/** The longest that a signature may be used. */
export const LONGEST_VALIDITY_S = 300
/** How far a chain's clock may be behind the service's: a signature is not valid in earlier blocks. */
export const CLOCKS_DIFFER_S = 600

/** What an agent says that it pays for. */
export type Resource = {
  /** Lower case, punycode, without port and trailing dot. */
  host: string
  path: string
  method: string
}

/** One way to pay that a server accepts, as it wrote it: a signed payment repeats it word for word. */
export type Offer = {
  scheme: string
  /** `eip155:8453` */
  network: string
  /** Of the asset, in its smallest unit. */
  amount: string
  asset: string
  payTo: string
  /** Seconds. */
  maxTimeoutSeconds: number
  extra?: Json
}

/** The part of a payment's terms that only a payment by x402 has. */
export type X402Terms = Resource & { offer: Offer }

export function x402Network(chainId: string): string {
  return `eip155:${chainId}`
}

/** Undefined for a network of another family. */
export function chainIdOf(network: string): string | undefined {
  return /^eip155:([1-9][0-9]{0,15})$/.exec(network)?.[1]
}

/** The hosts of a list that cover a host: itself, and `*.` with each domain above it. */
export function hostScopes(host: string): string[] {
  const labels = host.split('.')
  return host === '' ? [] : [host, ...labels.slice(1).map((_, at) => `*.${labels.slice(at + 1).join('.')}`)]
}

/** The widest of the entries that cover the host; undefined where none does. */
export function widestScope(host: string, entries: ReadonlySet<string>): string | undefined {
  return hostScopes(host).findLast((scope) => entries.has(scope))
}

/** The part of a host that an owner has most likely registered: its last two labels. */
export function registeredPart(host: string): string {
  return host.split('.').slice(-2).join('.')
}

/** A transfer with authorization, as EIP-3009 has it and EIP-712 signs it. Numbers are decimal text, as in JSON. */
export interface Authorization {
  from: string
  to: string
  value: string
  validAfter: string
  /** Epoch seconds. */
  validBefore: string
  /** 32 bytes in hex. */
  nonce: string
}

/** Typed data of EIP-712, in JSON. */
export interface TypedData {
  domain: { name: string; version: string; chainId: number; verifyingContract: string }
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: 'TransferWithAuthorization'
  message: Authorization
}

/** The nonce of a payment: the same whenever it is signed, and no other payment's. */
export function nonceOf(paymentId: string): string {
  return `0x${sha256Hex(`x402 nonce ${paymentId}`)}`
}

/** Names an authorization that the chain has used, for ever and in the whole installation. */
export function authorizationKey(nonce: string): string {
  return `x402 authorization ${nonce}`
}

const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** A payment, as far as its authorization says it. */
export interface Authorized {
  id: string
  amount: number
  asset: string
  recipientAddress: string
  wallet: { address: string; chainId: string }
  /** Epoch ms. */
  validBefore: number
}

/** What is signed for a payment. INVARIANT: it follows from what is stored alone, so that signing again changes nothing. */
export function typedDataOf({ id, amount, asset, recipientAddress, wallet, validBefore }: Authorized): TypedData {
  // By the service's own table: a server could name a token that is not the chain's.
  const { tokenName, tokenVersion } = CHAINS[wallet.chainId]!
  return {
    domain: {
      name: tokenName!,
      version: tokenVersion!,
      chainId: Number(wallet.chainId),
      verifyingContract: asset,
    },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: wallet.address,
      to: recipientAddress,
      value: String(amount),
      validAfter: String(Math.floor(validBefore / 1_000) - LONGEST_VALIDITY_S - CLOCKS_DIFFER_S),
      validBefore: String(Math.floor(validBefore / 1_000)),
      nonce: nonceOf(id),
    },
  }
}

/** The body of the header `PAYMENT-SIGNATURE`. */
export interface PaymentPayload {
  x402Version: typeof X402_VERSION
  accepted: Offer
  payload: { signature: string; authorization: Authorization }
}

export function paymentPayload(accepted: Offer, { message }: TypedData, signature: string): PaymentPayload {
  return { x402Version: X402_VERSION, accepted, payload: { signature, authorization: message } }
}
