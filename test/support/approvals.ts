// The setup of the approval tests: a service, agents whose larger payments need a person, and people who decide.
import type { ApprovalRequest as AnyRequest, ApprovalWorkflow, Payment } from '../../sdk/api.js'
import type { Answer } from './client.js'
import { ORGANIZATION_KEY, type Scope } from './process.js'
import type { FundedAgent, FundedAgentOptions } from './payments.js'
import { newPerson, type Person } from './people.js'
import { NOON, startStage, type Decided, type Stage } from './policies.js'
import type { StartedOptions } from './service.js'

export type ApprovalRequest = Extract<AnyRequest, { kind: 'PAYMENT' }>
export type Asked = Decided & Partial<Pick<Payment, 'transaction'>>
export type Workflow = ApprovalWorkflow

/** Payments above 100 need a person. */
export const NEEDS_PERSON = { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 100 }

export interface ApprovalStage extends Stage {
  /** An agent under the rule above. */
  supervised(options?: FundedAgentOptions): Promise<FundedAgent>
  /** A payment that waits for a person. */
  waiting(agent: FundedAgent, more?: object): Promise<Asked & { approvalRequestId: string }>
  decide(
    key: string,
    id: string,
    decision?: string,
    comment?: string,
  ): Promise<Answer<ApprovalRequest & { code?: string }>>
  request(id: string): Promise<ApprovalRequest>
  requests(status?: string): Promise<ApprovalRequest[]>
  shown(agent: FundedAgent, requestId: string): Promise<Asked>
  person(role?: 'OWNER' | 'ADMIN' | 'MANAGER' | 'VIEWER'): Promise<Person>
  /** Sends as a person in a browser. */
  asPerson<Body>(person: Person, method: string, path: string, body?: unknown): Promise<Answer<Body>>
  workflow(fields: object): Promise<Workflow>
}

export async function startApprovals(scope: Scope, env: StartedOptions['env'] = {}): Promise<ApprovalStage> {
  const stage = await startStage(scope, NOON, env)
  const { id: policyId } = await stage.policy([NEEDS_PERSON])
  const asPerson: ApprovalStage['asPerson'] = ({ cookie }, method, path, body) =>
    stage.client.send(method, path, cookie, body, { Origin: stage.url })
  return Object.assign(stage, {
    supervised: async (options?: FundedAgentOptions) => {
      const agent = await stage.agent(options)
      await stage.assign(policyId, agent)
      return agent
    },
    waiting: async (agent: FundedAgent, more?: object) => {
      const asked: Asked = await stage.ask(agent, 150, more)
      if (asked.approvalRequestId === undefined) throw new Error(`no approval is asked: ${JSON.stringify(asked)}`)
      return { ...asked, approvalRequestId: asked.approvalRequestId }
    },
    decide: (key: string, id: string, decision = 'APPROVED', comment?: string) => {
      const body = { decision, ...(comment !== undefined && { comment }) }
      const headers = { Origin: stage.url }
      return stage.client.post<ApprovalRequest>(`/api/approval-requests/${id}/decision`, key, body, headers)
    },
    request: (id: string) => stage.must<ApprovalRequest>('GET', `/api/approval-requests/${id}`),
    requests: async (status?: string) => {
      const query = status === undefined ? '' : `?status=${status}`
      const { requests } = await stage.must<{ requests: ApprovalRequest[] }>('GET', `/api/approval-requests${query}`)
      return requests
    },
    shown: async ({ key }: FundedAgent, requestId: string) => {
      return (await stage.client.get<Asked>(`/api/sdk/payments/${requestId}`, key)).body
    },
    person: (role: 'OWNER' | 'ADMIN' | 'MANAGER' | 'VIEWER' = 'ADMIN') =>
      newPerson(stage.client, role, ORGANIZATION_KEY),
    asPerson,
    workflow: (fields: object) =>
      stage.must<Workflow>('POST', '/api/approval-workflows', { name: 'Workflow', ...fields }),
  })
}
