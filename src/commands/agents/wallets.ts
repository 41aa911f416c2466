// Commands on wallets: creating, changing, funding and deleting them. Spending is decided at their gate.
import { delegationsOfWallet } from '../../../machines/delegation.js'
import { walletsOf } from '../../../machines/wallet.js'
import type { Page, Paging } from '../../actor/query.js'
import type { Address } from '../../domain/values/address.js'
import { CHAINS, DEFAULT_CHAIN, type ChainType } from '../../domain/values/chains.js'
import { newId } from '../../domain/values/ids.js'
import { folded } from '../../domain/values/text.js'
import { toNumber, type Micros } from '../../domain/values/money.js'
import { refuse, refuseAt, refuseField, succeed, type Result, type Succeeded } from '../../domain/outcomes/result.js'
import { isProviderSlot, type CustodyType, type WalletFields, type WalletStatus } from '../../domain/parties/wallet.js'
import { type Actor, idOf } from '../../actor/actor.js'
import { walletAddressKey } from '../../domain/values/uniqueKeys.js'
import type { Ref } from '../../domain/limits/gate.js'
import { addressKey, foreignAnywhere, slotRefusal } from './addresses.js'
import { find, outcome, refusedOnDisk, send, sendAllIf } from '../send.js'
import { deleteWith } from '../deletion.js'
import type { Caller, Services } from '../ports.js'
import { SLICES_OF_READ } from '../overdue.js'
import { retryOnConflict } from '../retryOnConflict.js'
import { walletStatus } from '../status.js'

export interface NewWallet {
  name: string
  custodyType: CustodyType
  chainType: ChainType
  chainId?: string | undefined
  address?: Address | undefined
  walletType: string
}

interface NewAddress {
  chainId: string
  address: string
}

/** The chain and address of a new wallet, or what is wrong with them. */
async function placed(
  services: Services,
  organization: string,
  given: NewWallet,
): Promise<Result<NewAddress, 'INVALID_ADDRESS' | 'VALIDATION_ERROR'>> {
  const chainId = given.chainId ?? DEFAULT_CHAIN[given.chainType]
  const chain = CHAINS[chainId]
  if (!chain) return refuseField('chainId', `must be one of ${Object.keys(CHAINS).join(', ')}`)
  if (chain.chainType !== given.chainType) return refuseField('chainId', `is not a chain of type ${given.chainType}`)
  if (given.address && given.address.chainType !== given.chainType) {
    return refuseAt('INVALID_ADDRESS', 'address', `address is not an address of a ${given.chainType} chain`)
  }
  if (given.address) return succeed({ chainId, address: given.address.display })
  if (!isAddressMade(services, given.custodyType)) {
    return refuseField('address', `is required for a wallet of custody ${given.custodyType}`)
  }
  if (given.chainType !== 'EVM') {
    return refuseField('address', 'is required: the service keeps keys of EVM wallets only')
  }
  return succeed({ chainId, address: await services.newAddress(organization) })
}

/**
 * True where the service makes the address. A provider's wallet pays nothing real in test settlement, so it gets one
 * too.
 */
function isAddressMade({ settlementMode }: Services, custodyType: CustodyType): boolean {
  if (custodyType === 'MANAGED') return true
  return settlementMode === 'test' && isProviderSlot(custodyType)
}

export interface CreatedWallet {
  wallet: Actor<'wallet'>
  /** It was there before. */
  existed: boolean
}

/** Idempotent on (address, chain): an existing wallet with both is the answer. */
export async function createWallet(
  services: Services,
  caller: Caller,
  given: NewWallet,
): Promise<
  Result<
    CreatedWallet,
    'ALREADY_EXISTS' | 'INVALID_ADDRESS' | 'UNAVAILABLE' | 'VALIDATION_ERROR' | 'WALLET_CONFIG_ERROR'
  >
> {
  const { organization } = caller.principal
  const unserved = slotRefusal(services, organization, given.custodyType)
  if (unserved && given.address === undefined) return refusedOnDisk(services, unserved)
  const found = await placed(services, organization, given)
  if (!found.ok) return found
  const place = found.value
  const { chainId, address } = place
  const { name, custodyType, chainType, walletType } = given
  const fields: WalletFields = { name, address, walletType, chainType, chainId, custodyType, currency: 'USDC' }
  // A key that was made for the organization proves its address.
  const grounds = given.address === undefined ? { permanentKey: addressKey(address) } : {}
  return retryOnConflict(async () => {
    const foreign = await foreignAnywhere(services, organization, address)
    if (foreign) return refusedOnDisk(services, foreign)
    if (unserved) return existingAt(services, caller, place, unserved)
    const id = newId(services.random)
    const created = { id, fields, order: services.nextOrder() }
    const to: Ref<'wallet'> = `wallet/${id}`
    const reply = await sendAllIf(services, caller, grounds, to, [{ to, type: 'CREATE', fields: created }])
    if (!reply) return undefined
    const made = outcome<'wallet', 'ALREADY_EXISTS'>(reply)
    if (made.ok) return succeed({ wallet: made.value, existed: false })
    if (made.refusal.code !== 'ALREADY_EXISTS') return made
    // A wallet that was deleted meanwhile has left its address free.
    return existingAt(services, caller, place, undefined)
  })
}

/** The organization's wallet at this place, or `otherwise`. */
async function existingAt<Otherwise>(
  services: Services,
  caller: Caller,
  { chainId, address }: NewAddress,
  otherwise: Otherwise,
): Promise<Succeeded<CreatedWallet> | Otherwise> {
  const existing = await walletAt(services, caller, chainId, address)
  return existing.ok ? succeed({ wallet: existing.value, existed: true }) : otherwise
}

/** The organization's wallet with this address on this chain. */
function walletAt(
  services: Services,
  caller: Caller,
  chainId: string,
  address: string,
): Promise<Result<Actor<'wallet'>, 'NOT_FOUND'>> {
  const owned = services.host.keyOwner(walletAddressKey(caller.principal.organization, chainId, address))
  return findWallet(services, caller, owned ? idOf(owned.owner as Ref) : '')
}

function findWallet(services: Services, caller: Caller, id: string): Promise<Result<Actor<'wallet'>, 'NOT_FOUND'>> {
  return find(services, caller, 'wallet', id)
}

/** A wallet, with its balance read from the chain in live settlement. */
export async function readWallet(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'wallet'>, 'NOT_FOUND'>> {
  const found = await findWallet(services, caller, id)
  if (!found.ok) return found
  await refreshed(services, caller, [found.value.ref])
  return findWallet(services, caller, id)
}

export interface WalletList extends Paging {
  search?: string | undefined
  status?: string | undefined
  chainType?: string | undefined
  custodyType?: string | undefined
}

/** What is shown of balances is that of the chain, and no hold that is over. */
async function refreshed({ overdue, settlement }: Services, caller: Caller, refs: Ref<'wallet'>[]): Promise<void> {
  await overdue.endAt(caller.principal.organization, refs, SLICES_OF_READ)
  await settlement?.observe(refs)
}

/** Wallets, newest first; `search` is a literal part of name or address, ignoring case. */
export async function listWallets(
  services: Services,
  caller: Caller,
  query: WalletList,
): Promise<Page<'wallet'> | undefined> {
  const { status, search, chainType, custodyType, ...paging } = query
  const part = folded(search ?? '')
  const list = walletsOf(caller.principal.organization)
  const page = await services.query.filtered({ ...paging, list }, (actor) => {
    const { fields } = actor.context
    if (status !== undefined && walletStatus(actor) !== status) return false
    if (!folded(`${fields.name}\n${fields.address}`).includes(part)) return false
    if (chainType !== undefined && fields.chainType !== chainType) return false
    return custodyType === undefined || fields.custodyType === custodyType
  })
  if (page === undefined) return page
  const refs = page.actors.map(({ ref }) => ref)
  await refreshed(services, caller, refs)
  return { ...page, actors: (await services.host.read(refs)).map((actor) => actor!) }
}

const COMMANDS: Record<WalletStatus, string> = { ACTIVE: 'ACTIVATE', FROZEN: 'FREEZE', ARCHIVED: 'ARCHIVE' }

export async function updateWallet(
  services: Services,
  caller: Caller,
  id: string,
  { name, status }: { name?: string | undefined; status?: WalletStatus | undefined },
): Promise<Result<Actor<'wallet'>, 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findWallet(services, caller, id)
  if (!found.ok) return found
  const command = status === undefined ? 'UPDATE' : COMMANDS[status]
  return outcome(await send(services, caller, found.value.ref, command, name === undefined ? {} : { name }))
}

/** Deletes the wallet and revokes its delegations; refused while a payment holds some of its balance. */
export async function deleteWallet(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Actor<'wallet'>, 'INVALID_STATUS' | 'NOT_FOUND' | 'UNAVAILABLE'>> {
  // A hold that is over keeps no wallet.
  await services.overdue.endAt(caller.principal.organization, [`wallet/${id}`], Infinity)
  const found = await findWallet(services, caller, id)
  if (!found.ok) return found
  const { ref } = found.value
  return deleteWith<'wallet'>(services, caller, ref, [delegationsOfWallet(id)], undefined, { INVALID_STATUS: HELD })
}

const HELD = 'Payments hold some of the wallet: wait until they have ended'

/** Adds to a simulated balance; refused in live settlement. */
export async function fundWallet(
  services: Services,
  caller: Caller,
  id: string,
  amount: Micros,
): Promise<Result<Actor<'wallet'>, 'INVALID_AMOUNT' | 'INVALID_STATUS' | 'NOT_FOUND'>> {
  const found = await findWallet(services, caller, id)
  if (!found.ok) return found
  if (services.settlementMode === 'live') {
    return refuse('INVALID_STATUS', 'Wallets are funded on their chain in live settlement')
  }
  return outcome(await send(services, caller, found.value.ref, 'FUND', { amount }), {
    INVALID_AMOUNT: { path: 'amount', message: TOO_MUCH },
  })
}

const MOST = Math.floor(toNumber(Number.MAX_SAFE_INTEGER))
const TOO_MUCH = `The balance would be more than a wallet can hold, which is ${MOST}: fund it with less`
