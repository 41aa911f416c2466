// OAuth: what a client was granted, and the tokens that it has of that. Only keyed hashes of tokens are stored.
import { base64urlnopad, hex } from '@scure/base'
import type { AgentScope } from './scopes.js'

/** What every client may do that was granted anything: ask, and read. */
const BASIC_SCOPES: readonly AgentScope[] = [
  'payments:request',
  'payments:read',
  'wallets:read',
  'transactions:read',
  'policies:read',
  'counterparties:read',
  'network:read',
]

/** All that can be granted. Scopes for agents that sign or charge by themselves are not among it. */
export const OAUTH_SCOPES: readonly AgentScope[] = [...BASIC_SCOPES, 'payments:execute']

export function grantedScopes(mayExecute: boolean): readonly AgentScope[] {
  return mayExecute ? OAUTH_SCOPES : BASIC_SCOPES
}

const OWN_MACHINE = /^(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?$/

export function isOwnMachine(host: string): boolean {
  return OWN_MACHINE.test(host)
}

/** The host of a redirect is that of the other, but for the port at a person's own machine, where programs take a free one. */
export function isSamePlace(one: string, other: string): boolean {
  const [place, otherPlace] = [one, other].map((host) => OWN_MACHINE.exec(host)?.[1] ?? host)
  return place === otherPlace
}

const MINUTE_MS = 60_000
/** Of a registration without a grant, of a request without a consent, and of a consent without a code. */
export const UNUSED_MS = 60 * MINUTE_MS
export const CODE_SECONDS = 60
export const ACCESS_SECONDS = 60 * 60
/** Counted from each refresh. */
export const REFRESH_SECONDS = 30 * 24 * 60 * 60

/** The only audience of tokens. */
export function mcpResource(publicUrl: string): string {
  return `${publicUrl}/mcp`
}

/** Where clients read who issues tokens for that. */
export function resourceMetadataUrl(publicUrl: string): string {
  return `${publicUrl}/.well-known/oauth-protected-resource/mcp`
}

export interface OAuthToken {
  use: 'CODE' | 'ACCESS' | 'REFRESH'
  /** HMAC-SHA256 of the token, hex. */
  hash: string
  /** Epoch ms, and below. */
  issuedAt: number
  expiresAt: number
  isConsumed: boolean
  /** Of a code: where it was sent, and the S256 challenge that its verifier must meet. */
  redirectUri?: string
  challenge?: string
  /** Of a code: the hash of what all refresh tokens of its grant begin with. */
  family?: string
}

/** What a key of type OAUTH is beside a key. */
export interface OAuthGrant {
  /** SHA-256 of the client's id, hex: the id itself may be long. */
  client: string
  /** Where the person saw that codes are sent. */
  redirectHost: string
  /** The audience, as the service was called when it was granted. */
  resource: string
  tokens: OAuthToken[]
}

/** How much of a refresh token it shares with all others of its grant: 128 bits, and the rest has as many again. */
const FAMILY_CHARACTERS = 22

/** The same of a grant, from a keyed hash that names it. */
export function familyFrom(hash: string): string {
  return familyOf(base64urlnopad.encode(hex.decode(hash)))
}

/** What is the same in all refresh tokens of a grant, and secret: by it one is known again that is kept no more. */
export function familyOf(refreshToken: string): string {
  return refreshToken.slice(0, FAMILY_CHARACTERS)
}

/** Of each use. */
const MOST_TOKENS = 8

/** The code stays, so that it is known whenever it is used again. */
export function withToken(tokens: readonly OAuthToken[], token: OAuthToken, now: number): OAuthToken[] {
  const kept = [...tokens.filter(({ use, expiresAt }) => use === 'CODE' || expiresAt > now), token]
  return (['CODE', 'ACCESS', 'REFRESH'] as const).flatMap((use) => {
    return kept.filter((one) => one.use === use).slice(-MOST_TOKENS)
  })
}

export function withConsumed(tokens: readonly OAuthToken[], hash: string): OAuthToken[] {
  return tokens.map((token) => (token.hash === hash ? { ...token, isConsumed: true } : token))
}

/** True for a token that was not used, and may be. */
export function isUsable({ isConsumed, expiresAt }: OAuthToken, now: number): boolean {
  return !isConsumed && expiresAt > now
}

/** When the last of the tokens ends that open something, or lead to one that does. */
export function lastEnd(tokens: readonly OAuthToken[]): number {
  return Math.max(...tokens.filter(({ isConsumed }) => !isConsumed).map(({ expiresAt }) => expiresAt))
}
