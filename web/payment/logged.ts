// What the audit log says of a payment, as far as its sentences need it. The log keeps amounts in micro-units and times
// in milliseconds; of a change it has the value before and after.
import type { Entry } from '../api.js'
import { isFields, type Fields } from '../components/anyValue.js'

export type Logged = Entry<'GET /api/audit-logs', 'entries'>

interface Decided {
  by: { type: string; id: string; name?: string }
  decision: string
  comment?: string
  at: number
}

export interface LoggedApproval {
  createdAt: number
  expiresAt: number
  decisions: Decided[]
  step: number
  steps: { approverIds: string[]; requiredApprovals: number }[]
}

/** The value after the entry. */
export function after(data: unknown, field: string): unknown {
  const value = isFields(data) ? data[field] : undefined
  return isFields(value) && 'to' in value ? value['to'] : value
}

export const textAfter = (data: unknown, field: string): string | undefined => {
  const value = after(data, field)
  return typeof value === 'string' ? value : undefined
}

/** The state before and after: `approved` to `executed`; of a first entry there is none before. */
export function movedIn(data: unknown): { from: string | undefined; to: string | undefined } {
  const state: unknown = isFields(data) ? data['state'] : undefined
  if (typeof state === 'string') return { from: undefined, to: state }
  const { from, to } = isFields(state) ? state : {}
  return { from: from as string | undefined, to: to as string | undefined }
}

export const approvalIn = (data: unknown): LoggedApproval | undefined =>
  after(data, 'approval') as LoggedApproval | undefined

/** The messages of what refused or denied it, each once. */
export function causesIn(data: unknown): string {
  const decision = after(data, 'decision')
  const all = [after(data, 'causes'), isFields(decision) ? decision['violations'] : undefined]
  const messages = all.flatMap((some) => (Array.isArray(some) ? (some as Fields[]) : [])).map(({ message }) => message)
  return [...new Set(messages)].join('. ')
}
