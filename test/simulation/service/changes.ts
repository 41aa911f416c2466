// Requests that wait for an approval under governance, as those know them who asked, decide and collect.
import type { Credential } from './organization.js'
import type { Body } from './world.js'

export interface Held {
  id: string
  action: string
  by: Credential
  /** What it is about, and how often that was changed when it was requested. */
  subject: string
  seen: number
  required: number
  /** Whose approvals it has, by whom they count for. */
  approvedBy: Set<string>
  isApplied: boolean
  status: 'PENDING' | 'APPROVED' | 'DENIED' | 'EXPIRED'
  /** What is known once it was carried out. */
  learned: (body: Body) => void
}
