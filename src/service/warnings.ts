// What an operator should look at although the service takes requests: `/readyz`, `/metrics` and `bursar doctor` show it.
import type { ProviderSlot } from '../commands/ports.js'
import { noOwner, SLOTS, type SlotName } from '../domain/parties/wallet.js'

export interface WarningPorts {
  providers: Readonly<Record<SlotName, ProviderSlot>>
  /** Organizations of the installation. */
  organizations: () => number
  lastCheckpoints: { readonly conflicts: number }
}

const REWOUND =
  'an audit log does not continue the last checkpoint that was signed of it, so none is signed: the log says which'

/** One sentence each. */
export function warningsNow({ providers, organizations, lastCheckpoints }: WarningPorts): string[] {
  const rewound = lastCheckpoints.conflicts > 0 ? [REWOUND] : []
  const isShared = organizations() > 1
  const ownerless = SLOTS.filter((slot) => providers[slot] !== null && providers[slot].owner === undefined)
  return [...rewound, ...(isShared ? ownerless.map(noOwner) : [])]
}
