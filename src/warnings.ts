// What an operator should look at although the service takes requests: `/readyz`, `/metrics` and `bursar doctor` show it.
import type { ProviderSlot } from './commands/ports.js'
import { noOwner, SLOTS, type SlotName } from './domain/wallet.js'

export interface WarningPorts {
  providers: Readonly<Record<SlotName, ProviderSlot>>
  /** Organizations of the installation. */
  organizations: () => number
}

/** One sentence each. */
export function warningsNow({ providers, organizations }: WarningPorts): string[] {
  const isShared = organizations() > 1
  const ownerless = SLOTS.filter((slot) => providers[slot] !== null && providers[slot].owner === undefined)
  return isShared ? ownerless.map(noOwner) : []
}
