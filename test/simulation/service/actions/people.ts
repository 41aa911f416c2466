// Keys and members: made, used, taken away; and whatever one has still tries what it opened.
import { agentKey, bearer, cookieOf, credential, emailOf, join, PASSWORD } from '../setUp.js'
import { isLive, isOwner, type Preset } from '../organization.js'
import { one, request, somebody, type Action, type Stage } from '../stage.js'

const DAY_MS = 86_400_000
const READ = '/api/agents'

async function mintKey(stage: Stage): Promise<void> {
  const { organization, random, world } = stage
  const by = somebody(stage, 'keys:write')
  const preset = random.pick<Preset>(['READ_ONLY', 'STANDARD', 'ADMIN', 'ADMIN'])
  const expiresInDays = random.chance(0.3) ? 1 : undefined
  const name = `key ${random.below(1000)} of ${by.name}`
  const governed = { actions: ['key.create'], subject: 'keys' }
  const body = { name, scopePreset: preset, ...(expiresInDays && { expiresInDays }) }
  const wanted = { by, method: 'POST', path: '/api/api-keys', body, needs: 'keys:write', governed }
  await request(stage, wanted, ({ id, key }) => {
    if (key === undefined) return
    const made = { ...credential(organization, name, 'ORGANIZATION_KEY'), id: id!, preset, member: by.member }
    const expiresAt = expiresInDays && world.now + expiresInDays * DAY_MS
    organization.credentials.push({ ...made, countsAs: by.countsAs, headers: bearer(key), expiresAt })
  })
}

async function mintAgentKey(stage: Stage): Promise<void> {
  const { organization, random } = stage
  const agent = random.pick(organization.agents)
  const scopes = random.chance(0.3) ? { scopes: ['payments:request', 'payments:read'] } : {}
  const path = `/api/agents/${agent.id}/sdk-keys`
  const governed = { actions: ['key.create'], subject: 'keys' }
  const by = somebody(stage, 'agents:write')
  const body = { name: `key ${random.below(1000)}`, ...scopes }
  await request(stage, { by, method: 'POST', path, body, needs: 'agents:write', governed }, (made) => {
    if (made.key !== undefined) agent.keys.push(agentKey(organization, agent, made))
  })
}

async function revokeKey(stage: Stage): Promise<void> {
  const key = one(
    stage,
    stage.organization.credentials.filter(({ type }) => type === 'ORGANIZATION_KEY'),
  )
  if (!key) return
  const path = `/api/api-keys?keyId=${key.id}`
  const by = somebody(stage, 'keys:write')
  await request(stage, { by, method: 'DELETE', path, needs: 'keys:write' }, () => {
    key.isEnded = true
  })
}

async function revokeAgentKey(stage: Stage): Promise<void> {
  const agent = stage.random.pick(stage.organization.agents)
  const key = one(stage, agent.keys.slice(1))
  if (!key) return
  const path = `/api/agents/${agent.id}/sdk-keys?keyId=${key.id}`
  await request(stage, { by: somebody(stage, 'agents:write'), method: 'DELETE', path, needs: 'agents:write' }, () => {
    key.isEnded = true
  })
}

/** By an owner, mostly. */
function owner(stage: Stage) {
  const all = [stage.organization.root, ...stage.organization.credentials]
  return (
    one(
      stage,
      all.filter((each) => isOwner(each) || stage.random.chance(0.1)),
    ) ?? stage.organization.root
  )
}

const OWNERS = { needs: 'organization:write', isOwners: true } as const

async function changeRole(stage: Stage): Promise<void> {
  const member = one(stage, stage.organization.members.slice(1))
  if (!member) return
  const roles = (['ADMIN', 'ADMIN', 'MANAGER', 'VIEWER', 'OWNER'] as const).filter((one) => one !== member.role)
  const role = stage.random.pick(roles)
  const governed = { actions: ['member.update'], subject: member.id }
  const path = `/api/members/${member.id}`
  await request(stage, { by: owner(stage), method: 'PATCH', path, body: { role }, governed, ...OWNERS }, () => {
    member.role = role
  })
}

/** Somebody else comes in their place. */
async function removeMember(stage: Stage): Promise<void> {
  const { organization, random, world } = stage
  const member = one(
    stage,
    organization.members.slice(1).filter(({ isRemoved }) => !isRemoved),
  )
  if (!member) return
  const governed = { actions: ['member.update'], subject: member.id }
  const path = `/api/members/${member.id}`
  await request(stage, { by: owner(stage), method: 'DELETE', path, governed, ...OWNERS }, () => {
    member.isRemoved = true
  })
  if (!member.isRemoved || organization.governance.enabled) return
  await join(world, organization, `new ${random.below(1e6)} of ${organization.name}`, 'ADMIN')
}

/** Any credential, as often an ended one, tries to read. */
async function tryOut(stage: Stage): Promise<void> {
  const { organization, random, world } = stage
  const ended = organization.credentials.filter((each) => !isLive(each, world.now))
  const by = one(stage, random.chance(0.5) ? ended : organization.credentials)
  if (by) await request(stage, { by, method: 'GET', path: READ, needs: 'agents:read' })
}

/** Again, after a long time or a sign-out. */
async function signIn(stage: Stage): Promise<void> {
  const { world, organization } = stage
  const people = organization.credentials.filter(({ type, member }) => type === 'PERSON' && member?.isRemoved === false)
  const person = one(stage, people)
  if (!person) return
  const body = { email: emailOf(person.name), password: PASSWORD, organizationId: organization.id }
  const told = await world.ask({ by: undefined, organization, method: 'POST', path: '/api/session', body })
  if (told.status === 200) Object.assign(person, { headers: cookieOf(told), isEnded: false })
}

async function signOut(stage: Stage): Promise<void> {
  const by = one(
    stage,
    stage.organization.credentials.filter(({ type, isEnded }) => type === 'PERSON' && !isEnded),
  )
  if (!by || by.member === stage.organization.members[0]) return
  await request(stage, { by, method: 'DELETE', path: '/api/session' }, () => {
    by.isEnded = true
  })
}

export const people: Action[] = [
  { name: 'make a key', share: 4, act: mintKey },
  { name: 'make a key of an agent', share: 3, act: mintAgentKey },
  { name: 'revoke a key', share: 3, act: revokeKey },
  { name: 'revoke a key of an agent', share: 2, act: revokeAgentKey },
  { name: 'change a role', share: 4, act: changeRole },
  { name: 'remove a member', share: 2, act: removeMember },
  { name: 'try a credential', share: 5, act: tryOut },
  { name: 'sign out', share: 1, act: signOut },
  { name: 'sign in', share: 3, act: signIn },
]
