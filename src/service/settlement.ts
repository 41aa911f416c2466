// Wires live settlement: chain nodes, the settler that makes transfers, and the watcher that follows them. service.ts
// imports it for live settlement only, because the libraries of chains are half of a start; it starts and stops it.
import { charts } from '../../machines/index.js'
import { idOf } from '../actor/actor.js'
import type { ActorHost, View } from '../actor/host.js'
import { permanentKey, type PermanentKey } from '../domain/values/uniqueKeys.js'
import { metaOfActor } from '../actor/turn.js'
import { Accounts } from '../chain/accounts.js'
import { CustodyError, type Custody } from '../chain/custody.js'
import { ChainNode } from '../chain/node.js'
import { OutgoingWatch } from '../chain/outgoingWatch.js'
import { withTimeout } from '../chain/withTimeout.js'
import { TransferLoop } from '../chain/transferLoop.js'
import { TransferSteps, type TransferStepsParts } from '../chain/transferSteps.js'
import { Watcher } from '../chain/watcher.js'
import type { Config } from '../config/config.js'
import type { Custodians } from './custodians.js'
import { SETTLEMENT } from '../domain/audit/entry.js'
import type { Ref } from '../domain/limits/gate.js'
import type { Log } from '../domain/values/log.js'
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
/** Pauses between looks at what leaves the wallets. */
const OUTGOING_EVERY_MS = { local: 500, other: 15_000 }
const REPLACE_AFTER_MS = 60_000
const CUSTODY_TIMEOUT_MS = 20_000

function custodyOf({ keystore, slots }: Custodians, type: CustodyType): Custody {
  if (type === 'MANAGED') return keystore
  const slot = isProviderSlot(type) ? slots.get(type) : undefined
  if (slot) return slot.get()
  throw new CustodyError('CUSTODY_NOT_CONFIGURED', `Nobody is configured for wallets of custody ${type}`)
}

/** A provider that sends transfers itself may pay the fees from elsewhere. */
function isBuiltHere({ slots }: Custodians, type: CustodyType): boolean {
  return type === 'MANAGED' || (isProviderSlot(type) && slots.get(type)?.custody?.kind === 'signer')
}

/** Lists of actors, as they are on disk. */
export interface ListedActors {
  refs(list: string): readonly Ref[]
  /** The oldest of a list, after the end of another portion. */
  oldest(list: string, limit: number, after?: string): { refs: Ref[]; next: string | undefined }
}

export interface SettlementNeeds {
  host: ActorHost
  query: ListedActors
  /** The sanctions list in force; undefined when it cannot be read. */
  sanctions: () => SanctionsList | undefined
  /** Organizations of the installation. */
  organizations: () => number
  now: () => number
  log: Log
}

async function takeKey(host: ActorHost, { key, ...owner }: PermanentKey): Promise<boolean> {
  const attempt = host.attempt(SETTLEMENT)!
  const isTaken = attempt.take(permanentKey(key), owner)
  await (isTaken ? attempt.commit() : attempt.drop())
  return isTaken
}

const PORTION = 1_000

function* portionsOf(query: ListedActors, list: string): Generator<readonly Ref[]> {
  let portion = query.oldest(list, PORTION)
  yield portion.refs
  while (portion.next !== undefined) {
    portion = query.oldest(list, PORTION, portion.next)
    yield portion.refs
  }
}

/** Of the agents that the wallet is or was delegated to, and those that are followed into their chains. */
function* openPayments({ host, query }: Pick<SettlementNeeds, 'host' | 'query'>, walletId: string) {
  const delegations = query.refs(`wallet-delegations/${walletId}`)
  const agents = new Set(delegations.map((ref) => String(host.peek(ref)!.context['agentId'])))
  for (const agentId of agents) {
    for (const state of ['approved', 'transferring']) yield* portionsOf(query, `agent-payments/${agentId}/${state}`)
  }
  yield* portionsOf(query, 'followed')
}

function* walletsByOrganization(query: ListedActors): Generator<readonly Ref[]> {
  for (const organization of query.refs('organizations')) yield query.refs(`wallets/${idOf(organization)}`)
}

function createOutgoingWatch(
  nodes: ReadonlyMap<string, ChainNode>,
  { host, query, now, log }: Pick<SettlementNeeds, 'host' | 'query' | 'now' | 'log'>,
): OutgoingWatch {
  return new OutgoingWatch({
    host,
    nodes,
    wallets: () => walletsByOrganization(query),
    openPayments: (walletId) => openPayments({ host, query }, walletId),
    now,
    log,
    everyMs: (chainId) => (chainId === LOCAL ? OUTGOING_EVERY_MS.local : OUTGOING_EVERY_MS.other),
  })
}

/** Nothing runs before `start`. */
export function createSettlement(
  { settlement }: Config,
  custodians: Custodians,
  { host, query, sanctions, organizations, now, log }: SettlementNeeds,
): TransferLoop {
  const nodes = new Map(
    Object.entries(settlement.nodes).map(([chainId, node]) => {
      const freshMs = chainId === LOCAL ? FRESH_MS.local : FRESH_MS.other
      return [chainId, new ChainNode({ ...node, chainId, freshMs })] as const
    }),
  )
  const accounts = new Accounts(host, now)
  const custody = (type: CustodyType): Custody => withTimeout(custodyOf(custodians, type), CUSTODY_TIMEOUT_MS)
  const look = async (refs: readonly Ref[]): Promise<View> => {
    const found = new Map((await host.read(refs)).map((actor, at) => [refs[at]!, actor]))
    return (ref) => found.get(ref)
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
  const elapsed = (): number => performance.now()
  return new TransferLoop({
    host,
    settler: new TransferSteps({
      accounts,
      nodes,
      custody,
      sanctions,
      objection,
      take: (wanted) => takeKey(host, wanted),
      look,
      now,
      replaceAfterMs: REPLACE_AFTER_MS,
    }),
    accounts,
    watcher: new Watcher({ host, nodes, isBuiltHere: (type) => isBuiltHere(custodians, type), now, elapsed, log }),
    outgoing: createOutgoingWatch(nodes, { host, query, now, log }),
    nodes,
    callOf: (actor) => metaOfActor(charts, actor).call,
    waiting: query.oldest.bind(query),
    now,
    elapsed,
    log,
    everyMs: EVERY_MS,
  })
}
