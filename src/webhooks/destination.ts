// Checks a destination by the text of its URL alone: HTTPS, a public name or address, no credentials.
import { BlockList, isIP } from 'node:net'

const NOT_PUBLIC = new BlockList()
const SUBNETS: [string, number, 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  // Azure's host address, within a public range.
  ['168.63.129.16', 32, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
]
for (const [network, bits, family] of SUBNETS) NOT_PUBLIC.addSubnet(network, bits, family)
/** Of IPv6 only global unicast is public, without the ranges that embed IPv4 addresses or are for documentation. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv6')
}

const SPECIAL_NAMES = /(^|\.)(localhost|localdomain|local|lan|internal|arpa|onion|test|invalid|example)$/

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

function listed(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

export function isPublicAddress(address: string): boolean {
  // A zone (`%eth0`) marks an address of the local network.
  if (isIP(address) === 0 || address.includes('%') || listed(NOT_PUBLIC, address)) return false
  return isIP(address) === 4 || listed(GLOBAL, address)
}

/** True for an address that events may be sent to; `isDevelopment` allows loopback too. */
export function allowedAddress(address: string, isDevelopment: boolean): boolean {
  if (isPublicAddress(address)) return true
  return isDevelopment && isLoopback(address)
}

export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && !address.includes('%') && listed(LOOPBACK, address)
}

/** Why no answer to a press is sent to this URL, which comes with the press; undefined for Slack's own. */
export function refuseSlackAnswer(url: string, isDevelopment: boolean): string | undefined {
  if (isDevelopment) return refuseDestination(url, true)
  return url.startsWith('https://hooks.slack.com/') ? undefined : 'must be at https://hooks.slack.com/'
}

/**
 * Why events are not sent to this URL; undefined when its text is acceptable. `isDevelopment` allows loopback too, by
 * http as well.
 */
export function refuseDestination(text: string, isDevelopment = false): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const host = url?.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') ?? ''
  const isHere = isDevelopment && (host === 'localhost' || isLoopback(host))
  if (url?.protocol !== 'https:' && !(isHere && url?.protocol === 'http:')) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  // An address to listen at, not one to connect to.
  if (url.port === '0') return 'must not name port 0'
  if (isHere) return undefined
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : 'must not name a private or special address'
  const labels = host.split('.')
  const isName = labels.length > 1 && !labels.includes('') && !SPECIAL_NAMES.test(host)
  return isName ? undefined : 'must name a public host'
}
