// Why a client cannot be connected, for the person whose browser asks. A browser is sent to a client with an error only
// where that is no way to send people anywhere: after a consent, or to a program on their own machine.
import type { errors, KoaContextWithOIDC } from 'oidc-provider'
import { isOwnMachine } from '../domain/access/oauth.js'
import { redirectHostOf } from './redirect.js'

interface Page {
  status: number
  type: string
  body: unknown
  set(headers: { [name: string]: string }): void
}

interface Said {
  error: string
  error_description?: string | undefined
}

export function writeErrorPage(page: Page, headers: { [name: string]: string }, { error, ...said }: Said): void {
  // That of a redirect, where an error would have been sent on.
  if (page.status < 400) page.status = 400
  page.set(headers)
  page.type = 'text/plain; charset=utf-8'
  page.body = `The client cannot be connected: ${said.error_description ?? error} (${error})\n`
}

/** Hears of each error before the library looks whether it may send the browser on. */
export function toldHere({ oidc }: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const { redirect_uri: to } = (oidc.params ?? {}) as { redirect_uri?: unknown }
  const isOwn = typeof to === 'string' && URL.canParse(to) && isOwnMachine(redirectHostOf(to))
  if (oidc.entities.Grant?.jti === undefined && !isOwn) error.allow_redirect = false
}
