// Wires the watch over what leaves the wallets: which wallets there are, and which payments may be under way.
import { delegationsOfWallet } from '../../machines/delegation.js'
import { ORGANIZATIONS } from '../../machines/organization.js'
import { agentPaymentsOf, WORK_LISTS } from '../../machines/payment/lists.js'
import { walletsOf } from '../../machines/wallet.js'
import { idOf } from '../actor/actor.js'
import { OutgoingWatch, type OutgoingWatchParts } from '../chain/outgoingWatch.js'
import type { Ref } from '../domain/limits/gate.js'
import type { List } from '../domain/values/lists.js'

/** A local chain mines on demand. */
const LOCAL = '31337'
const EVERY_MS = { local: 500, other: 15_000 }
const PORTION = 1_000

/** Lists of actors, as they are on disk. */
export interface OutgoingLists {
  refs<K extends string>(list: List<K>): readonly Ref<K>[]
  /** The oldest of a list, after the end of another portion. */
  oldest<K extends string>(list: List<K>, limit: number, after?: string): { refs: Ref<K>[]; next: string | undefined }
}

type OutgoingNeeds = Pick<OutgoingWatchParts, 'host' | 'metaOf' | 'now' | 'log'> & { lists: OutgoingLists }

export function createOutgoingWatch(
  nodes: OutgoingWatchParts['nodes'],
  { lists, ...needs }: OutgoingNeeds,
): OutgoingWatch {
  return new OutgoingWatch({
    ...needs,
    nodes,
    wallets: () => walletsByOrganization(lists),
    openPayments: (walletId) => openPayments({ lists, ...needs }, walletId),
    everyMs: (chainId) => (chainId === LOCAL ? EVERY_MS.local : EVERY_MS.other),
  })
}

function* walletsByOrganization(lists: OutgoingLists): Generator<readonly Ref<'wallet'>[]> {
  for (const organization of lists.refs(ORGANIZATIONS)) yield lists.refs(walletsOf(idOf(organization)))
}

/** Of the agents that the wallet is or was delegated to, and those that are followed into their chains. */
function* openPayments({ host, lists }: OutgoingNeeds, walletId: string): Generator<readonly Ref<'payment'>[]> {
  const delegations = lists.refs(delegationsOfWallet(walletId))
  const agents = new Set(delegations.map((ref) => host.peek(ref)!.context.agentId))
  for (const agentId of agents) {
    for (const list of ['approved', 'transferring']) yield* portionsOf(lists, agentPaymentsOf(agentId, list))
  }
  yield* portionsOf(lists, WORK_LISTS.toFollow)
}

function* portionsOf<K extends string>(lists: OutgoingLists, list: List<K>): Generator<readonly Ref<K>[]> {
  let portion = lists.oldest(list, PORTION)
  yield portion.refs
  while (portion.next !== undefined) {
    portion = lists.oldest(list, PORTION, portion.next)
    yield portion.refs
  }
}
