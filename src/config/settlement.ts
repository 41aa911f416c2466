// The settings of live settlement: nodes, tokens and depths by chain, the keystore's key, and the providers' adapters.
import type { ProviderConfig } from '../chain/providers.js'
import { parseAddress } from '../domain/values/address.js'
import { CHAINS } from '../domain/values/chains.js'
import { isId } from '../domain/values/ids.js'
import type { SettlementMode } from '../domain/payment/settlement.js'
import { SLOTS, type SlotName } from '../domain/parties/wallet.js'
import { ConfigError } from './failure.js'
import { integerSetting, type Environment } from './env.js'

export interface SettlementConfig {
  settlementMode: SettlementMode
  /** By chain id. */
  nodes: { [chainId: string]: NodeSettings }
  /** The key that seals managed keys, 32 bytes in hex; undefined when a file in the data folder has it. */
  keystoreKey: string | undefined
  providers: { [Slot in SlotName]?: ProviderConfig }
}

export interface NodeSettings {
  url: string
  asset: string
  decimals: number
  confirmations: number
  mostFeeGwei: number
}

const PER_CHAIN = /^BURSAR_(RPC|ASSET|CONFIRMATIONS|MAX_FEE_GWEI)_(\d+)$/
const OF_SLOT = /^BURSAR_(PROVIDER_[AB])(?:_([A-Z0-9_]+))?$/
const MAX_CONFIRMATIONS = 10_000
const MAX_GWEI = 99_999

export function isSettlementSetting(name: string): boolean {
  if (name === 'BURSAR_SETTLEMENT' || name === 'BURSAR_KEYSTORE_KEY') return true
  const [, , chainId] = PER_CHAIN.exec(name) ?? []
  return OF_SLOT.test(name) || (chainId !== undefined && CHAINS[chainId]?.chainType === 'EVM')
}

export function readSettlement(env: Environment): SettlementConfig {
  return {
    settlementMode: settlementMode(env['BURSAR_SETTLEMENT']),
    nodes: nodes(env),
    keystoreKey: keystoreKey(env['BURSAR_KEYSTORE_KEY']),
    providers: Object.fromEntries(SLOTS.flatMap((slot) => providerOf(env, slot))),
  }
}

function settlementMode(text: string | undefined): SettlementMode {
  if (text === undefined || text === 'test') return 'test'
  if (text === 'live') return 'live'
  throw new ConfigError(`BURSAR_SETTLEMENT must be test or live, not ${JSON.stringify(text)}`)
}

function keystoreKey(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-fA-F]{64}$/.test(text)) return text
  throw new ConfigError('BURSAR_KEYSTORE_KEY must be 32 bytes in hex (64 digits)')
}

function nodes(env: Environment): SettlementConfig['nodes'] {
  const ids = Object.keys(CHAINS).filter((id) => CHAINS[id]!.chainType === 'EVM')
  return Object.fromEntries(ids.flatMap((id) => nodeOf(env, id)))
}

/** The settings of a chain are checked even without a node. A node without a token is refused. */
function nodeOf(env: Environment, id: string): [string, NodeSettings][] {
  const chain = CHAINS[id]!
  const asset = assetOf(`BURSAR_ASSET_${id}`, env[`BURSAR_ASSET_${id}`]) ?? chain.contract
  const confirmations = integerSetting(`BURSAR_CONFIRMATIONS_${id}`, env, 1, MAX_CONFIRMATIONS) ?? chain.confirmations
  const mostFeeGwei = integerSetting(`BURSAR_MAX_FEE_GWEI_${id}`, env, 1, MAX_GWEI) ?? chain.mostFeeGwei
  const url = env[`BURSAR_RPC_${id}`]
  if (url === undefined) return []
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ConfigError(`BURSAR_RPC_${id} must be an http or https address`)
  }
  if (asset === undefined) throw new ConfigError(`BURSAR_RPC_${id} needs BURSAR_ASSET_${id}, the token's contract`)
  return [[id, { url, asset, decimals: chain.decimals, confirmations, mostFeeGwei }]]
}

function assetOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const address = parseAddress(text)
  if (address?.chainType === 'EVM') return address.display
  throw new ConfigError(`${name} must be the address of a token's contract, not ${JSON.stringify(text)}`)
}

/** A slot's settings belong to its adapter, which also sees whose slot it is. */
function providerOf(env: Environment, slot: SlotName): [SlotName, ProviderConfig][] {
  const settings: { [name: string]: string } = {}
  for (const [name, value] of Object.entries(env)) {
    const [, of, key] = OF_SLOT.exec(name) ?? []
    if (of === slot && key !== undefined && value !== undefined) settings[key] = value
  }
  const adapter = env[`BURSAR_${slot}`]
  const { ORGANIZATION: owner } = settings
  if (owner !== undefined && !isId(owner)) {
    throw new ConfigError(`BURSAR_${slot}_ORGANIZATION must be the id of an organization, not ${JSON.stringify(owner)}`)
  }
  if (adapter !== undefined && adapter !== '') return [[slot, { adapter, settings, owner }]]
  if (adapter === '' || Object.keys(settings).length > 0) {
    throw new ConfigError(`BURSAR_${slot} must name the provider's adapter`)
  }
  return []
}
