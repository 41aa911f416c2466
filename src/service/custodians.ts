// Opens the custody of wallets at the start: the keystore and the adapters in the provider slots. It loads nothing that
// only live settlement needs: settle.ts does.
import { join } from 'node:path'
import { Keystore } from '../chain/keystore.js'
import { Provider } from '../chain/providers.js'
import type { ProviderSlot } from '../commands/ports.js'
import type { Config } from '../config/config.js'
import type { Log } from '../domain/values/log.js'
import { SLOTS, type SlotName } from '../domain/parties/wallet.js'
import { ConfigError } from '../config/failure.js'
import { secretIn } from '../config/secrets.js'

export interface Custodians {
  keystore: Keystore
  slots: Map<SlotName, Provider>
}

interface KeystorePlace {
  dataDir: string
  keystoreKey: string | undefined
}

/** Throws ConfigError when the keystore was sealed with another key: sealing with both would mix them. */
export async function openKeystore({ dataDir, keystoreKey }: KeystorePlace): Promise<Keystore> {
  const key = keystoreKey === undefined ? secretIn(join(dataDir, 'keystore.secret')) : Buffer.from(keystoreKey, 'hex')
  const keystore = new Keystore(join(dataDir, 'keystore'), key)
  if (await keystore.fits()) return keystore
  const source = keystoreKey === undefined ? 'keystore.secret' : 'BURSAR_KEYSTORE_KEY'
  throw new ConfigError(`No key in ${join(dataDir, 'keystore')} opens: ${source} is not what they were sealed with`)
}

/** Logs a slot that cannot be used; it does not stop the start. */
export async function openCustody(config: Config, log: Log): Promise<Custodians> {
  const { providers, keystoreKey } = config.settlement
  const keystore = await openKeystore({ dataDir: config.dataDir, keystoreKey })
  const slots = new Map<SlotName, Provider>()
  for (const name of SLOTS) {
    const provider = providers[name]
    if (!provider) continue
    const slot = await Provider.load(name, provider)
    if (slot.wrong !== null) log('a custody provider cannot be used', { message: slot.wrong })
    slots.set(name, slot)
  }
  return { keystore, slots }
}

export function providerSlots({ slots }: Custodians): Record<SlotName, ProviderSlot> {
  const stateOf = (name: SlotName): ProviderSlot => {
    const slot = slots.get(name)
    if (!slot) return null
    return { wrong: slot.wrong === null ? null : slot.told, owner: slot.owner }
  }
  return { PROVIDER_A: stateOf('PROVIDER_A'), PROVIDER_B: stateOf('PROVIDER_B') }
}
