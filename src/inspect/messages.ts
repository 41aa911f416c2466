// Reconstructs the message of a command from the record it left, because the audit log stores changes and not messages.
// The result is a guess: the caller must check that the chart makes the same record from it.
import type { Message } from '../actor/actor.js'
import type { Approval } from '../domain/payment/approval.js'
import { isSameJson, type Json } from '../domain/values/canonical.js'
import type { Gate } from '../domain/limits/gate.js'
import type { PaymentContext } from '../../machines/payment/context.js'
import type { ShownFields } from './shown.js'

/** The record before and after a command. */
export interface LoggedChange {
  before: ShownFields | undefined
  after: ShownFields
  /** The state that the command led to. */
  state: string
  /** The present ones: the log has none, and what a payment records does not depend on them. */
  gates: Gate[]
  /** Who gave the command. */
  by: { type: string; id: string }
  now: number
  organization: string
}

const REQUESTED = ['id', 'order', 'terms', 'decision', 'approvedForMs', 'approval', 'transactionId'] as const

/** The fields of most messages are fields of the record they leave. */
export function loggedMessage(kind: string, type: string, logged: LoggedChange): Message {
  const { now, organization } = logged
  const fieldsOf = kind === 'payment' ? paymentFields : type === 'CREATE' ? creationFields : commandFields
  return { ...fieldsOf(type, logged, kind), type, now, organization } as Message
}

/** The CREATE message. Some charts store every field of it, so it must not have fields that the record lacks. */
function creationFields(_type: string, { after, state, now }: LoggedChange, kind: string): object {
  const status = state.slice(state.indexOf('.') + 1).toUpperCase()
  if (kind === 'change') return { id: after['id'], asked: after }
  if (kind === 'key') return { ...after, livesMs: lifeOf(after, now) }
  if (kind === 'delegation') return { fields: after }
  if (kind === 'counterparty') return { ...after, fields: after, status }
  if (kind === 'policy') return { ...after, ...edited(after) }
  return after
}

function lifeOf({ expiresAt }: ShownFields, now: number): number | null {
  return typeof expiresAt === 'number' ? expiresAt - now : null
}

function commandFields(type: string, logged: LoggedChange, kind: string): object {
  const { after } = logged
  const common = { ...after, ...implied(logged), ...approving(logged), changes: changesOf(kind, after) }
  if (kind !== 'policy') return common
  const edit = { ...common, ...edited(after), gone: subjectsIn(logged.before ?? {}) }
  return type === 'DELETE' ? edit : { ...edit, ...ruled(type, logged), ...assigned(logged) }
}

/** The ids of all agents and wallets that a policy is assigned to. */
function subjectsIn({ agents, wallets }: ShownFields): Json[] {
  const assignments = [agents, wallets].flatMap((list) => (list ?? []) as { subjectId: string }[])
  return assignments.map(({ subjectId }) => subjectId)
}

function changesOf(kind: string, after: ShownFields): unknown {
  if (kind === 'member') return { name: after['name'], role: after['role'] }
  if (kind === 'policy') return after['definition']
  if (kind === 'counterparty') return renamed(after)
  return after['fields'] ?? after['terms']
}

/** A person who edits a counterparty and gives a name makes it theirs. */
function renamed({ name, ...fields }: ShownFields): ShownFields {
  return fields['nameSource'] === 'PERSON' ? { ...fields, name: name! } : fields
}

/** The author and the note of a policy's version. */
function edited({ change }: ShownFields): object {
  const { changedBy, note } = change as ShownFields
  return { by: changedBy, note }
}

function ruled(type: string, { before, after }: LoggedChange): object {
  const [rules, former] = [rulesIn(after), rulesIn(before ?? {})]
  return { rules: type === 'ADD_RULES' ? rules.slice(former.length) : rules }
}

function rulesIn({ definition }: ShownFields): Json[] {
  return (definition as { rules?: Json[] } | undefined)?.rules ?? []
}

/** The agent or wallet that a policy was assigned to. */
function assigned({ before, after }: LoggedChange): object {
  const listIn = (fields: ShownFields | undefined, name: string): Json[] => (fields?.[name] as Json[] | undefined) ?? []
  const to = ['agents', 'wallets'].find((name) => listIn(after, name).length > listIn(before, name).length)
  return to === undefined ? {} : { to, assignment: listIn(after, to).at(-1) }
}

/** The amount and reason that the change of a record implies. */
function implied({ before, after }: LoggedChange): object {
  const amount = Number(after['balance'] ?? 0) - Number(before?.['balance'] ?? 0)
  return { amount, reason: after['frozenFor'] ?? after['reason'] ?? null }
}

function paymentFields(type: string, logged: LoggedChange): object {
  const { before, after, gates, now } = logged
  const payment = after as unknown as PaymentContext
  if (type === 'REQUEST') return { fields: requested(payment, gates) }
  if (type === 'PERMIT')
    return { permitForMs: (payment.permit?.expiresAt ?? now) - now, ...reviewing(before, payment, gates) }
  if (type === 'CONFIRM') return { txHash: payment.txHash }
  if (type === 'RELEASE_HOLD') return { reason: payment.releasedFor, allowRetry: !payment.keepsKey }
  if (type === 'SIGNED' || type === 'REPLACED') return { transfer: { hash: payment.txHash, nonce: payment.nonce } }
  // The code that the executing caller was given is not logged.
  if (type === 'UNMADE') return { code: payment.autoExecuteError, message: payment.stopReason }
  if (type === 'REVERTED') return { txHash: payment.txHash, reason: payment.stopReason }
  if (type === 'APPROVE' || type === 'DENY') return { ...deciding(logged), ...reviewing(before, payment, gates) }
  const { review: _decision, ...fields } = after
  return { ...fields, ...reviewing(before, payment, gates) }
}

/** The codes that a payment itself sets when it cannot execute at once; all others come with the message. */
const TRIED: readonly (string | null)[] = ['INSUFFICIENT_BALANCE', 'INVALID_STATUS', 'LIMIT_EXCEEDED']

/** The REQUEST message, also of a payment that could not execute at once, which recorded why and stopped trying. */
function requested(payment: PaymentContext, gates: Gate[]): object {
  const fields = Object.fromEntries(REQUESTED.map((field) => [field, payment[field]]))
  const { autoExecute, autoExecuteError } = payment
  const isTried = TRIED.includes(autoExecuteError)
  const execution = isTried ? { autoExecute: true, autoExecuteError: null } : { autoExecute, autoExecuteError }
  return { ...fields, gates, ...execution }
}

function reviewing(before: ShownFields | undefined, payment: PaymentContext, gates: Gate[]): object {
  const reviews = Number(before?.['reviews'] ?? 0)
  const isNew = !isSameJson(before?.['review'] as Json, payment.review as unknown as Json)
  if (payment.reviews === reviews && !isNew) return {}
  const review = { after: reviews, gates, approval: payment.approval }
  return { review: { ...review, ...(isNew && { decision: payment.review }) } }
}

/** The fields of a decision. Where the policies had changed meanwhile, it ended the request and is not in the record. */
function deciding({ before, after, by }: LoggedChange): object {
  const asked = requestIn(before)
  const approval = requestIn(after)
  const isKept = asked === null || (approval?.id === asked.id && approval.decisions.length > asked.decisions.length)
  const last = isKept ? approval?.decisions.at(-1) : undefined
  const lapsed = approval?.decisions.filter((one) => one.lapsed === true).map((one) => one.by.id) ?? []
  return { approvalId: (asked ?? approval)?.id, by: last?.by ?? by, comment: last?.comment ?? null, lapsed }
}

function requestIn(record: ShownFields | undefined): Approval | null {
  return (record?.['approval'] ?? null) as Approval | null
}

function approving(logged: LoggedChange): object {
  return logged.after['approval'] === undefined ? {} : deciding(logged)
}
