// The settings of live settlement: nodes, tokens and depths by chain, the keystore's key, and the providers' adapters.
import * as v from 'valibot'
import type { ProviderConfig } from '../chain/providers.js'
import { parseAddress } from '../domain/values/address.js'
import { CHAINS, type Chain } from '../domain/values/chains.js'
import { isId } from '../domain/values/ids.js'
import { SLOTS, type SlotName } from '../domain/parties/wallet.js'
import { ConfigError } from './failure.js'
import { mustBe, readSettings, setting, wholeNumber, type Environment } from './env.js'

const SETTINGS = {
  BURSAR_SETTLEMENT: v.optional(v.picklist(['test', 'live'], mustBe('test or live')), 'test'),
  /** The key that seals managed keys; without it a file in the data folder has one. */
  BURSAR_KEYSTORE_KEY: v.optional(
    v.pipe(v.string(), v.regex(/^[0-9a-fA-F]{64}$/, 'must be 32 bytes in hex (64 digits)')),
  ),
}

const WEB_ADDRESS = 'must be an http or https address'
const NO_ADAPTER = "must name the provider's adapter"

/** By the middle of the name: `BURSAR_RPC_8453`. A setting that is left out has the chain's own value. */
const CHAIN_SETTINGS = {
  /** Not shown when it is refused: addresses of nodes contain keys. */
  RPC: v.optional(v.pipe(v.string(), v.url(WEB_ADDRESS), v.regex(/^https?:/i, WEB_ADDRESS))),
  ASSET: v.optional(setting(mustBe("the address of a token's contract"), contractAddress)),
  CONFIRMATIONS: v.optional(wholeNumber(1, 10_000)),
  MAX_FEE_GWEI: v.optional(wholeNumber(1, 99_999)),
}

/** `BURSAR_PROVIDER_A` names the adapter, and the others belong to it. */
const PROVIDER_SETTINGS = {
  ADAPTER: v.pipe(v.string(NO_ADAPTER), v.nonEmpty(NO_ADAPTER)),
  ORGANIZATION: v.optional(v.pipe(v.string(), v.check(isId, mustBe('the id of an organization')))),
}

const EVM_CHAINS = Object.entries(CHAINS).filter(([, { chainType }]) => chainType === 'EVM')
const OF_SLOT = /^BURSAR_PROVIDER_[AB](_[A-Z0-9_]+)?$/
const NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(SETTINGS),
  ...EVM_CHAINS.flatMap(([id]) => Object.keys(CHAIN_SETTINGS).map((key) => `BURSAR_${key}_${id}`)),
])

export function isSettlementSetting(name: string): boolean {
  return NAMES.has(name) || OF_SLOT.test(name)
}

export function readSettlement(env: Environment) {
  const { BURSAR_SETTLEMENT: settlementMode, BURSAR_KEYSTORE_KEY: keystoreKey } = readSettings(SETTINGS, env)
  const nodes = Object.fromEntries(EVM_CHAINS.flatMap(([id, chain]) => nodeOf(env, id, chain)))
  return {
    settlementMode,
    keystoreKey,
    nodes,
    providers: Object.fromEntries(SLOTS.flatMap((slot) => providerOf(env, slot))),
  }
}

function contractAddress(text: string): string | undefined {
  const address = parseAddress(text)
  return address?.chainType === 'EVM' ? address.display : undefined
}

/** The settings of a chain are checked even without a node. A node without a token is refused. */
function nodeOf(env: Environment, id: string, chain: Chain) {
  const nameOf = (key: string): string => `BURSAR_${key}_${id}`
  const given = readSettings(CHAIN_SETTINGS, env, nameOf)
  const { RPC: url, ASSET: asset = chain.contract } = given
  const { CONFIRMATIONS: confirmations = chain.confirmations, MAX_FEE_GWEI: mostFeeGwei = chain.mostFeeGwei } = given
  if (url === undefined) return []
  if (asset === undefined) throw new ConfigError(`${nameOf('RPC')} needs ${nameOf('ASSET')}, the token's contract`)
  return [[id, { url, asset, decimals: chain.decimals, confirmations, mostFeeGwei }] as const]
}

/** A slot's settings belong to its adapter, which also sees whose slot it is. */
function providerOf(env: Environment, slot: SlotName): [SlotName, ProviderConfig][] {
  const [name, prefix] = [`BURSAR_${slot}`, `BURSAR_${slot}_`]
  const own = Object.entries(env).filter(([other, value]) => other.startsWith(prefix) && value !== undefined)
  if (env[name] === undefined && own.length === 0) return []
  const read = readSettings(PROVIDER_SETTINGS, env, (key) => (key === 'ADAPTER' ? name : prefix + key))
  const settings = Object.fromEntries(own.map(([other, value]) => [other.slice(prefix.length), value!]))
  return [[slot, { adapter: read.ADAPTER, settings, owner: read.ORGANIZATION }]]
}
