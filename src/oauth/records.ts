// The records of the authorization server, as the library reads and writes them. What it keeps of grants and tokens is a
// key of the service; registrations and requests carry what they are themselves, and sessions are those of the dashboard.
import { errors, type Adapter, type AdapterPayload } from 'oidc-provider'
import { registeredClient } from '../commands/people/oauthClients.js'
import {
  consumeToken,
  endGrant,
  findToken,
  grantOfFamily,
  issueToken,
  liveGrant,
  type FoundToken,
} from '../commands/people/oauthGrants.js'
import type { Services } from '../commands/ports.js'
import { authenticateSession } from '../commands/people/sessions.js'
import type { OAuthToken } from '../domain/access/oauth.js'
import { sha256Hex } from '../domain/values/digest.js'
import { REGISTERED } from './registration.js'

/** The id of the client that asks, where that is known. */
export type AskingClient = () => string | undefined

const USES: { [model: string]: OAuthToken['use'] } = {
  AuthorizationCode: 'CODE',
  AccessToken: 'ACCESS',
  RefreshToken: 'REFRESH',
}

/** The records of a model of the library, by its name. */
export function recordsOf(services: Services, asking: AskingClient): (model: string) => Adapter {
  return (model) => {
    const use = USES[model]
    if (use !== undefined) return new TokenRecords(services, asking, use)
    if (model === 'Grant') return { ...NOTHING_KEPT, ...grantRecords(services, asking) }
    if (model === 'Session') return { ...NOTHING_KEPT, find: (token) => findSession(services, token) }
    if (model === 'Client') return { ...NOTHING_KEPT, find: (id) => findClient(services, id) }
    return NOTHING_KEPT
  }
}

const nothing = (): Promise<void> => Promise.resolve()

const NOTHING_KEPT: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
}

/** In seconds of the library's clock, which is the machine's. */
function libraryTime({ now }: Services, at: number): number {
  return Math.floor((Date.now() + at - now()) / 1000)
}

/** The id whose hash is in the grant; another text where another client asks. */
function clientIn(asking: AskingClient, client: string): string {
  const id = asking()
  return id !== undefined && sha256Hex(id) === client ? id : `#${client}`
}

/** The code, access or refresh tokens. */
class TokenRecords implements Adapter {
  readonly #services: Services
  readonly #asking: AskingClient
  readonly #use: OAuthToken['use']

  constructor(services: Services, asking: AskingClient, use: OAuthToken['use']) {
    this.#services = services
    this.#asking = asking
    this.#use = use
  }

  async upsert(text: string, payload: AdapterPayload, seconds: number): Promise<void> {
    const { grantId, redirectUri, codeChallenge: challenge } = payload
    const ofCode = this.#use === 'CODE' ? { redirectUri: redirectUri!, challenge: challenge! } : {}
    const isIssued = await issueToken(this.#services, grantId!, { use: this.#use, text, seconds, ...ofCode })
    if (!isIssued) throw new errors.InvalidGrant('the grant has ended')
  }

  async find(text: string): Promise<AdapterPayload | undefined> {
    const found = findToken(this.#services, text, this.#use)
    if (!found && this.#use === 'REFRESH') await this.#endFamily(text)
    return found && this.#payload(text, found)
  }

  /** A refresh token that was rotated away comes again, however often its successors were rotated since. */
  async #endFamily(text: string): Promise<void> {
    const { id, oauth } = grantOfFamily(this.#services, text)?.context ?? {}
    const client = this.#asking()
    if (id && client !== undefined && sha256Hex(client) === oauth?.client) await endGrant(this.#services, id, 'REUSED')
  }

  async consume(text: string): Promise<void> {
    const found = findToken(this.#services, text, this.#use)
    if (found && (await consumeToken(this.#services, found))) return
    // Two came at once: one of them is not the client's.
    if (found) await endGrant(this.#services, found.key.context.id, 'REUSED')
    throw new errors.InvalidGrant('it was used before')
  }

  /** A client that gives a token up gives up what it was granted. */
  async destroy(text: string): Promise<void> {
    const found = findToken(this.#services, text, this.#use)
    if (found) await endGrant(this.#services, found.key.context.id, found.token.isConsumed ? 'REUSED' : 'REVOKE')
  }

  /** After that, and where a code or a refresh token came a second time. */
  revokeByGrantId(grantId: string): Promise<void> {
    return endGrant(this.#services, grantId, 'REUSED')
  }

  findByUserCode = nothing
  findByUid = nothing

  #payload(text: string, { key, token }: FoundToken): AdapterPayload {
    const { id, fields, oauth } = key.context
    const { client, resource } = oauth!
    return {
      kind: MODELS[token.use],
      jti: text,
      iat: libraryTime(this.#services, token.issuedAt),
      exp: libraryTime(this.#services, token.expiresAt),
      accountId: fields.memberId!,
      clientId: clientIn(this.#asking, client),
      grantId: id,
      gty: 'authorization_code',
      scope: fields.scopes.join(' '),
      ...(token.use === 'ACCESS' ? { aud: resource } : { resource }),
      ...(token.isConsumed && { consumed: true }),
      ...(token.use === 'CODE' && {
        redirectUri: token.redirectUri,
        codeChallenge: token.challenge,
        codeChallengeMethod: 'S256',
      }),
    } as AdapterPayload
  }
}

const MODELS = Object.fromEntries(Object.entries(USES).map(([model, use]) => [use, model])) as {
  [use in OAuthToken['use']]: string
}

/** A grant is a key, which the consent has made: the library makes none. */
function grantRecords(services: Services, asking: AskingClient): Pick<Adapter, 'find' | 'destroy'> {
  return {
    find: (id) => {
      const key = liveGrant(services, id)
      if (!key) return nothing()
      const { fields, oauth, createdAt, expiresAt } = key.context
      return Promise.resolve({
        kind: 'Grant',
        jti: id,
        iat: libraryTime(services, createdAt),
        exp: libraryTime(services, expiresAt!),
        accountId: fields.memberId!,
        clientId: clientIn(asking, oauth!.client),
        resources: { [oauth!.resource]: fields.scopes.join(' ') },
      })
    },
    destroy: (id) => endGrant(services, id, 'REUSED'),
  }
}

/** The dashboard's, by the token of its cookie. */
function findSession(services: Services, token: string): Promise<AdapterPayload | undefined> {
  const person = authenticateSession(services, token)
  if (person === undefined) return Promise.resolve(undefined)
  const now = libraryTime(services, services.now())
  const times = { iat: now, loginTs: now, exp: now + SESSION_SECONDS }
  return Promise.resolve({ kind: 'Session', jti: token, uid: person.session!, accountId: person.id, ...times })
}

/** It is looked up with each request. */
const SESSION_SECONDS = 60

function findClient(services: Services, id: string): Promise<AdapterPayload | undefined> {
  const client = registeredClient(services, id)
  if (client === undefined) return Promise.resolve(undefined)
  const { name, redirectUris } = client
  const said = { client_id: id, redirect_uris: redirectUris, ...(name !== undefined && { client_name: name }) }
  return Promise.resolve({ ...REGISTERED, ...said } as AdapterPayload)
}
