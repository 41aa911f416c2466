// Refresh tokens as this service gives them.
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { refreshFamily } from '../commands/people/oauthGrants.js'
import type { Services } from '../commands/ports.js'
import { familyOf } from '../domain/access/oauth.js'

interface TokenModel {
  grantId: string
  generateTokenId(): string
}

/** Those of a grant begin alike, so that each is known again. The types of the library lack the method. */
export function shareFamily({ RefreshToken }: Provider, services: Services): void {
  const model = RefreshToken.prototype as unknown as TokenModel
  const { generateTokenId } = model
  model.generateTokenId = function () {
    const own = generateTokenId.call(this)
    return refreshFamily(services, this.grantId) + own.slice(familyOf(own).length)
  }
}

/**
 * A token may be exchanged for all that was granted, and for nothing else. This is asked right before the exchange, so
 * that what is refused costs no token.
 */
export function mayRotate({ oidc }: KoaContextWithOIDC): true {
  const { params, entities, requestParamScopes } = oidc
  const { resourceIndicators, scopes } = entities.RefreshToken!
  const { resource, scope } = params as { resource?: string | string[]; scope?: string }
  if ([resource ?? []].flat().some((one) => !resourceIndicators.has(one))) throw new errors.InvalidTarget()
  // More than that the library has refused.
  if (scope && requestParamScopes.size < scopes.size) {
    throw new errors.InvalidScope('a refresh is for the scopes that were granted', scope)
  }
  return true
}
