// Where a client may have codes sent, and how a person reads that.
import { isOwnMachine } from '../domain/access/oauth.js'
import { hasCardNumber } from '../domain/values/cardNumber.js'

/** Schemes that run or open what stands in the address, or start a program of the system with it. */
const REFUSED_SCHEME =
  /^(ms-.*|search.*|chrome.*|itms.*|intent|android-app|view-source|filesystem|file|blob|data|about|jar|javascript|vbscript|shell|steam|wss?|s?ftps?|ssh|telnet|smb|ldap|mailto|tel|sms)$/

const isOfWeb = (protocol: string): boolean => protocol === 'https:' || protocol === 'http:'

/** Why codes cannot be sent there. */
export function redirectRefusal(uri: string): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (url === undefined || /[\s\p{Cc}]/u.test(uri)) return 'must be a list of URLs'
  const { protocol, hostname, pathname, search } = url
  const scheme = protocol.slice(0, -1)
  if (REFUSED_SCHEME.test(scheme)) return `must not have the scheme ${scheme}`
  if (protocol === 'http:' && !isOwnMachine(hostname)) return 'must have https, but for those on the same machine'
  if (!isOfWeb(protocol) && hostname === '') return `must have a host after ${protocol}//`
  if (hasCardNumber(unescaped(pathname + search))) return 'must have no card number'
  return undefined
}

function unescaped(text: string): string {
  return text.replaceAll(/%[0-7][0-9a-f]/gi, (escaped) => decodeURIComponent(escaped))
}

/** Where codes are sent, as a person reads it: a host, and before it the scheme where that opens another program. */
export function redirectHostOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return isOfWeb(protocol) ? host : `${protocol}//${host}`
}
