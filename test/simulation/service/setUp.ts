// Makes the organizations of a run, with everything that payments need, by the requests that people make at first.
import type { Random } from '../../support/random.js'
import { OPERATOR_KEY, URL } from './simulatedService.js'
import type { Agent, Credential, Member, Organization, Role } from './organization.js'
import { isDone, type Body, type Call, type Told, type World } from './world.js'

export const PASSWORD = 'correct horse battery staple'
const ROLES: [string, Role][] = [
  ['ada', 'OWNER'],
  ['ben', 'ADMIN'],
  ['cleo', 'MANAGER'],
  ['dora', 'VIEWER'],
]
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

export const bearer = (key: string): Credential['headers'] => ({ authorization: `Bearer ${key}` })
export const cookieOf = ({ headers }: Pick<Told, 'headers'>): Credential['headers'] => {
  return { cookie: String(headers['set-cookie']).split(';')[0]!, origin: URL }
}

async function must(world: World, call: Call): Promise<Told> {
  const told = await world.ask(call)
  if (!isDone(told)) throw new Error(`${call.method} ${call.path} was answered ${told.text}`)
  return told
}

/** An organization with four people, two agents, and a wallet of each kind for both. */
export async function founded(world: World, random: Random, name: string): Promise<Organization> {
  const byOperator = { by: undefined, organization: undefined, headers: bearer(OPERATOR_KEY) }
  const made = await must(world, { ...byOperator, method: 'POST', path: '/api/organizations', body: { name } })
  const organization = empty(made.body.id!, name, made.body.apiKey!)
  world.organizations.push(organization)
  const { keys } = (await must(world, asRoot(organization, 'GET', '/api/api-keys'))).body
  Object.assign(organization.root, { id: keys![0]!.id, countsAs: keys![0]!.id })
  for (const [person, role] of ROLES) await join(world, organization, `${person} of ${name}`, role)
  for (const agent of ['buyer', 'seller']) await hire(world, random, organization, `${agent} of ${name}`)
  const rules = [{ ruleType: 'REQUIRE_APPROVAL_ABOVE', value: 20 }]
  const policy = { name: 'Approvals', policyType: 'COMPOSITE', scope: 'organization', rules }
  const { body } = await must(world, asRoot(organization, 'POST', '/api/policies', policy))
  organization.policy = { id: body.id!, approvalAbove: 20, version: 1 }
  if (random.chance(0.6)) {
    const url = 'https://hooks.example.com/first'
    await must(world, asRoot(organization, 'PUT', '/api/webhooks', { url }))
    Object.assign(organization, { webhook: url, isAlwaysTold: true })
  }
  return organization
}

const LISTS = ['members', 'credentials', 'agents', 'wallets', 'delegations', 'workflows', 'payments', 'cards', 'held']

function empty(id: string, name: string, key: string): Organization {
  const recipients = ['a1', 'a2', 'a3'].map((end) => `0x${end.padStart(40, '0')}`)
  const organization = {
    id,
    name,
    ...Object.fromEntries(LISTS.map((list) => [list, []])),
    revisions: new Map(),
    repeatable: [],
    policy: undefined,
    isFrozen: false,
    recipients: recipients.map((address) => ({ address, id: undefined, status: 'UNKNOWN' })),
    governance: { enabled: false, actions: [], requiredApprovals: 1 },
    webhook: null,
    isAlwaysTold: false,
    highValueAbove: null,
  } as object as Organization
  organization.root = { ...credential(organization, `the owner of ${name}`, 'ORGANIZATION_KEY'), headers: bearer(key) }
  organization.root.preset = 'ADMIN'
  return organization
}

export function credential(organization: Organization, name: string, type: Credential['type']): Credential {
  const none = { member: undefined, agent: undefined, preset: undefined, scopes: undefined, expiresAt: undefined }
  return { name, type, id: '', headers: {}, organization, countsAs: '', ...none, isEnded: false }
}

function asRoot(organization: Organization, method: string, path: string, body?: object): Call {
  return { by: organization.root, organization, method, path, ...(body && { body }) }
}

export const emailOf = (name: string): string => `${name.replaceAll(' ', '.')}@example.com`

/** Invites somebody, who sets a password and is signed in with that. */
export async function join(world: World, organization: Organization, name: string, role: Role): Promise<void> {
  const email = emailOf(name)
  const invited = await must(world, asRoot(organization, 'POST', '/api/members', { email, name, role }))
  const token = new globalThis.URL(invited.body.setupUrl!).searchParams.get('token')
  const path = '/api/session/setup'
  const body = { token, password: PASSWORD }
  const set = await must(world, { by: undefined, organization, method: 'POST', path, body })
  const member: Member = { id: invited.body.id!, name, role, isRemoved: false }
  organization.members.push(member)
  const signedIn = { ...credential(organization, name, 'PERSON'), id: member.id, countsAs: member.id, member }
  organization.credentials.push({ ...signedIn, headers: cookieOf(set) })
}

async function hire(world: World, random: Random, organization: Organization, name: string): Promise<void> {
  const { body } = await must(world, asRoot(organization, 'POST', '/api/agents', { name, agentType: 'CUSTOM' }))
  const agent: Agent = { id: body.id!, name, status: 'ACTIVE', keys: [] }
  organization.agents.push(agent)
  for (const isExternal of [false, true]) await endow(world, random, agent, organization, isExternal)
  const path = `/api/agents/${agent.id}/sdk-keys`
  const key = await must(world, asRoot(organization, 'POST', path, { name: 'first' }))
  agent.keys.push(agentKey(organization, agent, key.body))
  const card = { name: `Card of ${name}`, last4: '1234', brand: 'VISA', spendLimitPerTx: 30, spendLimitDaily: 60 }
  const cardId = (await must(world, asRoot(organization, 'POST', '/api/cards', card))).body.id!
  await must(world, asRoot(organization, 'POST', `/api/agents/${agent.id}/cards`, { cardId, allowedDays: DAYS }))
  organization.cards.push({ id: cardId, perTx: 30, daily: 60, status: 'ACTIVE', agents: [agent] })
}

export function agentKey(organization: Organization, agent: Agent, body: Body): Credential {
  const name = `${agent.name} (key ${agent.keys.length + 1})`
  const made = { ...credential(organization, name, 'AGENT_KEY'), id: body.id!, agent }
  return { ...made, countsAs: made.id, headers: bearer(body.key!), scopes: body.scopes }
}

async function endow(world: World, random: Random, agent: Agent, organization: Organization, isExternal: boolean) {
  const own = `0x${String(world.requests).padStart(40, 'b')}`
  const kind = isExternal ? { custodyType: 'EXTERNAL', address: own } : { custodyType: 'MANAGED' }
  const wanted = { name: `${isExternal ? 'External' : 'Managed'} wallet of ${agent.name}`, chainId: '84532', ...kind }
  const { body } = await must(world, asRoot(organization, 'POST', '/api/wallets', wanted))
  const funded = 100 + random.below(200)
  const wallet = { id: body.id!, address: body.address!, isExternal, funded, isFrozen: false }
  organization.wallets.push(wallet)
  await must(world, asRoot(organization, 'POST', `/api/wallets/${wallet.id}/fund`, { amount: funded }))
  const limits = { spendLimitPerTx: random.pick([20, 35]), spendLimitDaily: random.pick([60, 120, 200]) }
  const path = `/api/agents/${agent.id}/wallets`
  await must(world, asRoot(organization, 'POST', path, { walletId: wallet.id, ...limits, allowedDays: DAYS }))
  const { spendLimitPerTx: perTx, spendLimitDaily: daily } = limits
  const dailies = [{ from: world.now, limit: daily }]
  organization.delegations.push({ agent, wallet, perTx, daily, dailies, isRevoked: false })
}
