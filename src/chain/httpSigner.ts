// A signer behind HTTP: a key server that speaks Ethereum's JSON-RPC `eth_signTransaction` (Web3Signer, Clef and
// others do). It only signs and never sends; the signed bytes are checked before they are used.
import type { Hex, LocalAccount } from 'viem'
import { numberToHex } from 'viem/utils'
import { CustodyError, type Custody, type CustodySettings, type Signer } from './custody.js'

const TIMEOUT_MS = 10_000

interface Wanted {
  to?: string | null
  data?: Hex
  nonce?: number
  gas?: bigint
  maxFeePerGas?: bigint
  maxPriorityFeePerGas?: bigint
  chainId?: number
}

/**
 * Settings: `URL` of the server; `TOKEN`, sent as a Bearer token; `ORGANIZATION`, the id of the only one to sign for.
 */
export function createCustody({ URL: url, TOKEN: token, ORGANIZATION: served }: CustodySettings): Custody {
  if (url === undefined || !URL.canParse(url)) throw new Error('URL must be the address of the signing server')
  if (served === '') throw new Error('ORGANIZATION must be the id of an organization')
  const ask = (method: string, params: unknown): Promise<unknown> => call(url, token, method, params)
  const signer: Signer = {
    kind: 'signer',
    account: async (address, organization) => {
      if (served !== undefined && organization !== served) {
        throw new CustodyError('WALLET_CONFIG_ERROR', 'The signing server does not serve this organization')
      }
      const signTransaction = async (transaction: unknown): Promise<Hex> => {
        return rawOf(await ask('eth_signTransaction', [asRpc(address, transaction as Wanted)]))
      }
      return { address: address as Hex, signTransaction: signTransaction as LocalAccount['signTransaction'] }
    },
  }
  return signer
}

function asRpc(from: string, wanted: Wanted): object {
  const hex = (value: number | bigint | undefined): Hex => numberToHex(value ?? 0)
  return {
    from,
    to: wanted.to,
    data: wanted.data,
    value: '0x0',
    nonce: hex(wanted.nonce),
    gas: hex(wanted.gas),
    maxFeePerGas: hex(wanted.maxFeePerGas),
    maxPriorityFeePerGas: hex(wanted.maxPriorityFeePerGas),
    chainId: hex(wanted.chainId),
  }
}

/** Some servers answer the bytes, others `{raw}` beside the transaction. */
function rawOf(answer: unknown): Hex {
  const raw = typeof answer === 'object' && answer !== null && 'raw' in answer ? answer.raw : answer
  if (typeof raw === 'string' && /^0x[0-9a-f]+$/i.test(raw)) return raw as Hex
  throw new CustodyError('WALLET_CONFIG_ERROR', 'The signing server did not answer a signed transaction')
}

async function call(url: string, token: string | undefined, method: string, params: unknown): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' }).catch(() => undefined)
  const answer = (await response?.json().catch(() => undefined)) as { result?: unknown; error?: unknown } | undefined
  if (!response || !answer || (!response.ok && answer.error === undefined)) {
    throw new CustodyError('UNAVAILABLE', 'The signing server cannot be reached')
  }
  if (answer.result === undefined) throw new CustodyError('WALLET_CONFIG_ERROR', 'The signing server refuses to sign')
  return answer.result
}
