// The official packages of x402, which have a workspace of their own.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LocalChain } from '../../../src/cli/demo/localChain.js'
import { projectRoot } from '../../support/root.js'
import type { Scope } from '../../support/process.js'

export interface Seller {
  /** Of what is sold. */
  url: string
  seen: { asked: number; served: number }
  /** `silent` settles and does not answer, `gone` does neither. */
  facilitator: { is: 'answering' | 'silent' | 'gone'; settled: { success: boolean; transaction: string }[] }
  stop(): Promise<void>
}

/** What a client pays with, by scheme `exact`. */
export interface Signed {
  signature: string
  authorization: object
}

interface Parties {
  startSeller(of: { rpcUrl: string; asset: string; payTo: string; price: number }): Promise<Seller>
  clientPayingBy(authorize: (requirements: { [name: string]: unknown }) => Promise<Signed>): {
    fetch: typeof fetch
    http: { encodePaymentSignatureHeader(payload: object): { [name: string]: string } }
  }
}

const { startSeller, clientPayingBy } = (await import(
  pathToFileURL(join(projectRoot, 'test', 'x402', 'parties.mjs')).href
)) as Parties

export { clientPayingBy }

/** The middleware of express, with a facilitator on the local chain. */
export async function sellerOn(t: Scope, chain: LocalChain, payTo: string, price: number): Promise<Seller> {
  const seller = await startSeller({ rpcUrl: chain.url, asset: chain.token, payTo, price })
  t.teardown(() => seller.stop())
  return seller
}
