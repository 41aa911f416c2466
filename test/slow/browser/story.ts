// An organization with a month of data for every page: executed, denied and waiting payments.
import { startStage, type Policy, type Stage } from '../../support/policies.js'
import { cookieIn, PASSWORD, setUp, tokenIn, type Invited, type Person } from '../../support/people.js'
import type { Role } from '../../../src/domain/access/roles.js'
import type { Scope } from '../../support/process.js'
import { newRequest } from '../../support/oauth.js'
import type { FundedAgent } from '../../support/payments.js'
import { startReceiver } from '../../support/receiver.js'
import { authorizeFor, settle } from '../../support/x402.js'
import type { AlertList } from '../../../sdk/api.js'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const DAYS = 30
const ENV = { BURSAR_DEV_LOOPBACK_WEBHOOKS: '1', BURSAR_WEBHOOK_RETRY_MS: '50,100' }

const COUNTERPARTIES = [
  ['Hetzner Cloud', '0x1111111111111111111111111111111111111111', 'TRUSTED', 'CLOUD_SERVICES'],
  ['OpenWeather data', '0x2222222222222222222222222222222222222222', 'VERIFIED', 'DATA_SERVICES'],
  ['Scrapeworks', '0x3333333333333333333333333333333333333333', 'UNKNOWN', 'API_PROVIDER'],
  ['Lucky Gains', '0x4444444444444444444444444444444444444444', 'BLOCKED', 'OTHER'],
] as const

const BUYS = [
  { agent: 'Procurement', to: 0, amount: 84.5, category: 'CLOUD_SERVICES', purpose: 'Build runners, by the hour' },
  {
    agent: 'Research crawler',
    to: 1,
    amount: 12.25,
    category: 'DATA_SERVICES',
    purpose: 'Forecasts for the routing model',
  },
  { agent: 'Research crawler', to: 2, amount: 31.4, category: 'DATA_SERVICES', purpose: 'Price pages of 40 shops' },
  { agent: 'Support refunds', to: 2, amount: 19.99, category: 'REFUND', purpose: 'Refund of order 20 417' },
  { agent: 'Procurement', to: 3, amount: 45, category: 'OTHER', purpose: 'A bargain that was offered by mail' },
  { agent: 'Procurement', to: 0, amount: 640, category: 'CLOUD_SERVICES', purpose: 'A reserved machine for a year' },
]

export interface Story extends Stage {
  owner: Person
  colleague: Person
  agents: { [name: string]: FundedAgent }
  policies: Policy[]
  /** A payment that waits, one that was denied, one that was executed, and one by x402. */
  payments: { waiting: string; denied: string; executed: string; x402: string }
  approvals: { payment: string; change: string }
  counterpartyId: string
  alertId: string
  /** Of somebody who was invited. */
  setupUrl: string
  /** What a client of OAuth asks the owner for. */
  consentRequest: string
}

export async function tellStory(scope: Scope, days = DAYS): Promise<Story> {
  const now = Date.now()
  const stage = await startStage(scope, now - days * DAY_MS, ENV)
  await stage.must('PATCH', '/api/organization', { name: 'Northwind Labs' })
  const policies = await makePolicies(stage)
  const agents = await makeAgents(stage, policies)
  const counterpartyId = await makeCounterparties(stage)
  // It takes what happens for a day, except for denials.
  const receiver = await startReceiver(scope, ({ body }, response) =>
    response.writeHead(body.event === 'payment.denied' ? 500 : 204).end(),
  )
  const payments = await spend(stage, agents, { now, days, eventUrl: `${receiver.url}/events` })
  // Only now: a session does not last a month.
  const owner = await person(stage, 'Dana Reyes', 'OWNER')
  const admin = await person(stage, 'Sam Okafor', 'ADMIN')
  const lee = { email: 'lee@northwind.example', name: 'Lee Park', role: 'VIEWER' }
  const { setupUrl } = await stage.must<{ setupUrl: string }>('POST', '/api/members', lee)
  const change = await govern(stage, owner, admin, policies[0]!.id)
  const { approvalRequestId } = await stage.must<{ approvalRequestId: string }>(
    'GET',
    `/api/payments/${payments.waiting}`,
  )
  const approvals = { payment: approvalRequestId, change }
  const alertId = await alert(stage, agents)
  const consentRequest = await newRequest(stage.client, owner.cookie)
  return Object.assign(stage, {
    setupUrl,
    owner,
    colleague: admin,
    agents,
    policies,
    payments,
    approvals,
    counterpartyId,
    alertId,
    consentRequest,
  })
}

/** A channel, an agent that freezes by itself, and the newest alert of a blocked address. */
async function alert(stage: Stage, agents: Story['agents']): Promise<string> {
  const events = ['alert.raised', 'approval.requested']
  const config = { url: 'https://oncall.northwind.zz/hook' }
  await stage.must('POST', '/api/channels', { name: 'On call', type: 'WEBHOOK', events, config })
  const { agentId } = agents['Research crawler']!
  await stage.must('PATCH', `/api/agents/${agentId}`, { autoFreeze: {} })
  const found = await stage.must<AlertList>('GET', '/api/alerts?type=BLOCKED_ADDRESS')
  return found.alerts[0]!.id
}

async function person(stage: Stage, name: string, role: Role): Promise<Person> {
  const email = `${name.split(' ')[0]!.toLowerCase()}@northwind.example`
  const invited = await stage.must<Invited>('POST', '/api/members', { email, name, role })
  const cookie = cookieIn(await setUp(stage.client, tokenIn(invited)))
  return { id: invited.id, email, password: PASSWORD, cookie }
}

async function makePolicies(stage: Stage): Promise<Policy[]> {
  const make = (name: string, policyType: string, rules: object[], more: object = {}): Promise<Policy> =>
    stage.must('POST', '/api/policies', { name, policyType, rules, ...more })
  const above = { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 400 }
  const perDay = { ruleType: 'VELOCITY_LIMIT', operator: 'LTE', value: { maxCount: 40, period: 'DAY' } }
  const policies = [
    await make('Large payments need a person', 'APPROVAL_THRESHOLD', [above], { scope: 'organization', priority: 80 }),
    await make('Cloud and data only', 'CATEGORY', [
      {
        ruleType: 'ALLOWED_CATEGORIES',
        operator: 'IN_LIST',
        value: ['CLOUD_SERVICES', 'DATA_SERVICES', 'API_PROVIDER', 'REFUND', 'X402', 'OTHER'],
      },
      perDay,
    ]),
    await make('A thousand a week', 'SPEND_LIMIT', [{ ruleType: 'WEEKLY_LIMIT', operator: 'LTE', value: 1000 }]),
  ]
  await edit(stage, policies[1]!, policies[2]!)
  return policies
}

/** A policy that has changed once, and one with a test. */
async function edit(stage: Stage, tested: Policy, edited: Policy): Promise<void> {
  const payment = { amount: 20, category: 'data_services' }
  const tests = [{ name: 'A small bill for data', payment, expect: 'APPROVED' }]
  await stage.must('PUT', `/api/policies/${tested.id}/tests`, { tests })
  const [weekly] = edited.rules
  const small = { ruleType: 'MAX_AMOUNT', operator: 'LTE', value: 300 }
  await stage.must('PUT', `/api/policies/${edited.id}/rules`, { rules: [weekly, small] })
}

async function makeAgents(stage: Stage, policies: Policy[]): Promise<Story['agents']> {
  const limits = { spendLimitPerTx: 1000, spendLimitDaily: 900, spendLimitWeekly: 2000, spendLimitMonthly: 6000 }
  const make = (name: string, description: string, balance: number, chainId: string, terms: object = {}) =>
    stage.agent({
      name,
      balance,
      agent: { description },
      wallet: { name: `${name} wallet`, chainId },
      terms: { ...limits, ...terms },
    })
  const agents = {
    Procurement: await make('Procurement', 'Buys machines and licences for engineering', 24_000, '8453'),
    'Research crawler': await make('Research crawler', 'Collects prices and forecasts', 1_800, '84532', {
      spendLimitDaily: 60,
    }),
    'Support refunds': await make('Support refunds', 'Pays customers back within policy', 5_200.75, '84532', {
      spendLimitWeekly: null,
    }),
    'Ad buyer': await make('Ad buyer', 'Trial, on hold until the spring', 0, '84532', {
      delegationType: 'PREAPPROVED',
    }),
  }
  await stage.must('PATCH', `/api/agents/${agents['Ad buyer'].agentId}`, { status: 'PAUSED' })
  for (const name of ['Procurement', 'Research crawler', 'Support refunds'] as const) {
    await stage.assign(policies[1]!.id, agents[name])
  }
  await stage.assign(policies[2]!.id, agents['Research crawler'])
  await stage.must('POST', '/api/wallets', {
    name: 'Treasury multisig',
    custodyType: 'SMART_CONTRACT',
    address: '0x5555555555555555555555555555555555555555',
    chainId: '1',
  })
  return agents
}

async function makeCounterparties(stage: Stage): Promise<string> {
  const made = []
  for (const [name, address, status, category] of COUNTERPARTIES) {
    made.push(await stage.must<{ id: string }>('POST', '/api/counterparties', { name, address, status, category }))
  }
  return made[0]!.id
}

/** Every day the agents make the same payments with slightly different amounts. */
async function spend(
  stage: Stage,
  agents: Story['agents'],
  { now, days, eventUrl }: { now: number; days: number; eventUrl: string },
): Promise<Story['payments']> {
  const payments = { waiting: '', denied: '', executed: '', x402: '' }
  for (let day = days; day >= 0; day -= 1) {
    for (const [index, { agent, to, amount, ...about }] of BUYS.entries()) {
      const isRare = index >= 4 && day % 5 !== 0
      if (isRare) continue
      stage.setClock(now - day * DAY_MS - (BUYS.length - index) * HOUR_MS)
      const [recipientName, recipientAddress] = COUNTERPARTIES[to]!
      const asked = (amount * (70 + ((day * 37 + index * 11) % 60))) / 100
      const decided = await stage.pay(agents[agent]!, Math.round(asked * 100) / 100, {
        recipientAddress,
        recipientName,
        ...about,
      })
      if (decided.status === 'REQUIRES_APPROVAL') payments.waiting = decided.requestId
      else if (decided.status === 'DENIED') payments.denied = decided.requestId
      else payments.executed = decided.requestId
    }
    if (day === 1) await stage.must('PUT', '/api/webhooks', { url: eventUrl })
  }
  stage.setClock(now)
  payments.x402 = await buyReport(stage, agents['Support refunds']!)
  return payments
}

async function buyReport({ client }: Stage, { key }: FundedAgent): Promise<string> {
  const { body } = await authorizeFor(client, key, 0.05)
  if (body.status !== 'EXECUTING') throw new Error(`The report is not bought: ${JSON.stringify(body)}`)
  await settle(client, key, body)
  return body.requestId
}

/**
 * A change that waits for a second person: a colleague wants a policy to require approval from a higher amount on, and
 * for new counterparties.
 */
async function govern(stage: Stage, owner: Person, colleague: Person, policyId: string): Promise<string> {
  const headers = { Origin: stage.url }
  const actions = ['counterparty.trust', 'policy.update', 'key.create']
  const governance = { enabled: true, actions }
  await stage.client.send('PATCH', '/api/organization', owner.cookie, { governance }, headers)
  const later = { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 900 }
  const rules = [later, { ruleType: 'NEW_COUNTERPARTY', operator: 'EQUALS', value: true }]
  const path = `/api/policies/${policyId}/rules`
  const asked = await stage.client.send<{ governanceApprovalRequestId: string }>(
    'PUT',
    path,
    colleague.cookie,
    { rules },
    headers,
  )
  return asked.body.governanceApprovalRequestId
}
