// Clients of OAuth. A registration is its own id, signed: none is kept, so none of any number needs room, and one that
// nobody has consented to ends by its age.
import { grantsOfClient } from '../../../machines/key.js'
import { UNUSED_MS } from '../../domain/access/oauth.js'
import { openedText, signedText } from '../../domain/access/signedText.js'
import { sha256Hex } from '../../domain/values/digest.js'
import { newId } from '../../domain/values/ids.js'
import type { Services } from '../ports.js'
import { principalOfKey } from './principals.js'

export interface OAuthClient {
  name?: string
  redirectUris: string[]
}

interface Registration extends OAuthClient {
  /** Tells two clients apart that say the same of themselves. */
  id: string
  /** Epoch ms. */
  at: number
}

const PURPOSE = 'OAuth client'

export function registeredId({ hashKey, now, random }: Services, client: OAuthClient): string {
  const registration: Registration = { ...client, id: newId(random), at: now() }
  return signedText(hashKey, PURPOSE, JSON.stringify(registration))
}

/** Undefined for what was not registered here, and for a registration whose hour is over and which has no live grant. */
export function registeredClient(services: Services, id: string): Registration | undefined {
  const text = openedText(services.hashKey, PURPOSE, id)
  if (text === undefined) return undefined
  const client = JSON.parse(text) as Registration
  const isFresh = services.now() - client.at < UNUSED_MS
  return isFresh || isGranted(services, id) ? client : undefined
}

/** True for a client that may do something here today. */
export function isGranted(services: Services, id: string): boolean {
  const refs = services.query.refs(grantsOfClient(sha256Hex(id)))
  return refs.some((ref) => {
    const key = services.host.peek(ref)
    return key !== undefined && principalOfKey(services, key) !== undefined
  })
}
