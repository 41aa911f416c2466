// The configuration: read once from the environment and checked as a whole. A wrong value stops the start.
import { isIP } from 'node:net'
import { parseEmail } from '../domain/values/email.js'
import { parseKey } from '../domain/access/apiKey.js'
import { ConfigError } from './failure.js'
import { integerSetting, type Environment } from './env.js'
import type { TrustedProxies } from '../http/server/clientAddress.js'
import type { RateLimits } from '../http/server/rateLimits.js'
import { isSettlementSetting, readSettlement, type SettlementConfig } from './settlement.js'

export interface Config {
  host: string
  port: number
  dataDir: string
  bootstrapOrgKey: string | undefined
  /** The first owner's sign-in address. */
  ownerEmail: string
  operatorKey: string | undefined
  rateLimits: 'off' | RateLimits
  settlement: SettlementConfig
  publicUrl: string | undefined
  /** Whose word on the client's address counts. */
  trustedProxies: TrustedProxies
  /** Event URLs may be http or name this machine; for development only. */
  devLoopbackWebhooks: boolean
  /** Delays before the second and third attempt of a delivery (ms). */
  webhookRetryMs: [number, number]
  clockOffsetMs: number
  hotActors: number
  /** Who gets answers in the inspector's format, for tools that follow the machines. */
  inspect: (typeof INSPECT)[number]
  /** The share of decisions (percent) that json-rules-engine checks besides the compiled functions. */
  ruleCheckPercent: number
}

const DEFAULT_LIMITS: RateLimits = { payments: 600, reads: 1200, admin: 1200, login: 10 }
/** Characters that an Authorization header can carry. */
const OPERATOR_KEY = /^[\x21-\x7e][\x20-\x7e]{30,}[\x21-\x7e]$/
const MAX_PORT = 65_535

const INSPECT = ['loopback', 'anywhere', 'off'] as const

/** Settings read here; those of settlement are in settlementConfig.ts. */
export const KNOWN: ReadonlySet<string> = new Set([
  'BURSAR_INSPECT',
  'BURSAR_DATA_DIR',
  'BURSAR_BOOTSTRAP_ORG_KEY',
  'BURSAR_OWNER_EMAIL',
  'BURSAR_OPERATOR_KEY',
  'BURSAR_RATE_LIMITS',
  'BURSAR_PUBLIC_URL',
  'BURSAR_TRUSTED_PROXIES',
  'BURSAR_CLOCK_OFFSET_MS',
  'BURSAR_DEV_LOOPBACK_WEBHOOKS',
  'BURSAR_WEBHOOK_RETRY_MS',
  'BURSAR_HOT_ACTORS',
  'BURSAR_RULE_CHECK_PERCENT',
  // For the command line; the service ignores them.
  'BURSAR_URL',
  'BURSAR_API_KEY',
  'BURSAR_AGENT_KEY',
  'BURSAR_WEBHOOK_SECRET',
])

function rateLimits(text: string | undefined): Config['rateLimits'] {
  if (text === 'off') return 'off'
  const limits = { ...DEFAULT_LIMITS }
  const named = new Set<string>()
  for (const part of text === undefined ? [] : text.split(',')) {
    const [, group, count] = /^(payments|reads|admin|login)=(\d{1,9})$/.exec(part.trim()) ?? []
    if (group === undefined || Number(count) === 0 || named.has(group)) {
      throw new ConfigError(
        `BURSAR_RATE_LIMITS must be off or like payments=600,reads=1200, each group once, not ${JSON.stringify(text)}`,
      )
    }
    named.add(group)
    limits[group as keyof RateLimits] = Number(count)
  }
  return limits
}

const HOST_NAME = /^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i

/** An empty HOST is refused: the system would listen on every address of the machine. */
function host(text: string = '127.0.0.1'): string {
  if (isIP(text) !== 0 || HOST_NAME.test(text)) return text
  throw new ConfigError(`HOST must be an address of this machine or its name, not ${JSON.stringify(text)}`)
}

function dataDir(text: string = './data'): string {
  if (text !== '') return text
  throw new ConfigError('BURSAR_DATA_DIR must name a folder')
}

function bootstrapKey(text: string | undefined): string | undefined {
  if (text === undefined || parseKey(text)?.kind === 'organization') return text
  throw new ConfigError('BURSAR_BOOTSTRAP_ORG_KEY must be a well-formed organization key (service_…)')
}

function ownerEmail(text: string = 'owner@localhost'): string {
  const email = parseEmail(text)
  if (email !== undefined) return email
  throw new ConfigError(`BURSAR_OWNER_EMAIL must be an e-mail address, not ${JSON.stringify(text)}`)
}

function operatorKey(text: string | undefined): string | undefined {
  if (text === undefined || OPERATOR_KEY.test(text)) return text
  throw new ConfigError('BURSAR_OPERATOR_KEY must be 32 or more characters of ASCII, with no space at its ends')
}

function publicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (isWeb && url.href === `${url.origin}/`) return url.origin
  throw new ConfigError(
    `BURSAR_PUBLIC_URL must be an http or https address without a path, not ${JSON.stringify(text)}`,
  )
}

const MAX_HOPS = 32

function trustedProxies(text: string | undefined): TrustedProxies {
  if (text === undefined) return undefined
  const isNumber = /^\d{1,9}$/.test(text)
  if (isNumber && Number(text) >= 1 && Number(text) <= MAX_HOPS) return Number(text)
  const ranges = text.split(',').map((range) => range.trim())
  if (!isNumber && ranges.every(isRange)) return ranges
  throw new ConfigError(
    `BURSAR_TRUSTED_PROXIES must be a number of proxies from 1 to ${MAX_HOPS}, or addresses and ranges like ` +
      `10.0.0.0/8,::1, not ${JSON.stringify(text)}`,
  )
}

/** An address, or a range as an address and its bits. */
function isRange(text: string): boolean {
  const [, address = '', bits = '0'] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  return isIP(address) !== 0 && Number(bits) <= (isIP(address) === 6 ? 128 : 32)
}

function devLoopbackWebhooks(env: Environment): boolean {
  const text = env['BURSAR_DEV_LOOPBACK_WEBHOOKS']
  if (text === undefined || text === '0') return false
  if (text !== '1') throw new ConfigError(`BURSAR_DEV_LOOPBACK_WEBHOOKS must be 1 or 0, not ${JSON.stringify(text)}`)
  if (env['NODE_ENV'] !== 'production') return true
  throw new ConfigError('BURSAR_DEV_LOOPBACK_WEBHOOKS is for development: it is refused with NODE_ENV=production')
}

function webhookRetryMs(text: string = '10000,300000'): [number, number] {
  const [, second, third] = /^(\d{1,9}),(\d{1,9})$/.exec(text) ?? []
  if (second !== undefined && third !== undefined) return [Number(second), Number(third)]
  throw new ConfigError(`BURSAR_WEBHOOK_RETRY_MS must be like 10000,300000, not ${JSON.stringify(text)}`)
}

function inspect(text: string = 'loopback'): Config['inspect'] {
  const known = INSPECT.find((word) => word === text)
  if (known !== undefined) return known
  throw new ConfigError(`BURSAR_INSPECT must be ${INSPECT.join(', ')}, not ${JSON.stringify(text)}`)
}

function clockOffset(env: Environment): number {
  if (env['BURSAR_CLOCK_OFFSET_MS'] !== undefined && env['NODE_ENV'] !== 'test') {
    throw new ConfigError('BURSAR_CLOCK_OFFSET_MS needs NODE_ENV=test')
  }
  const most = 4_000_000_000_000
  return integerSetting('BURSAR_CLOCK_OFFSET_MS', env, -most, most) ?? 0
}

const EVERYWHERE = new Set(['0.0.0.0', '::'])

/** Warnings for the operator about a valid configuration; `url` is where the service answers. */
export function warningsOf(config: Config, url: string): string[] {
  const warnings = []
  if (config.devLoopbackWebhooks) {
    warnings.push('events may be sent to this machine and over http, which is for development only')
  }
  if (EVERYWHERE.has(config.host) && config.publicUrl === undefined) {
    warnings.push(`links name ${url}, an address that others cannot use: set BURSAR_PUBLIC_URL`)
  }
  const { settlementMode, nodes } = config.settlement
  if (settlementMode === 'live' && Object.keys(nodes).length === 0) {
    warnings.push('settlement is live but no chain has a node, so nothing is paid: set BURSAR_RPC_<chainId>')
  }
  return warnings
}

/** Reads the configuration; throws ConfigError with one line that names the unknown or malformed setting. */
export function readConfig(env: Environment): Config {
  for (const name of Object.keys(env)) {
    const isKnown = KNOWN.has(name) || isSettlementSetting(name)
    if (name.startsWith('BURSAR_') && !isKnown) throw new ConfigError(`${name} is not a setting of this service`)
  }
  return {
    host: host(env['HOST']),
    port: integerSetting('PORT', env, 0, MAX_PORT) ?? 3000,
    dataDir: dataDir(env['BURSAR_DATA_DIR']),
    bootstrapOrgKey: bootstrapKey(env['BURSAR_BOOTSTRAP_ORG_KEY']),
    ownerEmail: ownerEmail(env['BURSAR_OWNER_EMAIL']),
    operatorKey: operatorKey(env['BURSAR_OPERATOR_KEY']),
    rateLimits: rateLimits(env['BURSAR_RATE_LIMITS']),
    settlement: readSettlement(env),
    publicUrl: publicUrl(env['BURSAR_PUBLIC_URL']),
    trustedProxies: trustedProxies(env['BURSAR_TRUSTED_PROXIES']),
    devLoopbackWebhooks: devLoopbackWebhooks(env),
    webhookRetryMs: webhookRetryMs(env['BURSAR_WEBHOOK_RETRY_MS']),
    clockOffsetMs: clockOffset(env),
    hotActors: integerSetting('BURSAR_HOT_ACTORS', env, 2, 100_000_000) ?? 10_000,
    inspect: inspect(env['BURSAR_INSPECT']),
    ruleCheckPercent: integerSetting('BURSAR_RULE_CHECK_PERCENT', env, 0, 100) ?? 1,
  }
}
