// What a person lets a client of OAuth do, from the request that the client sends them with to the tokens that it gets. A
// request that waits for its consent is a signed text in the person's browser; a consent is a key of type OAUTH.
import { grantsOfClient, keyNamed } from '../../../machines/key.js'
import type { Actor } from '../../actor/actor.js'
import { deliver } from '../../actor/host.js'
import {
  familyFrom,
  familyOf,
  isSamePlace,
  isUsable,
  mcpResource,
  UNUSED_MS,
  type OAuthToken,
} from '../../domain/access/oauth.js'
import { openedText, signedText } from '../../domain/access/signedText.js'
import { refuseField, succeed, type Result } from '../../domain/outcomes/result.js'
import { sha256Hex } from '../../domain/values/digest.js'
import type { Caller, Services } from '../ports.js'
import { createOAuthKey } from './keys.js'
import { principalOfKey } from './principals.js'

/** The parameters of an authorization request that was found to be in order. */
export interface AskedParams {
  client_id: string
  redirect_uri: string
  code_challenge: string
  resource: string
  [name: string]: string
}

export interface AskedConsent {
  clientName: string
  redirectHost: string
  params: AskedParams
  /** Epoch ms. */
  expiresAt: number
}

const REQUEST = 'OAuth request'
const CONSENT = 'OAuth consent'
/** From the consent to the client: the browser goes there at once. */
const CONSENT_MS = 5 * 60_000

export function signedConsentRequest({ hashKey, now }: Services, asked: Omit<AskedConsent, 'expiresAt'>): string {
  const whole: AskedConsent = { ...asked, expiresAt: now() + UNUSED_MS }
  return signedText(hashKey, REQUEST, JSON.stringify(whole))
}

const EXPIRED = 'is no request of this service, or is too old: connect again from the client'

/** What a client asks a person for. An approved consent is carried out however old its request is by then. */
export function findConsentRequest(
  services: Services,
  { principal }: Caller,
  request: string,
): Result<AskedConsent, 'VALIDATION_ERROR'> {
  const text = openedText(services.hashKey, REQUEST, request)
  const asked = text === undefined ? undefined : (JSON.parse(text) as AskedConsent)
  const isLate = asked !== undefined && asked.expiresAt <= services.now() && principal.approved === undefined
  return asked === undefined || isLate ? refuseField('request', EXPIRED) : succeed(asked)
}

/**
 * The caller's consents to this client, at this place, that it has no code of yet: one that was approved waits so for the
 * person. Whoever approved it has read the place.
 */
export function unusedGrants(
  services: Services,
  { principal }: Caller,
  { redirectHost, params: { client_id: clientId, resource } }: Pick<AskedConsent, 'redirectHost' | 'params'>,
): Actor<'key'>[] {
  const keys = services.query.refs(grantsOfClient(sha256Hex(clientId))).map((ref) => services.host.peek(ref))
  return keys
    .filter((key) => key !== undefined)
    .filter((key) => {
      const { fields, oauth } = key.context
      const isUnused = fields.memberId === principal.memberId && oauth!.tokens.length === 0
      const isThere = isSamePlace(oauth!.redirectHost, redirectHost) && oauth!.resource === resource
      return isUnused && isThere && principalOfKey(services, key) !== undefined
    })
}

export interface Consent {
  request: string
  /** As the person read them. */
  clientName: string
  redirectHost: string
  agentId: string
  mayExecute: boolean
}

type ConsentCode = 'AUTH_FAILED' | 'LIMIT_REACHED' | 'NOT_FOUND' | 'VALIDATION_ERROR'

/** Lets the client of the request act for the agent; what the person has let it already is not let again. */
export async function consentTo(
  services: Services,
  caller: Caller,
  { request, agentId, mayExecute, ...read }: Consent,
): Promise<Result<Actor<'key'>, ConsentCode>> {
  const asked = findConsentRequest(services, caller, request)
  if (!asked.ok) return asked
  const { clientName, redirectHost, params } = asked.value
  if (read.clientName !== clientName) return refuseField('clientName', 'is not that of the request')
  if (read.redirectHost !== redirectHost) return refuseField('redirectHost', 'is not that of the request')
  const known = (): Actor<'key'> | undefined => {
    return unusedGrants(services, caller, asked.value).find(({ context: { fields } }) => {
      return fields.agentId === agentId && fields.scopes.includes('payments:execute') === mayExecute
    })
  }
  const { client_id: clientId, resource } = params
  const granted = { clientName, agentId, mayExecute, client: sha256Hex(clientId), redirectHost, resource }
  return createOAuthKey(services, caller, granted, known)
}

interface ConsentProof {
  keyId: string
  memberId: string
  /** Hash of the request that it is for. */
  about: string
  expiresAt: number
}

const aboutOf = ({ client_id: client, redirect_uri: to, code_challenge: challenge, resource }: AskedParams): string =>
  sha256Hex(JSON.stringify([client, to, challenge, resource]))

/** The parameters with which the request is made again, now that its person has consented. */
export function consentedParams({ hashKey, now }: Services, key: Actor<'key'>, params: AskedParams): AskedParams {
  const { id, fields } = key.context
  const proof: ConsentProof = {
    keyId: id,
    memberId: fields.memberId!,
    about: aboutOf(params),
    expiresAt: now() + CONSENT_MS,
  }
  return { ...params, scope: fields.scopes.join(' '), consent: signedText(hashKey, CONSENT, JSON.stringify(proof)) }
}

/** The key that this person has consented to with exactly this request; undefined for every other, and for a used one. */
export function consentedKey(services: Services, memberId: string, params: AskedParams): Actor<'key'> | undefined {
  const text = openedText(services.hashKey, CONSENT, params['consent'] ?? '')
  const proof = text === undefined ? undefined : (JSON.parse(text) as ConsentProof)
  if (proof === undefined || proof.expiresAt <= services.now()) return undefined
  if (proof.memberId !== memberId || proof.about !== aboutOf(params)) return undefined
  const key = liveGrant(services, proof.keyId)
  return key?.context.oauth!.tokens.length === 0 ? key : undefined
}

/** A key of type OAUTH, while client, person and agent may use it at the service's present address. */
export function liveGrant(services: Services, keyId: string): Actor<'key'> | undefined {
  const key = services.host.peek(`key/${keyId}`)
  const isHere = key?.context.oauth?.resource === mcpResource(services.publicUrl())
  return isHere && principalOfKey(services, key) !== undefined ? key : undefined
}

export interface FoundToken {
  key: Actor<'key'>
  token: OAuthToken
}

/** Consumed ones, too, because their return ends the grant. */
export function findToken(services: Services, text: string, use: OAuthToken['use']): FoundToken | undefined {
  const hash = services.hashKey(text)
  const ref = services.query.lookup(keyNamed(hash))
  const key = ref && liveGrant(services, ref.slice('key/'.length))
  const token = key?.context.oauth!.tokens.find((one) => one.hash === hash && one.use === use)
  return key && token && (token.isConsumed || isUsable(token, services.now())) ? { key, token } : undefined
}

export interface NewToken extends Pick<OAuthToken, 'use' | 'redirectUri' | 'challenge'> {
  text: string
  seconds: number
}

/** False where the grant gives no such token any more. */
export async function issueToken(
  services: Services,
  keyId: string,
  { text, seconds, ...given }: NewToken,
): Promise<boolean> {
  const now = services.now()
  const times = { issuedAt: now, expiresAt: now + seconds * 1000 }
  const family = given.use === 'CODE' && { family: services.hashKey(refreshFamily(services, keyId)) }
  const token: OAuthToken = { ...given, ...family, ...times, hash: services.hashKey(text), isConsumed: false }
  return tell(services, keyId, 'ISSUE', { token: { ...token } })
}

/** False where it was used before, or has ended. Of any number at once, one is true. */
export async function consumeToken(services: Services, { key, token }: FoundToken): Promise<boolean> {
  return tell(services, key.context.id, 'CONSUME', { hash: token.hash })
}

/** Ends the key with all of its tokens. The audit log tells what its client gave up from what somebody else has. */
export async function endGrant(services: Services, keyId: string, why: 'REVOKE' | 'REUSED'): Promise<void> {
  await tell(services, keyId, why, {})
}

/** What all refresh tokens of the grant begin with. No key or token of the service begins like what is hashed. */
export function refreshFamily({ hashKey }: Services, keyId: string): string {
  return familyFrom(hashKey(`OAuth refresh ${keyId}`))
}

/** The grant whose refresh token this was before it was rotated away. */
export function grantOfFamily(services: Services, refreshToken: string): Actor<'key'> | undefined {
  const ref = services.query.lookup(keyNamed(services.hashKey(familyOf(refreshToken))))
  return ref && liveGrant(services, ref.slice('key/'.length))
}

async function tell(services: Services, keyId: string, type: string, fields: object): Promise<boolean> {
  const key = services.host.peek(`key/${keyId}`)
  if (!key) return false
  const message = { type, now: services.now(), organization: key.context.organization, ...fields }
  const { ok } = await deliver(services.host, { type: 'SYSTEM', id: keyId }, key.ref, message)
  return ok
}
