// What administrators change: governance, policies, delegations, recipients, the endpoint, what raises alerts; and what
// they freeze, pause and fund.
import { one, request, somebody, type Action, type Stage, type Wanted } from '../stage.js'
import { isOwner, type Governance, type Recipient } from '../organization.js'

const LIST = '/api/counterparties'
const OF_POLICIES = ['policy.update', 'policy.create', 'workflow.update']
const OF_AGENTS = ['delegation.update', 'delegation.create', 'agent.reactivate']
const OF_OTHERS = ['counterparty.trust', 'counterparty.unblock', 'key.create', 'member.update', 'webhook.update']
const GOVERNABLE = [...OF_POLICIES, ...OF_AGENTS, ...OF_OTHERS, 'organization.unfreeze']

/** By somebody who may, who changes `what` of the organization. */
async function change(stage: Stage, needs: string, wanted: Omit<Wanted, 'by' | 'needs'>, learned: () => void) {
  await request(stage, { ...wanted, by: somebody(stage, needs), needs }, learned)
}

async function govern(stage: Stage): Promise<void> {
  const { organization, random } = stage
  const next: Governance = {
    enabled: random.chance(0.75),
    actions: GOVERNABLE.filter(() => random.chance(0.6)),
    requiredApprovals: random.pick([1, 1, 2]),
  }
  if (next.actions.length === 0) return
  const all = [organization.root, ...organization.credentials]
  const by =
    one(
      stage,
      all.filter((each) => isOwner(each) || random.chance(0.1)),
    ) ?? organization.root
  const governed = { actions: ['governance.update'], subject: 'governance' }
  const needs = 'organization:write'
  const body = { governance: next }
  await request(
    stage,
    { by, method: 'PATCH', path: '/api/organization', body, needs, isOwners: true, governed },
    () => {
      organization.governance = next
    },
  )
}

async function editPolicy(stage: Stage): Promise<void> {
  const { organization, random } = stage
  const { policy } = organization
  if (!policy) return
  const known = policy.approvalAbove
  const approvalAbove = random.pick([5, 10, 15, 20, 25, 30].filter((amount) => amount !== known))
  const body = { rules: [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', value: approvalAbove }] }
  const governed = { actions: ['policy.update'], subject: policy.id }
  const path = `/api/policies/${policy.id}/rules`
  await change(stage, 'policies:write', { method: 'PUT', path, body, governed }, () => {
    // The same rules are no new version.
    if (policy.approvalAbove !== approvalAbove) policy.version += 1
    policy.approvalAbove = approvalAbove
  })
}

async function configure(stage: Stage): Promise<void> {
  const { organization, random, world } = stage
  const delegation = one(
    stage,
    organization.delegations.filter(({ isRevoked }) => !isRevoked),
  )
  if (!delegation) return
  const { agent, wallet } = delegation
  const [perTx, daily] = [random.pick([null, 15 + random.below(25)]), random.pick([null, 40 + random.below(150)])]
  const path = `/api/agents/${agent.id}/wallets/${wallet.id}`
  const governed = { actions: ['delegation.update'], subject: `${agent.id} ${wallet.id}` }
  const body = { spendLimitPerTx: perTx, spendLimitDaily: daily }
  await change(stage, 'agents:write', { method: 'PATCH', path, body, governed }, () => {
    Object.assign(delegation, { perTx, daily })
    delegation.dailies.push({ from: world.now, limit: daily })
  })
}

async function judge(stage: Stage): Promise<void> {
  const { organization, random } = stage
  const recipient = random.pick(organization.recipients)
  if (recipient.id === undefined) return register(stage)
  const [verb, status, own] = random.pick([
    ['block', 'BLOCKED', []],
    ['trust', 'TRUSTED', ['counterparty.trust']],
    ['unblock', 'UNKNOWN', []],
    ['unblock', 'UNKNOWN', []],
  ] as const)
  const isLifted = verb !== 'block' && recipient.status === 'BLOCKED'
  const actions = [...own, ...(isLifted ? ['counterparty.unblock'] : [])]
  const path = `/api/counterparties/${recipient.id}/${verb}`
  const governed = actions.length > 0 && { governed: { actions, subject: recipient.id } }
  const body = { reason: 'Somebody looked' }
  await change(stage, 'counterparties:write', { method: 'POST', path, body, ...governed }, () => {
    recipient.status = status
  })
}

/** What was paid already has a record. */
async function register(stage: Stage): Promise<void> {
  const { organization, random } = stage
  const recipient = one(
    stage,
    organization.recipients.filter(({ id }) => id === undefined),
  )
  if (!recipient) return
  const wanted = { by: somebody(stage, 'counterparties:write'), needs: 'counterparties:write', path: LIST }
  const body = { name: `Shop ${random.below(1e6)}`, address: recipient.address }
  const told = await request(stage, { ...wanted, method: 'POST', body }, ({ id, status }) => {
    Object.assign(recipient, { id, status })
  })
  if (told.status === 409) await find(stage, recipient)
}

async function find(stage: Stage, recipient: Recipient): Promise<void> {
  const needs = 'counterparties:read'
  const told = await request(stage, { by: stage.organization.root, method: 'GET', path: LIST, needs })
  const own = told.body.counterparties?.find(({ address }) => address.toLowerCase() === recipient.address)
  if (own) Object.assign(recipient, { id: own.id, status: own.status })
}

async function point(stage: Stage): Promise<void> {
  const { organization, random } = stage
  const isKept = organization.isAlwaysTold || organization.webhook === null
  const url = isKept || random.chance(0.8) ? `https://hooks.example.com/${random.below(1e6)}` : null
  const governed = { actions: ['webhook.update'], subject: 'webhook' }
  const how = url === null ? { method: 'DELETE' } : { method: 'PUT', body: { url } }
  await change(stage, 'webhooks:write', { path: '/api/webhooks', ...how, governed }, () => {
    organization.webhook = url
  })
}

async function freezeAll(stage: Stage): Promise<void> {
  const { organization, random } = stage
  const isFrozen = random.chance(0.4)
  const path = `/api/organization/${isFrozen ? 'freeze' : 'unfreeze'}`
  const governed = { actions: ['organization.unfreeze'], subject: 'freeze' }
  const how = isFrozen ? { body: { reason: 'Stolen keys' } } : { governed }
  // Whoever may pause an agent may stop everything; it takes more to begin again.
  const needs = isFrozen ? 'agents:write' : 'organization:write'
  await change(stage, needs, { method: 'POST', path, ...how }, () => {
    organization.isFrozen = isFrozen
  })
}

async function pause(stage: Stage): Promise<void> {
  const agent = stage.random.pick(stage.organization.agents)
  // To be what it is already would change nothing.
  const status = agent.status === 'PAUSED' ? 'ACTIVE' : 'PAUSED'
  const isLifted = status === 'ACTIVE' && agent.status !== 'ACTIVE'
  const governed = isLifted && { governed: { actions: ['agent.reactivate'], subject: agent.id } }
  const path = `/api/agents/${agent.id}`
  await change(stage, 'agents:write', { method: 'PATCH', path, body: { status }, ...governed }, () => {
    agent.status = status
  })
}

async function freezeWallet(stage: Stage): Promise<void> {
  const wallet = stage.random.pick(stage.organization.wallets)
  const isFrozen = !wallet.isFrozen
  const body = { status: isFrozen ? 'FROZEN' : 'ACTIVE' }
  await change(stage, 'wallets:write', { method: 'PATCH', path: `/api/wallets/${wallet.id}`, body }, () => {
    wallet.isFrozen = isFrozen
  })
}

async function fund(stage: Stage): Promise<void> {
  const wallet = stage.random.pick(stage.organization.wallets)
  const amount = 10 + stage.random.below(60)
  await change(
    stage,
    'wallets:write',
    { method: 'POST', path: `/api/wallets/${wallet.id}/fund`, body: { amount } },
    () => {
      wallet.funded += amount
    },
  )
}

async function mark(stage: Stage): Promise<void> {
  const highValueAbove = stage.random.pick([null, 5, 15, 25])
  const wanted = { method: 'PATCH', path: '/api/alerts/settings', body: { highValueAbove } }
  await change(stage, 'alerts:write', wanted, () => {
    stage.organization.highValueAbove = highValueAbove
  })
}

export const settings: Action[] = [
  { name: 'change the governance', share: 4, act: govern },
  { name: 'edit the policy', share: 4, act: editPolicy },
  { name: 'change a delegation', share: 5, act: configure },
  { name: 'judge a recipient', share: 7, act: judge },
  { name: 'set the endpoint', share: 3, act: point },
  { name: 'freeze everything', share: 2, act: freezeAll },
  { name: 'pause an agent', share: 3, act: pause },
  { name: 'freeze a wallet', share: 2, act: freezeWallet },
  { name: 'fund a wallet', share: 4, act: fund },
  { name: 'set what raises alerts', share: 2, act: mark },
]
