// Loads the configured adapters into the slots PROVIDER_A and PROVIDER_B: a shipped adapter, or a module of the
// operator's. A slot that fails to load keeps the reason, so that payments can report it.
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SlotName } from '../domain/parties/wallet.js'
import { CustodyError, type Custody, type CustodyModule, type CustodySettings } from './custody.js'

export interface ProviderConfig {
  /** The name of a shipped adapter, a package, or a file (a path that is absolute or begins with a dot). */
  adapter: string
  settings: CustodySettings
  /** The only organization that it serves; undefined for whichever is alone. */
  owner: string | undefined
}

const SHIPPED: Readonly<Record<string, () => Promise<CustodyModule>>> = {
  'http-signer': () => import('./httpSigner.js'),
}

export class Provider {
  private constructor(
    readonly name: SlotName,
    readonly custody: Custody | undefined,
    /** The load error, for the operator only: it may name files and addresses. Null when the slot is ready. */
    readonly wrong: string | null,
    readonly owner: string | undefined,
  ) {}

  /** The load error for API clients, without details. */
  get told(): string {
    return `${this.name} cannot use its adapter: the service's log says why`
  }

  static async load(name: SlotName, { adapter, settings, owner }: ProviderConfig): Promise<Provider> {
    try {
      const module: Partial<CustodyModule> = await (SHIPPED[adapter]?.() ?? import(locationOf(adapter)))
      if (typeof module.createCustody !== 'function') throw new Error('it exports no createCustody')
      const custody = await module.createCustody(settings)
      if (!isCustody(custody)) throw new Error('it made neither a signer nor a submitter with an id')
      return new Provider(name, custody, null, owner)
    } catch (error) {
      return new Provider(
        name,
        undefined,
        `${name} cannot use its adapter ${adapter}: ${(error as Error).message}`,
        owner,
      )
    }
  }

  /** Throws a CustodyError when the adapter could not be loaded. */
  get(): Custody {
    if (this.custody) return this.custody
    throw new CustodyError('WALLET_CONFIG_ERROR', this.told)
  }
}

function locationOf(adapter: string): string {
  const isFile = isAbsolute(adapter) || adapter.startsWith('.')
  return isFile ? pathToFileURL(resolve(adapter)).href : adapter
}

function isCustody(made: unknown): made is Custody {
  const { kind, account, id, submit, status } = (made ?? {}) as Record<string, unknown>
  const are = (...all: unknown[]): boolean => all.every((one) => typeof one === 'function')
  return (
    (kind === 'signer' && are(account)) ||
    (kind === 'submitter' && typeof id === 'string' && id !== '' && are(submit, status))
  )
}
