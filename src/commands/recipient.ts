// Addresses that no payment may go to.
import { isAssetContract, isZeroAddress, type Address } from '../domain/address.js'
import { refuse, type Refused } from '../domain/refusal.js'
import type { Services } from './ports.js'

/** Why the address cannot be a recipient; `field` is the request's field it came in. */
export function refusedRecipient(
  { assetContracts }: Pick<Services, 'assetContracts'>,
  { canonical }: Address,
  field: string,
): Refused | undefined {
  if (isZeroAddress(canonical)) return refuse('INVALID_ADDRESS', `${field} is the zero address`)
  if (isAssetContract(canonical, assetContracts))
    return refuse('INVALID_ADDRESS', `${field} is the asset's own contract`)
  return undefined
}
