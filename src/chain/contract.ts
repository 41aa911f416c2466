// Checks an adapter against the custody contract of docs/custody.md. It has the adapter sign, and a submitter send one
// transfer: run it on a test chain only.
import { recoverTransactionAddress, type Address, type Hex } from 'viem'
import { isAddressEqual, parseTransaction } from 'viem/utils'
import type { TransferOrder } from '../domain/payment/settlement.js'
import { reasonOf, type Custody, type Signer, type Submitter } from './custody.js'
import { transferData } from './node.js'
import { isLowS } from './transfer.js'

export interface SampleTransfer {
  /** A transfer that the adapter can make or sign. */
  order: TransferOrder
  organization: string
  /** An organization that may not use this address; absent for adapters that leave the check to the service. */
  foreign?: string
  /** An address that the adapter has no key for. */
  stranger: string
}

/** One sentence for each breach of the contract. */
export async function contractProblems(custody: Custody, sample: SampleTransfer): Promise<string[]> {
  return custody.kind === 'signer' ? signerProblems(custody, sample) : submitterProblems(custody, sample)
}

async function signerProblems(
  signer: Signer,
  { order, organization, foreign, stranger }: SampleTransfer,
): Promise<string[]> {
  const problems: string[] = []
  const account = await signer.account(order.from, organization)
  if (!isAddressEqual(account.address, order.from as Address)) problems.push('it gives the account of another address')
  const wanted = wantedOf(order)
  const raw = await account.signTransaction(wanted)
  const signed = parseTransaction(raw)
  const fields = ['chainId', 'data', 'nonce', 'gas', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const
  for (const field of fields) if (signed[field] !== wanted[field]) problems.push(`it signs another ${field}`)
  if (!isAddressEqual(signed.to!, wanted.to)) problems.push('it signs for another contract')
  if (!isLowS(signed.s)) problems.push('it signs with an s that no node takes (EIP-2)')
  const sender = await recoverTransactionAddress({ serializedTransaction: raw as never })
  if (!isAddressEqual(sender, order.from as Address)) problems.push('it signs with the key of another address')
  const others = [
    [stranger, organization, 'an address that it has no key of'],
    [order.from, foreign, 'a foreign organization'],
  ]
  for (const [address, whose, what] of others) {
    if (whose === undefined) continue
    const trying = signer.account(address!, whose).then((other) => other.signTransaction(wanted))
    const failed = await trying.then(
      () => undefined,
      (error: unknown) => error,
    )
    if (failed === undefined) problems.push(`it signs for ${what}`)
    else if (reasonOf(failed) === undefined) problems.push('its refusals carry no code')
  }
  return problems
}

function wantedOf({ chainId, to, amount, asset }: TransferOrder) {
  return {
    type: 'eip1559',
    chainId: Number(chainId),
    to: asset as Address,
    data: transferData(to, amount),
    nonce: 7,
    gas: 65_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  } as const satisfies { data: Hex; [field: string]: unknown }
}

async function submitterProblems(
  submitter: Submitter,
  { order, organization, foreign }: SampleTransfer,
): Promise<string[]> {
  const problems: string[] = []
  const key = `contract.${order.to}`
  const wanted = { ...order, organization }
  if ((await submitter.status(key)).is !== 'absent') problems.push('it knows of what it was never asked')
  const first = await submitter.submit(wanted, key)
  if (first.is !== 'accepted') return [...problems, 'it does not accept the transfer']
  const again = await submitter.submit(wanted, key)
  const told = await submitter.status(key)
  for (const [what, answer] of [
    ['a second submission', again],
    ['its status', told],
  ] as const) {
    if (answer.is !== 'accepted') problems.push(`${what} under the same key is not accepted`)
    else if (first.txHash !== undefined && answer.txHash !== first.txHash)
      problems.push(`${what} is another transaction`)
  }
  if (foreign === undefined) return problems
  const other = await submitter.submit({ ...wanted, organization: foreign }, `${key}.foreign`)
  if (other.is !== 'refused') problems.push('it sends for a foreign organization')
  return problems
}
