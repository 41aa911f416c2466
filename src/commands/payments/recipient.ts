// Addresses that no payment may go to.
import { isAssetContract, isZeroAddress, type Address } from '../../domain/values/address.js'
import { refuse, type Refused } from '../../domain/outcomes/refusal.js'
import type { Services } from '../ports.js'

/** Why nothing may be paid to the address, said of the request's `field`; undefined when it may. */
export function unpayable(
  { assetContracts }: Pick<Services, 'assetContracts'>,
  { canonical }: Address,
  field: string,
): string | undefined {
  if (isZeroAddress(canonical)) return `${field} is the zero address`
  return isAssetContract(canonical, assetContracts) ? `${field} is the asset's own contract` : undefined
}

/** A payment's recipient that it cannot have. */
export function refusedRecipient(services: Pick<Services, 'assetContracts'>, recipient: Address): Refused | undefined {
  const why = unpayable(services, recipient, 'recipientAddress')
  return why === undefined ? undefined : refuse('INVALID_RECIPIENT', why)
}
