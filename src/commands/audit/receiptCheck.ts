// Verifies a receipt: its signature, proofs, entries, everything derived from them, and the decision, evaluated again.
// It trusts nothing in the receipt and asks no service.
import type { PolicySnapshot } from '../../../rules/compile.js'
import type { RuleEvaluation } from '../../../rules/evaluate.js'
import { contentHash, policySetHash } from '../../../rules/hash.js'
import { parseAddress } from '../../domain/values/address.js'
import { readableRaw, type RawEntry } from '../../domain/audit/forms.js'
import { entryLeaf, faultOf } from '../../domain/audit/chain.js'
import { asJson, isSameJson, type Json } from '../../domain/values/canonical.js'
import {
  isSignedBy,
  checkpointOrigin,
  readCheckpoint,
  readVerifierKey,
  verifierKey,
  type Checkpoint,
  type NoteKey,
  type Verify,
} from '../../domain/audit/checkpoint.js'
import { hashOfHex } from '../../domain/values/digest.js'
import { isIncluded } from '../../domain/audit/merkle.js'
import { currentDecision, type Decision } from '../../domain/payment/terms.js'
import { hasPolicyError } from '../../domain/outcomes/violation.js'
import type { Inclusion } from './audit.js'
import { partsOf, recorded, RECEIPT_FORMAT, type Receipt, type Recorded } from './receiptParts.js'
import { judge } from '../policies/replay.js'
import type { Rules } from '../rules.js'

export interface ReceiptPorts {
  verify: Verify
  rules: Rules
  /** The trusted key; without one, the key that the receipt names. */
  key: NoteKey | undefined
}

/** What is wrong with the receipt; empty where it is proven. */
export async function receiptFaults(ports: ReceiptPorts, given: unknown): Promise<string[]> {
  try {
    const receipt = given as Receipt
    if (receipt.format !== RECEIPT_FORMAT) return [`it is no receipt of the format ${RECEIPT_FORMAT}`]
    const proof = [...unprovenFaults(receipt), ...proofFaults(ports, receipt)]
    const record = recorded(receipt.auditEntries.map(({ entry }) => readableRaw(entry)))
    if (!record) return [...proof, 'its audit entries do not follow from each other: some are missing']
    return [...proof, ...partFaults(receipt, record), ...(await decisionFaults(ports.rules, receipt, record))]
  } catch (error) {
    return [`it cannot be read: ${error instanceof Error ? error.message : String(error)}`]
  }
}

const PARTS = ['request', 'facts', 'decision', 'outcome', 'settlement', 'approvals', 'policies', 'auditEntries']
const FIELDS = {
  receipt: ['format', 'requestId', 'organization', ...PARTS, 'checkpoint', 'verifierKey'],
  organization: ['id'],
  policy: ['id', 'version', 'priority', 'contentHash', 'rules'],
  rule: ['id', 'ruleType', 'operator', 'value', 'action'],
  auditEntry: ['entry', 'proof'],
  proof: ['leafIndex', 'treeSize', 'hashes'],
}

/** Fields that nothing else in the receipt proves; they must not be there. */
function unprovenFaults(receipt: Receipt): string[] {
  const { organization, policies, auditEntries } = receipt
  return [
    ...others(receipt, 'receipt'),
    ...others(organization, 'organization'),
    ...policies.flatMap((policy) => others(policy, 'policy')),
    ...policies.flatMap(({ rules }) => rules.flatMap((rule) => others(rule, 'rule'))),
    ...auditEntries.flatMap((proven) => [...others(proven, 'auditEntry'), ...others(proven.proof, 'proof')]),
  ]
}

function others(part: object, name: keyof typeof FIELDS): string[] {
  const unknown = Object.keys(part).filter((field) => !FIELDS[name].includes(field))
  return unknown.map((field) => `nothing proves the field ${field} of its ${name}`)
}

function proofFaults({ verify, key }: ReceiptPorts, receipt: Receipt): string[] {
  const { checkpoint: note, organization, auditEntries } = receipt
  const signer = key ?? readVerifierKey(receipt.verifierKey)
  const checkpoint = readCheckpoint(note)
  if (!checkpoint) return ['its checkpoint cannot be read']
  // One key signs for all organizations; its name tells whose log it is.
  const isOwn = signer?.name === checkpoint.origin && isSignedBy(note, signer, verify)
  const isNamed = key === undefined || verifierKey(key) === receipt.verifierKey
  return [
    ...(isNamed ? [] : ['it names another key than the one given']),
    ...(isOwn ? [] : ['its checkpoint is not signed by the key']),
    ...(checkpoint.origin === checkpointOrigin(organization.id) ? [] : ['its checkpoint is of another organization']),
    ...auditEntries.flatMap(({ entry, proof }) => entryFaults(entry, proof, checkpoint)),
  ]
}

function entryFaults(entry: RawEntry, proof: Inclusion, checkpoint: Checkpoint): string[] {
  const { leafIndex, treeSize, hashes } = proof
  const { sequence, previousHash } = entry
  const fault = faultOf(entry, { sequence: sequence - 1, hash: previousHash })
  if (fault !== undefined) return [`audit entry ${sequence} is broken: ${fault}`]
  const path = hashes.map((text) => hashOfHex(text)!)
  const isInPlace = leafIndex === sequence - 1 && treeSize === checkpoint.size
  const included = { leaf: entryLeaf(entry), index: leafIndex, size: treeSize, proof: path }
  const isProven = isInPlace && isIncluded(included, checkpoint.root)
  return isProven ? [] : [`audit entry ${sequence} is not proven to be in the log of the checkpoint`]
}

/** The other parts of the receipt follow from its entries. */
function partFaults(receipt: Receipt, record: Recorded): string[] {
  const { requestId, auditEntries } = receipt
  const ownEntries = auditEntries.every(({ entry }) => entry.resource === 'payment' && entry.resourceId === requestId)
  const sequences = auditEntries.map(({ entry }) => entry.sequence)
  const inOrder = sequences.every((sequence, at) => at === 0 || sequence > sequences[at - 1]!)
  const begins = auditEntries[0]!.entry.action === 'payment.request'
  const parts = Object.entries(partsOf(record))
  const unlike = parts.filter(([name, part]) => !isSameJson(receipt[name as keyof Receipt] as Json, part as Json))
  return [
    ...(ownEntries && inOrder && begins ? [] : ['its audit entries are not the history of this payment']),
    ...(record.id === requestId ? [] : ['it is of another payment than its entries']),
    ...unlike.map(([name]) => `its audit entries do not confirm its ${name}`),
  ]
}

/** What the policies say. They say nothing of an error: it may have gone, and need not come again here. */
async function decidedAgain(
  rules: Rules,
  decision: Decision,
  policies: readonly PolicySnapshot[],
): Promise<Pick<RuleEvaluation, 'violations' | 'outcome'>> {
  if (hasPolicyError(decision.violations)) return { violations: [], outcome: 'DENIED' }
  const again = await judge({ rules }, decision, policies)
  return { violations: again.rules.violations, outcome: again.outcome }
}

async function decisionFaults(rules: Rules, receipt: Receipt, record: Recorded): Promise<string[]> {
  const { terms } = record
  const decision = currentDecision(record)
  // Names have no effect on decisions.
  const policies = receipt.policies.map((policy) => ({ ...policy, name: '' }))
  const changed = policies.filter((policy) => contentHash(policy.rules) !== policy.contentHash)
  if (changed.length > 0) return changed.map(({ id }) => `policy ${id} has other rules than its hash says`)
  const { facts, violations } = decision
  const { violations: said, outcome } = await decidedAgain(rules, decision, policies)
  const sameSet = policySetHash(policies) === decision.policySetHash
  const sameVersions = isSameJson(
    policies.map(({ id, version }) => ({ id, version })),
    decision.policies,
  )
  const sameFacts =
    (facts['amount'] ?? terms.amount) === terms.amount &&
    (facts['recipient'] ?? '') === (parseAddress(terms.recipientAddress)?.canonical ?? '')
  const byPolicies = violations.filter(({ policyId }) => policyId !== undefined)
  const sameViolations = isSameJson(asJson(said), asJson(byPolicies))
  return [
    ...(sameSet && sameVersions ? [] : ['its policies are not those that decided']),
    ...(sameFacts ? [] : ['its facts are of another payment']),
    ...(sameViolations ? [] : ['decided again, other policies object']),
    ...(outcome === decision.outcome ? [] : [`decided again, it is ${outcome}, not ${decision.outcome}`]),
  ]
}
