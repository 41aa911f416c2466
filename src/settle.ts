// Wires settlement: custody, chains and whoever follows payments into them.
import { join } from 'node:path'
import { charts } from '../machines/index.js'
import type { ActorHost } from './actor/host.js'
import { takeForEver, type Taking } from './actor/taking.js'
import { callOf } from './actor/turn.js'
import { Accounts } from './chain/accounts.js'
import { CustodyError, type Custody } from './chain/custody.js'
import { Keystore } from './chain/keystore.js'
import { ChainNode } from './chain/node.js'
import { patient } from './chain/patience.js'
import { Settlement } from './chain/settlement.js'
import { Settler } from './chain/settler.js'
import { Slot, SLOTS, type SlotName } from './chain/slots.js'
import { Watcher } from './chain/watcher.js'
import type { ProviderSlot } from './commands/ports.js'
import type { Config } from './config.js'
import type { Ref } from './domain/gate.js'
import type { SanctionsList } from './domain/sanctions.js'
import type { CustodyType } from './domain/wallet.js'
import { secretIn } from './secrets.js'

/** Blocks of a local chain come when they are wanted, others every second or slower. */
const LOCAL = '31337'
const FRESH_MS = { local: 100, other: 1_000 }
const EVERY_MS = 50
const REPLACE_AFTER_MS = 60_000
const CUSTODY_PATIENCE_MS = 20_000
const BY = { by: { type: 'SYSTEM', id: 'settlement' } }

export interface Custodians {
  keystore: Keystore
  slots: Map<SlotName, Slot>
}

/** A slot that cannot be used is told of, and keeps nothing else from starting. */
export async function openCustody({ dataDir, settlement }: Config, log: SettlementNeeds['log']): Promise<Custodians> {
  const { keystoreKey, providers } = settlement
  const key = keystoreKey === undefined ? secretIn(join(dataDir, 'keystore.secret')) : Buffer.from(keystoreKey, 'hex')
  const slots = new Map<SlotName, Slot>()
  for (const name of SLOTS) {
    const config = providers[name]
    if (!config) continue
    const slot = await Slot.load(name, config)
    if (slot.wrong !== null) log('a custody provider cannot be used', { message: slot.wrong })
    slots.set(name, slot)
  }
  return { keystore: new Keystore(join(dataDir, 'keystore'), key), slots }
}

export function providerSlots({ slots }: Custodians): Record<SlotName, ProviderSlot> {
  const stateOf = (name: SlotName): ProviderSlot => {
    const slot = slots.get(name)
    if (!slot) return null
    return slot.wrong === null ? 'ready' : { wrong: slot.wrong }
  }
  return { PROVIDER_A: stateOf('PROVIDER_A'), PROVIDER_B: stateOf('PROVIDER_B') }
}

function custodyOf({ keystore, slots }: Custodians, type: CustodyType): Custody {
  if (type === 'MANAGED') return keystore
  const slot = slots.get(type as SlotName)
  if (slot) return slot.get()
  throw new CustodyError('CUSTODY_NOT_CONFIGURED', `Nobody is configured for wallets of custody ${type}`)
}

export interface SettlementNeeds {
  host: ActorHost
  waiting: (list: string, limit: number) => Ref[]
  /** The sanctions list in force; undefined where it cannot be read. */
  sanctions: () => SanctionsList | undefined
  now: () => number
  log: (event: string, fields: { [name: string]: unknown }) => void
}

/** Null in test settlement. It works from `start` on. */
export function createSettlement(
  { settlement }: Config,
  custodians: Custodians,
  { host, waiting, sanctions, now, log }: SettlementNeeds,
): Settlement | null {
  if (settlement.settlementMode === 'test') return null
  const nodes = new Map(
    Object.entries(settlement.nodes).map(([chainId, node]) => {
      const freshMs = chainId === LOCAL ? FRESH_MS.local : FRESH_MS.other
      return [chainId, new ChainNode({ ...node, chainId, freshMs })] as const
    }),
  )
  const accounts = new Accounts(host, now)
  const custody = (type: CustodyType): Custody => patient(custodyOf(custodians, type), CUSTODY_PATIENCE_MS)
  const take = (wanted: Taking): Promise<boolean> => takeForEver(host, wanted, now(), BY)
  return new Settlement({
    host,
    settler: new Settler({ accounts, nodes, custody, sanctions, take, now, replaceAfterMs: REPLACE_AFTER_MS }),
    watcher: new Watcher(host, nodes, now),
    nodes,
    callOf: (actor) => callOf(charts, actor),
    waiting,
    now,
    log,
    everyMs: EVERY_MS,
  })
}
