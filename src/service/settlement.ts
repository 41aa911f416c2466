// Wires live settlement: chain nodes, the settler that makes transfers, and the watcher that follows them. service.ts
// imports it for live settlement only, because the libraries of chains are half of a start; it starts and stops it.
import { charts } from '../../machines/index.js'
import { viewOn, type ActorHost, type View } from '../actor/host.js'
import { permanentKey, type PermanentKey } from '../domain/values/uniqueKeys.js'
import { metaOfActor } from '../actor/turn.js'
import type { Claims } from '../commands/ports.js'
import type { LeaseDeadline } from '../async/leaseDeadline.js'
import { Accounts } from '../chain/accounts.js'
import { CustodyError, type Custody } from '../chain/custody.js'
import { ChainNode } from '../chain/node.js'
import { withTimeout } from '../chain/withTimeout.js'
import { TransferLoop, type TransferLoopParts } from '../chain/transferLoop.js'
import type { MetaOf } from '../chain/preflight.js'
import { TransferSteps, type TransferStepsParts } from '../chain/transferSteps.js'
import { Watcher } from '../chain/watcher.js'
import type { Config } from '../config/config.js'
import type { Custodians } from './custodians.js'
import { SETTLEMENT } from '../domain/audit/entry.js'
import type { Ref } from '../domain/limits/gate.js'
import type { Log } from '../domain/values/log.js'
import { createOutgoingWatch, type OutgoingLists } from './outgoing.js'
import type { SanctionsList } from '../domain/parties/sanctions.js'
import {
  isProviderSlot,
  payingObjection,
  provedByOthers,
  provenAddressKey,
  type CustodyType,
} from '../domain/parties/wallet.js'

/** A local chain mines on demand; others have a block every second or slower. */
const LOCAL = '31337'
const FRESH_MS = { local: 100, other: 1_000 }
const EVERY_MS = 50
const REPLACE_AFTER_MS = 60_000
const CUSTODY_TIMEOUT_MS = 20_000

function custodyOf({ keystore, slots }: Custodians, type: CustodyType): Custody {
  if (type === 'MANAGED') return keystore
  const slot = isProviderSlot(type) ? slots.get(type) : undefined
  if (slot) return slot.get()
  throw new CustodyError('CUSTODY_NOT_CONFIGURED', `No provider is configured for wallets of custody ${type}`)
}

/** A provider that sends transfers itself may pay the fees from elsewhere. */
function isBuiltHere({ slots }: Custodians, type: CustodyType): boolean {
  return type === 'MANAGED' || (isProviderSlot(type) && slots.get(type)?.custody?.kind === 'signer')
}

export interface SettlementNeeds {
  host: ActorHost
  waiting: TransferLoopParts['waiting']
  lists: OutgoingLists
  /** The sanctions list in force; undefined when it cannot be read. */
  sanctions: () => SanctionsList | undefined
  /** Organizations of the installation. */
  organizations: () => number
  /** Of a node: until when nobody else can own its shard. */
  lease: LeaseDeadline | undefined
  claims: Claims
  now: () => number
  log: Log
}

async function takeKey(host: ActorHost, claims: Claims, { key, ...owner }: PermanentKey): Promise<boolean> {
  if (!(await claims.take(permanentKey(key)))) return false
  const attempt = host.attempt(SETTLEMENT)!
  const isTaken = attempt.take(permanentKey(key), owner)
  await (isTaken ? attempt.commit() : attempt.drop())
  return isTaken
}

/** Nothing runs before `start`. */
export function createSettlement(
  { settlement }: Config,
  custodians: Custodians,
  { host, waiting, lists, sanctions, organizations, lease, claims, now, log }: SettlementNeeds,
): TransferLoop {
  const mayAct = (): void => {
    if (lease?.isHeld === false) throw new CustodyError('UNAVAILABLE', 'This node does not own its shard any more')
  }
  const nodes = new Map(
    Object.entries(settlement.nodes).map(([chainId, node]) => {
      const freshMs = chainId === LOCAL ? FRESH_MS.local : FRESH_MS.other
      return [chainId, new ChainNode({ ...node, chainId, freshMs }, mayAct)] as const
    }),
  )
  const accounts = new Accounts(host, now)
  const custody = (type: CustodyType): Custody =>
    withTimeout(custodyOf(custodians, type), { limitMs: CUSTODY_TIMEOUT_MS, mayAct })
  const look = async (refs: readonly Ref[]): Promise<View> => {
    return viewOn(await host.read(refs))
  }
  const objection: TransferStepsParts['objection'] = async (organization, { address, custodyType }) => {
    if (custodyType === 'MANAGED') return undefined
    const prover = host.keyOwner(permanentKey(provenAddressKey(address)))?.organization
    const owner = prover ?? (await custodians.keystore.madeFor(address)) ?? organization
    if (owner !== organization) return provedByOthers(address)
    if (!isProviderSlot(custodyType)) return undefined
    const use = { slot: custodyType, owner: custodians.slots.get(custodyType)?.owner, organization }
    return payingObjection({ ...use, organizations: organizations() }, prover)
  }
  const metaOf: MetaOf = (actor) => metaOfActor(charts, actor)
  const elapsed = (): number => performance.now()
  const take: TransferStepsParts['take'] = (wanted) => takeKey(host, claims, wanted)
  return new TransferLoop({
    host,
    settler: new TransferSteps({
      metaOf,
      accounts,
      nodes,
      custody,
      sanctions,
      objection,
      take,
      look,
      now,
      replaceAfterMs: REPLACE_AFTER_MS,
    }),
    authorizations: { nodes, take },
    accounts,
    watcher: new Watcher({ host, nodes, isBuiltHere: (type) => isBuiltHere(custodians, type), now, elapsed, log }),
    outgoing: createOutgoingWatch(nodes, { host, metaOf, lists, now, log }),
    nodes,
    metaOf,
    waiting,
    now,
    elapsed,
    log,
    everyMs: EVERY_MS,
  })
}
