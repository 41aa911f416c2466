// Receipts: one payment in one document, which proves itself without the service to every holder of the checkpoint key.
import type { LogTree } from '../../actor/auditLog.js'
import { rawEntry, readableEntry, type StoredEntry } from '../../domain/audit/forms.js'
import { currentDecision } from '../../domain/payment/terms.js'
import { refuse, succeed, type Result } from '../../domain/outcomes/result.js'
import { findTree, proveEntry, signCheckpoint } from './audit.js'
import { findPayment } from '../payments/payments.js'
import type { Caller, Services } from '../ports.js'
import { partsOf, recorded, RECEIPT_FORMAT, type Receipt } from './receiptParts.js'
import { versionsOf } from '../payments/policySnapshot.js'

/** The receipt of a payment as it stands now. */
export async function makeReceipt(
  services: Services,
  caller: Caller,
  id: string,
): Promise<Result<Receipt, 'CHECKPOINT_CONFLICT' | 'INTERNAL_ERROR' | 'NOT_FOUND' | 'UNAVAILABLE'>> {
  const payment = await findPayment(services, caller, id)
  if (!payment.ok) return payment
  const { organization } = caller.principal
  const found = await findTree(services, caller)
  if (!found.ok) return found
  const tree = found.value
  const filter = { resource: 'payment', resourceId: payment.value.context.id }
  const all = await services.auditLog.all(organization, filter)
  // Later entries belong to the next checkpoint.
  const entries = all.filter(({ sequence }) => sequence <= tree.size)
  const record = recorded(entries.map(readableEntry))
  if (!record) return refuse('INTERNAL_ERROR', `The audit entries of payment ${id} are inconsistent`)
  const versions = await versionsOf(services, currentDecision(record))
  const done = await signCheckpoint(services, caller, tree)
  if (!done.ok) return done
  const { checkpoint, verifierKey } = done.value
  const receipt: Receipt = {
    format: RECEIPT_FORMAT,
    requestId: record.id,
    organization: { id: organization },
    ...partsOf(record),
    policies: versions.map(({ name: _name, ...deciding }) => deciding),
    auditEntries: await proven(services, tree, entries),
    checkpoint,
    verifierKey,
  }
  return succeed(receipt)
}

/** Yields between proofs: each takes a millisecond, and a payment may have many entries. */
async function proven(
  services: Services,
  tree: LogTree,
  entries: readonly StoredEntry[],
): Promise<Receipt['auditEntries']> {
  const all: Receipt['auditEntries'] = []
  for (const entry of entries) {
    all.push({ entry: rawEntry(entry), proof: proveEntry(tree, entry.sequence) })
    await services.breathe()
  }
  return all
}
