// The setup of the governance tests: an organization that governs everything, its owner's key, and people who decide.
import type { GovernanceApproval as Change, Organization } from '../../sdk/api.js'
import type { Answer, Failure } from './client.js'
import { ORGANIZATION_KEY, type Scope } from './process.js'
import type { Key } from './payments.js'
import { newPerson, type Person } from './people.js'
import { another, NOON, startStage, type Stage } from './policies.js'

export type { GovernanceApproval as Change } from '../../sdk/api.js'

export interface Pending {
  status: string
  governanceApprovalRequestId: string
}

export interface GovernedStage extends Stage {
  /** Decides with the cookie of a person or with a key. */
  decide(by: string, id: string, decision?: string, comment?: string): Promise<Answer<Change & Partial<Failure>>>
  /** Requests a change, with the owner's key unless `by` is a cookie; throws unless it becomes pending. */
  pend(method: string, path: string, body?: unknown, by?: string): Promise<string>
  change(id: string): Promise<Change>
  settings(): Promise<Organization['governance']>
  enable(settings?: object): Promise<void>
  /** A member who may decide. */
  admin2: Person
}

export async function startGovernance(scope: Scope, settings: object = {}): Promise<GovernedStage> {
  const stage = await startStage(scope, NOON, { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1' })
  const admin2 = await newPerson(stage.client, 'OWNER')
  const enable = async (more: object = {}): Promise<void> =>
    void (await stage.must('PATCH', '/api/organization', { governance: { enabled: true, ...more } }))
  const governed = Object.assign(stage, {
    admin2,
    enable,
    decide: (by: string, id: string, decision = 'APPROVED', comment?: string) => {
      const body = { decision, ...(comment !== undefined && { comment }) }
      return stage.client.post<Change & Partial<Failure>>(`/api/approval-requests/${id}/decision`, by, body, {
        Origin: stage.url,
      })
    },
    pend: async (method: string, path: string, body?: unknown, by?: string) => {
      const answer =
        by === undefined
          ? await stage.admin<Pending>(method, path, body)
          : await stage.client.send<Pending>(method, path, by, body, { Origin: stage.url })
      if (answer.status !== 202) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body.governanceApprovalRequestId
    },
    change: (id: string) => stage.must<Change>('GET', `/api/governance/approvals/${id}`),
    settings: async () => (await stage.must<Organization>('GET', '/api/organization')).governance,
  })
  if (Object.keys(settings).length > 0) await enable(settings)
  return governed
}

/** A key that counts as the person or key that creates it. */
export function keyOf({ client, url }: Stage, by = ORGANIZATION_KEY): Promise<Key> {
  const body = { name: another('Key'), scopePreset: 'ADMIN' }
  return client.post<Key>('/api/api-keys', by, body, { Origin: url }).then((answer) => answer.body)
}
