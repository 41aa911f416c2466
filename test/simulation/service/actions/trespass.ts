// Attempts on what belongs to another organization: with its ids, which somebody may have learned.
import { one, recent, somebody, type Action, type Stage, type Wanted } from '../stage.js'
import type { Organization } from '../organization.js'

type Attempt = (foreign: Organization, stage: Stage) => Omit<Wanted, 'by'> | undefined

const ATTEMPTS: Attempt[] = [
  (foreign, stage) => get(one(stage, foreign.agents), '/api/agents/'),
  (foreign, stage) => get(one(stage, foreign.wallets), '/api/wallets/'),
  (foreign, stage) => get(one(stage, foreign.payments), '/api/payments/'),
  (foreign, stage) => get(one(stage, foreign.cards), '/api/cards/'),
  (foreign) => get(foreign.policy, '/api/policies/'),
  (foreign, stage) => get(one(stage, foreign.held), '/api/governance/approvals/'),
  (foreign, stage) => get(one(stage, foreign.workflows), '/api/approval-workflows/'),
  (foreign, stage) => post(one(stage, foreign.wallets), '/api/wallets/', '/fund', { amount: 5 }),
  (foreign, stage) => post(one(stage, foreign.payments), '/api/payments/', '/release', { reason: 'Mine' }),
  (foreign, stage) => post(one(stage, foreign.agents), '/api/agents/', '/freeze', { reason: 'Mine' }),
  (foreign, stage) => post(one(stage, foreign.agents), '/api/agents/', '/sdk-keys', { name: 'Mine' }),
  (foreign, stage) => {
    const waiting = one(
      stage,
      foreign.payments.filter(({ approvalId }) => approvalId !== undefined),
    )
    const named = waiting && { id: waiting.approvalId! }
    return post(named, '/api/approval-requests/', '/decision', { decision: 'APPROVED' })
  },
]

function get(named: { id: string } | undefined, path: string): ReturnType<Attempt> {
  return named && { method: 'GET', path: `${path}${named.id}` }
}

function post(named: { id: string } | undefined, path: string, verb: string, body: object): ReturnType<Attempt> {
  return named && { method: 'POST', path: `${path}${named.id}${verb}`, body }
}

async function trespass(stage: Stage): Promise<void> {
  const { world, organization, random } = stage
  const foreign = random.pick(world.organizations.filter((other) => other !== organization))
  const attempt = random.pick(ATTEMPTS)(foreign, stage)
  if (attempt) await world.ask({ ...attempt, by: somebody(stage, 'agents:write'), organization })
}

/** An agent tries a payment of another one of its organization, or of another organization. */
async function reach(stage: Stage): Promise<void> {
  const { world, organization, random } = stage
  const agent = random.pick(organization.agents)
  const all = random.chance(0.2) ? world.organizations.flatMap(({ payments }) => payments) : organization.payments
  const foreign = recent(
    stage,
    all.filter((payment) => payment.agent !== agent),
  )
  if (!foreign || agent.keys.length === 0) return
  const path = `/api/sdk/payments/${foreign.id}/${random.pick(['execute', 'cancel'])}`
  await world.ask({ by: random.pick(agent.keys), organization, method: 'POST', path })
}

export const trespasses: Action[] = [
  { name: 'try what is foreign', share: 5, act: trespass },
  { name: "try another agent's payment", share: 3, act: reach },
]
