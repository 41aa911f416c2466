// The configuration: read once from the environment and checked as a whole. A wrong value stops the start.
import { isIP } from 'node:net'
import * as v from 'valibot'
import { NO_ONES_EMAIL, parseEmail } from '../domain/values/email.js'
import { parseKey } from '../domain/access/apiKey.js'
import { ConfigError } from './failure.js'
import { mustBe, readOrigin, readSettings, setting, wholeNumber, type Environment } from './env.js'
import type { TrustedProxies } from '../http/server/clientAddress.js'
import type { RateLimits } from '../http/server/rateLimits.js'
import { mailOf, readSender, readSmtpUrl, SLACK_API } from './channels.js'
import { NODE_SETTINGS, readNode } from './nodes.js'
import { isSettlementSetting, readSettlement } from './settlement.js'

export type Config = ReturnType<typeof readConfig>

const DEFAULT_LIMITS: RateLimits = { payments: 600, reads: 1200, admin: 1200, login: 10 }
const GROUP_LIMIT = /^(payments|reads|admin|login)=(\d{1,9})$/
const HOST_NAME = /^[a-z\d]([a-z\d.-]{0,251}[a-z\d])?$/i
/** Characters that an Authorization header can carry. */
const OPERATOR_KEY = /^[\x21-\x7e][\x20-\x7e]{30,}[\x21-\x7e]$/
const MAX_HOPS = 32
const MAX_OFFSET_MS = 4_000_000_000_000

/** The settings with their defaults, as texts; those of settlement are in settlement.ts. */
const SETTINGS = {
  /** Empty is refused: the system would listen on every address of the machine. */
  HOST: v.optional(
    setting(mustBe('an address of this machine or its name'), (text) =>
      isIP(text) !== 0 || HOST_NAME.test(text) ? text : undefined,
    ),
    '127.0.0.1',
  ),
  PORT: v.optional(wholeNumber(0, 65_535), '3000'),
  BURSAR_DATA_DIR: v.optional(v.pipe(v.string(), v.nonEmpty('must name a folder')), './data'),
  BURSAR_BOOTSTRAP_ORG_KEY: v.optional(
    setting('must be a well-formed organization key (service_…)', (text) =>
      parseKey(text)?.kind === 'organization' ? text : undefined,
    ),
  ),
  /** The first owner's sign-in address. */
  BURSAR_OWNER_EMAIL: v.optional(setting(mustBe('an e-mail address'), parseEmail), NO_ONES_EMAIL),
  BURSAR_OPERATOR_KEY: v.optional(
    v.pipe(v.string(), v.regex(OPERATOR_KEY, 'must be 32 or more characters of ASCII, with no space at its ends')),
  ),
  BURSAR_RATE_LIMITS: v.optional(
    setting(mustBe('off or like payments=600,reads=1200, each group once'), readRateLimits),
  ),
  BURSAR_PUBLIC_URL: v.optional(setting(mustBe('an http or https address without a path'), readOrigin)),
  /** Whose word on the client's address counts. */
  BURSAR_TRUSTED_PROXIES: v.optional(
    setting(
      mustBe(`a number of proxies from 1 to ${MAX_HOPS}, or addresses and ranges like 10.0.0.0/8,::1`),
      readTrustedProxies,
    ),
  ),
  /** Event URLs may be http or name this machine; for development only. */
  BURSAR_DEV_LOOPBACK_WEBHOOKS: v.optional(v.picklist(['1', '0'], mustBe('1 or 0')), '0'),
  /** The mails of notification channels: smtp or smtps, and the sender's address. */
  BURSAR_SMTP_URL: v.optional(setting('must be like smtp://user:password@host:587, or smtps://', readSmtpUrl)),
  BURSAR_SMTP_FROM: v.optional(
    setting(mustBe('an address, as itself or like Bursar <bursar@company.com>'), readSender),
  ),
  /** Slack's Web API, for tests and development. */
  BURSAR_SLACK_API_URL: v.optional(v.pipe(v.string(), v.url('must be an http or https address'))),
  /** Delays before the second and third attempt of a delivery. */
  BURSAR_WEBHOOK_RETRY_MS: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,9},\d{1,9}$/, mustBe('like 10000,300000')),
      v.transform((text) => text.split(',').map(Number) as [number, number]),
    ),
    '10000,300000',
  ),
  BURSAR_CLOCK_OFFSET_MS: v.optional(wholeNumber(-MAX_OFFSET_MS, MAX_OFFSET_MS), '0'),
  BURSAR_HOT_ACTORS: v.optional(wholeNumber(2, 100_000_000), '10000'),
  /** The share of decisions that json-rules-engine checks besides the compiled functions. */
  BURSAR_RULE_CHECK_PERCENT: v.optional(wholeNumber(0, 100), '1'),
}

export const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(SETTINGS),
  ...NODE_SETTINGS,
  // For the command line; the service ignores them.
  'BURSAR_URL',
  'BURSAR_API_KEY',
  'BURSAR_AGENT_KEY',
  'BURSAR_WEBHOOK_SECRET',
])

function readRateLimits(text: string): 'off' | RateLimits | undefined {
  if (text === 'off') return 'off'
  const limits = new Map<string, number>()
  for (const part of text.split(',')) {
    const [, group, count] = GROUP_LIMIT.exec(part.trim()) ?? []
    if (group === undefined || Number(count) === 0 || limits.has(group)) return undefined
    limits.set(group, Number(count))
  }
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(limits) }
}

function readTrustedProxies(text: string): TrustedProxies {
  if (/^\d{1,9}$/.test(text)) return Number(text) >= 1 && Number(text) <= MAX_HOPS ? Number(text) : undefined
  const ranges = text.split(',').map((range) => range.trim())
  return ranges.every(isRange) ? ranges : undefined
}

/** An address, or a range as an address and its bits. */
function isRange(text: string): boolean {
  const [, address = '', bits = '0'] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  return isIP(address) !== 0 && Number(bits) <= (isIP(address) === 6 ? 128 : 32)
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
export function readConfig(env: Environment) {
  for (const name of Object.keys(env)) {
    const isKnown = KNOWN.has(name) || isSettlementSetting(name)
    if (name.startsWith('BURSAR_') && !isKnown) throw new ConfigError(`${name} is not a setting of this service`)
  }
  const read = readSettings(SETTINGS, env)
  const devLoopbackWebhooks = read.BURSAR_DEV_LOOPBACK_WEBHOOKS === '1'
  if (devLoopbackWebhooks && env['NODE_ENV'] === 'production') {
    throw new ConfigError('BURSAR_DEV_LOOPBACK_WEBHOOKS is for development: it is refused with NODE_ENV=production')
  }
  if (env['BURSAR_CLOCK_OFFSET_MS'] !== undefined && env['NODE_ENV'] !== 'test') {
    throw new ConfigError('BURSAR_CLOCK_OFFSET_MS needs NODE_ENV=test')
  }
  const slackApi = read.BURSAR_SLACK_API_URL
  if (slackApi !== undefined && !devLoopbackWebhooks) {
    throw new ConfigError('BURSAR_SLACK_API_URL is for development: it needs BURSAR_DEV_LOOPBACK_WEBHOOKS=1')
  }
  const settlement = readSettlement(env)
  return {
    host: read.HOST,
    port: read.PORT,
    dataDir: read.BURSAR_DATA_DIR,
    bootstrapOrgKey: read.BURSAR_BOOTSTRAP_ORG_KEY,
    ownerEmail: read.BURSAR_OWNER_EMAIL,
    operatorKey: read.BURSAR_OPERATOR_KEY,
    rateLimits: read.BURSAR_RATE_LIMITS ?? DEFAULT_LIMITS,
    settlement,
    node: readNode(env, settlement.keystoreKey),
    publicUrl: read.BURSAR_PUBLIC_URL,
    trustedProxies: read.BURSAR_TRUSTED_PROXIES,
    devLoopbackWebhooks,
    mail: mailOf(read.BURSAR_SMTP_URL, read.BURSAR_SMTP_FROM),
    slackApi: slackApi?.replace(/\/$/, '') ?? SLACK_API,
    webhookRetryMs: read.BURSAR_WEBHOOK_RETRY_MS,
    clockOffsetMs: read.BURSAR_CLOCK_OFFSET_MS,
    hotActors: read.BURSAR_HOT_ACTORS,
    ruleCheckPercent: read.BURSAR_RULE_CHECK_PERCENT,
  }
}
