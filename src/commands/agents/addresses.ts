// Whose an address is: the organization's that proved first that it controls it. And for whom the providers' slots make
// wallets and pay.
import { ORGANIZATIONS } from '../../../machines/organization.js'
import { refuse, type Refused } from '../../domain/outcomes/result.js'
import { permanentKey } from '../../domain/values/uniqueKeys.js'
import {
  isProviderSlot,
  payingObjection,
  provedByOthers,
  provenAddressKey,
  slotObjection,
  type CustodyType,
  type SlotUse,
} from '../../domain/parties/wallet.js'
import type { Services } from '../ports.js'

/** In the index of unique keys. */
export function addressKey(address: string): string {
  return permanentKey(provenAddressKey(address))
}

/** The organization that proved the address first, as the host knows it now. */
export function proverOf({ host }: Pick<Services, 'host'>, address: string): string | undefined {
  return host.keyOwner(addressKey(address))?.organization
}

/** Another organization has proved the address. */
export function foreignAddress(
  services: Pick<Services, 'host'>,
  organization: string,
  address: string,
): Refused<'WALLET_CONFIG_ERROR'> | undefined {
  if ((proverOf(services, address) ?? organization) === organization) return undefined
  return refuse('WALLET_CONFIG_ERROR', provedByOthers(address))
}

/** An organization of another shard has. */
export async function provedElsewhere(
  { otherShards }: Pick<Services, 'otherShards'>,
  address: string,
): Promise<Refused<'WALLET_CONFIG_ERROR'> | undefined> {
  if (!(await otherShards.isElsewhere(addressKey(address)))) return undefined
  return refuse('WALLET_CONFIG_ERROR', provedByOthers(address))
}

/** Another organization of this shard or of another one has. */
export async function foreignAnywhere(
  services: Pick<Services, 'host' | 'otherShards'>,
  organization: string,
  address: string,
): Promise<Refused<'WALLET_CONFIG_ERROR'> | undefined> {
  return foreignAddress(services, organization, address) ?? (await provedElsewhere(services, address))
}

/** Why the custody makes no wallets for the organization: its slot serves others, or nobody said whom. */
export function slotRefusal(
  services: Services,
  organization: string,
  custodyType: CustodyType,
): Refused<'WALLET_CONFIG_ERROR'> | undefined {
  const use = useOf(services, organization, custodyType)
  const said = use && slotObjection(use)
  return said === undefined ? undefined : refuse('WALLET_CONFIG_ERROR', said)
}

/** Why a provider's wallet pays nothing for the organization. */
export function payingRefusal(
  services: Services,
  organization: string,
  { address, custodyType }: { address: string; custodyType: CustodyType },
): Refused<'WALLET_CONFIG_ERROR'> | undefined {
  const use = useOf(services, organization, custodyType)
  const said = use && payingObjection(use, proverOf(services, address))
  return said === undefined ? foreignAddress(services, organization, address) : refuse('WALLET_CONFIG_ERROR', said)
}

/** Undefined for other custody, and for a slot that is not configured: it serves nobody. */
function useOf({ providers, query }: Services, organization: string, custodyType: CustodyType): SlotUse | undefined {
  const slot = isProviderSlot(custodyType) ? custodyType : undefined
  const configured = slot && providers[slot]
  if (!slot || !configured) return undefined
  return { slot, owner: configured.owner, organization, organizations: query.size(ORGANIZATIONS) }
}
