// Fills the slots PROVIDER_A and PROVIDER_B with adapters named in the configuration: one of those shipped, or a module
// of the operator's. What cannot be loaded is kept as what is wrong with it, so that payments can say so.
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SlotName } from '../domain/wallet.js'
import { CustodyError, type Custody, type CustodyModule, type CustodySettings } from './custody.js'
import * as httpSigner from './httpSigner.js'

export interface SlotConfig {
  /** Of a shipped adapter, a package, or a file (a path with a slash). */
  adapter: string
  settings: CustodySettings
}

const SHIPPED: Readonly<Record<string, CustodyModule>> = { 'http-signer': httpSigner }

export class Slot {
  private constructor(
    readonly name: SlotName,
    readonly custody: Custody | undefined,
    /** For whoever runs the service; it may name files and addresses. Null when it is ready. */
    readonly wrong: string | null,
  ) {}

  /** What is wrong with it, for everybody else. */
  get told(): string {
    return `${this.name} cannot use its adapter: the service's log says why`
  }

  static async load(name: SlotName, { adapter, settings }: SlotConfig): Promise<Slot> {
    try {
      const module = SHIPPED[adapter] ?? ((await import(locationOf(adapter))) as Partial<CustodyModule>)
      if (typeof module.createCustody !== 'function') throw new Error('it exports no createCustody')
      const custody = await module.createCustody(settings)
      if (!isCustody(custody)) throw new Error('it made neither a signer nor a submitter with an id')
      return new Slot(name, custody, null)
    } catch (error) {
      return new Slot(name, undefined, `${name} cannot use its adapter ${adapter}: ${(error as Error).message}`)
    }
  }

  /** Throws a CustodyError where the adapter could not be loaded. */
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
  return (kind === 'signer' && are(account)) || (kind === 'submitter' && typeof id === 'string' && id !== '' && are(submit, status))
}
