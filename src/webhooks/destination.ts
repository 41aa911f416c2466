// Where events may be sent, judged by the text of a URL alone: HTTPS, a public name or address, no credentials.
import { BlockList, isIP } from 'node:net'

const NOT_PUBLIC = new BlockList()
const SUBNETS: [string, number, 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
]
for (const [network, bits, family] of SUBNETS) NOT_PUBLIC.addSubnet(network, bits, family)
/** Of IPv6 only global unicast is public; of that not what wraps IPv4 addresses or documents. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')
for (const [network, bits] of [['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['3fff::', 20]] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv6')
}

const SPECIAL_NAMES = /(^|\.)(localhost|localdomain|local|internal|home\.arpa|onion)$/

/** True for an address that anybody on the internet could have. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !NOT_PUBLIC.check(address, 'ipv4')
  return family === 6 && GLOBAL.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
}

/**
 * Why events are not sent to this URL; undefined when nothing in its text speaks against it. `isDevelopment` lets http
 * and this machine through.
 */
export function refuseDestination(text: string, isDevelopment = false): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (isDevelopment && url?.protocol === 'http:') return undefined
  if (url?.protocol !== 'https:') return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isDevelopment && /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)) return undefined
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'must not name a private or special address'
  const isName = host.includes('.') && !SPECIAL_NAMES.test(host)
  return isName ? undefined : 'must name a public host'
}
