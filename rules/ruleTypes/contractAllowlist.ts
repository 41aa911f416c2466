// CONTRACT_ALLOWLIST: the contracts that may be paid, by address.
import { addresses } from './addresses.js'

export const contractAllowlist = addresses('CONTRACT_NOT_ALLOWED', ['ALLOW', 'DENY', 'REQUIRE_APPROVAL'], 'contracts')
