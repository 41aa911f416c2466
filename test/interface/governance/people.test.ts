// Separation of duties among people and their keys: who is one person, and what a second one must agree to.
import test from 'ava'
import { cookieIn, newPerson, PASSWORD, setUp, signIn, tokenIn, type Invited } from '../../support/people.js'
import type { Failure } from '../../support/client.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import type { Key } from '../../support/payments.js'
import { randomAddress } from '../../support/commands.js'
import { startReceiver } from '../../support/receiver.js'
import { keyOf, startGovernance, type GovernedStage, type Pending } from '../../support/governance.js'
import type { MemberList } from '../../../sdk/api.js'

const via = (stage: GovernedStage) => ({ Origin: stage.url })

/** The owner of the first start, signed in through the set-up link. */
async function firstOwner(stage: GovernedStage): Promise<{ id: string; email: string; cookie: string }> {
  const { members } = await stage.must<MemberList>('GET', '/api/members?limit=100')
  const { id, email } = members.at(-1)!
  return { id, email, cookie: await joined(stage, await stage.must('POST', `/api/members/${id}/invite`)) }
}

async function joined({ client }: GovernedStage, invited: Invited): Promise<string> {
  return cookieIn(await setUp(client, tokenIn(invited)))
}

/** A change that the first key asks for. */
async function asked(stage: GovernedStage): Promise<string> {
  const body = { name: 'Paper', address: randomAddress() }
  const { id } = await stage.must<{ id: string }>('POST', '/api/counterparties', body)
  return stage.pend('POST', `/api/counterparties/${id}/trust`, { reason: 'Known' })
}

test('the key of the first start and the first owner are one person, also after the owner was invited anew', async (t) => {
  const stage = await startGovernance(t, { actions: ['counterparty.trust'] })
  const owner = await firstOwner(stage)
  const ofOwner = await keyOf(stage, owner.cookie)
  for (const by of [owner.cookie, ofOwner.key, (await keyOf(stage)).key]) {
    t.like((await stage.decide(by, await asked(stage))).body, { code: 'SELF_APPROVAL' })
  }
  await stage.must('DELETE', `/api/members/${owner.id}`)
  const again = await joined(stage, await stage.must('POST', '/api/members', { email: owner.email, role: 'OWNER' }))
  t.like((await stage.decide(again, await asked(stage))).body, { code: 'SELF_APPROVAL' })
  t.is((await stage.decide(stage.admin2.cookie, await asked(stage))).status, 200)
})

test('who installs alone is not the two people that governance needs', async (t) => {
  const stage = await startGovernance(t)
  await firstOwner(stage)
  await stage.must('DELETE', `/api/members/${stage.admin2.id}`)
  const enable = () => stage.admin<Failure>('PATCH', '/api/organization', { governance: { enabled: true } })
  t.like((await enable()).body, { code: 'INVALID_STATUS' })
  await newPerson(stage.client, 'ADMIN')
  t.is((await enable()).status, 200)
})

test('keys of the first owner end with the membership, the first key and its keys do not', async (t) => {
  const stage = await startGovernance(t)
  const owner = await firstOwner(stage)
  const [ofOwner, ofFirst] = [await keyOf(stage, owner.cookie), await keyOf(stage)]
  await stage.must('DELETE', `/api/members/${owner.id}`)
  const status = async (by: string) => (await stage.client.get('/api/agents', by)).status
  t.deepEqual([await status(ofOwner.key), await status(ofFirst.key), await status(ORGANIZATION_KEY)], [401, 200, 200])
})

test('a password is reset by another owner, through a link and with a second person', async (t) => {
  const stage = await startGovernance(t)
  const { client } = stage
  const person = await newPerson(client, 'ADMIN')
  const path = `/api/members/${person.id}/reset-password`
  const own = await keyOf(stage, stage.admin2.cookie)
  for (const by of [stage.admin2.cookie, own.key]) {
    const answer = await client.post<Failure>(
      `/api/members/${stage.admin2.id}/reset-password`,
      by,
      undefined,
      via(stage),
    )
    t.like(answer, { status: 400, body: { code: 'INVALID_STATUS' } })
  }
  const first = await stage.must<Invited>('POST', path)
  t.like(first, { id: person.id, status: 'ACTIVE' })
  t.is((await signIn(client, person.email, PASSWORD)).status, 200)
  t.is((await setUp(client, tokenIn(first), 'a password that is new')).status, 200)
  t.is((await client.get('/api/session', person.cookie)).status, 401)
  t.is((await signIn(client, person.email, PASSWORD)).status, 401)
  t.is((await signIn(client, person.email, 'a password that is new')).status, 200)
  t.is((await setUp(client, tokenIn(first), 'and another password')).status, 401)

  await stage.enable({ actions: ['member.update'] })
  const id = await stage.pend('POST', path)
  t.is((await stage.decide(stage.admin2.cookie, id)).body.application?.status, 'WAITING')
  const collected = await stage.must<Invited>('POST', `/api/governance/approvals/${id}/collect`)
  t.is((await setUp(client, tokenIn(collected), 'a third password here')).status, 200)
})

test('a cascade revokes keys at once, and asks a second person to remove the members', async (t) => {
  const stage = await startGovernance(t)
  const { client } = stage
  const stolen = await keyOf(stage)
  const second = await keyOf(stage, stolen.key)
  const person = await newPerson(client, 'VIEWER', second.key)
  await stage.enable({ actions: ['member.update'] })
  const status = async (by: string) => (await client.get('/api/agents', by)).status
  const id = await stage.pend('DELETE', `/api/api-keys?keyId=${stolen.id}&cascade=true`)
  t.deepEqual([await status(stolen.key), await status(second.key), await status(person.cookie)], [401, 401, 200])
  t.like(await stage.change(id), { action: 'member.update', resource: 'member', resourceId: person.id })
  t.like((await stage.decide(stage.admin2.cookie, id)).body, { application: { status: 'APPLIED' } })
  t.is(await status(person.cookie), 401)
})

test('the event of an approved creation names what was created', async (t) => {
  const receiver = await startReceiver(t)
  const stage = await startGovernance(t)
  await stage.must('PUT', '/api/webhooks', { url: `${receiver.url}/in` })
  await stage.enable({ actions: ['workflow.update', 'key.create'] })
  const workflow = await stage.pend('POST', '/api/approval-workflows', { name: 'New' })
  const key = await stage.pend('POST', '/api/api-keys', { name: 'New', scopePreset: 'READ_ONLY' })
  for (const id of [workflow, key]) t.is((await stage.decide(stage.admin2.cookie, id)).status, 200)
  const made = await stage.must<Key>('POST', `/api/governance/approvals/${key}/collect`)
  const isDecided = ({ body }: { body: { event: string } }) => body.event === 'governance.approval.decided'
  const events = (await receiver.until((all) => all.filter(isDecided).length === 2)).filter(isDecided)
  const named = (id: string) =>
    events.map(({ body }) => body.data).find((data) => data['governanceApprovalRequestId'] === id)?.['resourceId']
  t.is(named(key), made.id)
  t.like(await stage.must('GET', `/api/approval-workflows/${named(workflow)}`), { name: 'New' })
})

test('an unfreeze may say why, in the audit log', async (t) => {
  const stage = await startGovernance(t)
  const { agentId } = await stage.agent()
  const lastReason = async () => {
    const path = `/api/audit-logs?action=agent.unfreeze&resourceId=${agentId}&limit=1`
    const { entries } = await stage.must<{ entries: { data: { unfrozenFor?: { to: string | null } } }[] }>('GET', path)
    return entries[0]!.data.unfrozenFor?.to
  }
  await stage.must('POST', `/api/agents/${agentId}/freeze`, { reason: 'Test' })
  await stage.must('POST', `/api/agents/${agentId}/unfreeze`, { reason: 'A false alarm' })
  t.is(await lastReason(), 'A false alarm')
  await stage.must('POST', `/api/agents/${agentId}/freeze`, { reason: 'Test' })
  await stage.must('POST', `/api/agents/${agentId}/unfreeze`)
  t.is(await lastReason(), undefined)
})

test('a change of an agent that leaves its callback URL as it is needs nobody', async (t) => {
  const stage = await startGovernance(t)
  const { agentId } = await stage.agent()
  const url = 'https://events.example.com/agent?token=secret'
  const change = (body: object) => stage.admin<Pending>('PATCH', `/api/agents/${agentId}`, body)
  t.is((await change({ callbackUrl: url })).status, 200)
  await stage.enable({ actions: ['webhook.update'] })
  for (const body of [{ callbackUrl: url, name: 'Renamed' }, { description: 'Buys paper' }, { status: 'PAUSED' }]) {
    t.is((await change(body)).status, 200, JSON.stringify(body))
  }
  for (const callbackUrl of [null, 'https://elsewhere.example.com/in'])
    t.is((await change({ callbackUrl })).status, 202)
})

test('an approval of a new callback does not lift a freeze that came after the request', async (t) => {
  const stage = await startGovernance(t)
  const agent = await stage.must<{ id: string }>('POST', '/api/agents', { name: 'Frozen', agentType: 'CUSTOM' })
  const path = `/api/agents/${agent.id}`
  await stage.must('POST', `${path}/freeze`, { reason: 'First look' })
  await stage.enable({ actions: ['webhook.update', 'agent.reactivate'] })
  const id = await stage.pend('PATCH', path, { callbackUrl: 'https://example.com/in', status: 'ACTIVE' })
  await stage.must('POST', `${path}/freeze`, { reason: 'It is worse' })
  t.is((await stage.decide(stage.admin2.cookie, id)).body.code, 'INVALID_STATUS')
  t.like(await stage.must('GET', path), { status: 'SUSPENDED', callbackUrl: null })
})
