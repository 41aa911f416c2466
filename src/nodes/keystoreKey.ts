// Nodes share the keys of wallets, sealed under BURSAR_KEYSTORE_KEY: those of a folder must open with it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, Failure } from '../config/failure.js'
import { openKeystore } from '../service/custodians.js'

/** What a service makes that has no BURSAR_KEYSTORE_KEY. */
const GENERATED = 'keystore.secret'

/** Throws Failure, with what to do, where the keys of the folder were sealed with another key. */
export async function refuseOtherKeystoreKey(dataDir: string, keystoreKey: string): Promise<void> {
  try {
    await openKeystore({ dataDir, keystoreKey })
  } catch (error) {
    const generated = join(dataDir, GENERATED)
    if (!(error instanceof ConfigError) || !existsSync(generated)) throw error
    throw new Failure(
      `The keys of wallets were sealed with ${generated}: set BURSAR_KEYSTORE_KEY to what that file has`,
    )
  }
}
