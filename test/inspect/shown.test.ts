// What is visible of actors: every field of every chart is either shown or concealed, and no stored secret is in any
// answer about an actor.
import test from 'ava'
import { charts, type Kind } from '../../machines/index.js'
import { idOf, kindOf, type Actor } from '../../src/actor/actor.js'
import { TURN_FIELDS } from '../../src/actor/contextCopies.js'
import { newPerson } from '../support/people.js'
import { OPERATOR_KEY, start } from '../support/service.js'
import { inspect } from '../support/integrity.js'
import { newFolder, ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { exchanged, newCodeOf } from '../support/oauth.js'
import { ask, fundedAgent, made } from '../support/payments.js'

const scope = wholeFile(test)

/** Hashes of keys and tokens, passwords, signed transfers, and requests that may hold any of them. */
const CONCEALED: Partial<Record<Kind, readonly string[]>> = {
  change: ['since', 'heldRequest'],
  member: ['password', 'setUp'],
  payment: ['transfers'],
  session: ['hash'],
}

for (const [kind, { machine, shown }] of Object.entries(charts)) {
  test(`every field of ${kind} is either shown or concealed`, (t) => {
    const decided = [...shown, ...(CONCEALED[kind as Kind] ?? [])]
    const fields = Object.keys(machine.config.context as object).filter((field) => !TURN_FIELDS.includes(field))
    t.deepEqual([...decided].sort(), fields.sort())
  })
}

const QUERY_SECRET = 'querysecret0123456789'
const SECRET_FIELDS = new Set(['hash', 'secret', 'previousSecret', 'botToken', 'signingSecret'])

/** Every hash, sealed secret and signed byte that an actor holds. */
function secretsIn(value: unknown, field = ''): string[] {
  // A key of OAuth has no hash of its own.
  if (typeof value === 'string') return SECRET_FIELDS.has(field) && value !== '' ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, Array.isArray(value) ? field : name))
}

test('no secret of any actor is in any answer about it, its history, its story or the stream', async (t) => {
  const folder = newFolder(scope)
  const service = await start(scope, { folder })
  const { client } = service
  const buyer = await fundedAgent(client, { name: 'Buyer' })
  await client.send('PATCH', `/api/agents/${buyer.agentId}`, ORGANIZATION_KEY, {
    callbackUrl: `https://events.bursar.zz/?token=${QUERY_SECRET}`,
  })
  await client.send('PUT', '/api/webhooks', ORGANIZATION_KEY, {
    url: `https://events.bursar.zz/?token=${QUERY_SECRET}`,
  })
  await client.post('/api/webhooks/rotate-secret', ORGANIZATION_KEY)
  await newPerson(client, 'ADMIN')
  await made(client, '/api/members', { email: 'invited@example.com', role: 'VIEWER' })
  await made(client, '/api/approval-workflows', { name: 'Workflow' })
  const config = { botToken: 'xoxb-1', channel: 'C1', signingSecret: 'secret' }
  await made(client, '/api/channels', { name: 'Slack', type: 'SLACK', events: ['alert.raised'], config })
  await made(client, '/api/policies', { name: 'P', policyType: 'SPEND_LIMIT', agentIds: [buyer.agentId] })
  const { cookie } = await newPerson(client, 'OWNER')
  await exchanged(service, await newCodeOf(service, cookie, buyer.agentId))
  await client.send('PATCH', '/api/organization', ORGANIZATION_KEY, {
    governance: { enabled: true, actions: ['key.create', 'policy.create'] },
  })
  await client.post('/api/policies', cookie, { name: 'Held', policyType: 'COMPOSITE' })
  await client.post('/api/organizations', OPERATOR_KEY, { name: 'Other' })
  await ask(client, buyer.key, 5, { autoExecute: true })
  await service.stop()
  const { actors } = await inspect(folder)
  await service.restart()
  const secrets = new Set([QUERY_SECRET, ...[...actors.values()].flatMap((actor) => secretsIn(actor.context))])
  t.true(secrets.size >= 11, `${secrets.size} secrets`)
  const own = [...actors.values()].find(({ ref }) => ref === `agent/${buyer.agentId}`)!.context['organization']
  const seen = new Set<string>()
  for (const { ref, context } of actors.values() as Iterable<Actor>) {
    const path = `/api/machines/${kindOf(ref)}/actors/${idOf(ref)}`
    for (const answer of [
      await service.client.get(path, ORGANIZATION_KEY),
      await service.client.get(`${path}/history`, ORGANIZATION_KEY),
      await service.client.get(`${path}/story`, ORGANIZATION_KEY),
    ]) {
      t.is(answer.status, context['organization'] === own ? 200 : 404, path)
      const text = JSON.stringify(answer.body)
      for (const secret of secrets)
        t.false(text.includes(secret), `${path} shows a secret of ${secret.length} characters`)
    }
    if (context['organization'] === own) seen.add(kindOf(ref))
  }
  const { body } = await service.client.get('/api/inspect/stream?after=0&seconds=0', ORGANIZATION_KEY)
  t.true(String(body).includes(buyer.agentId))
  for (const secret of secrets) t.false(String(body).includes(secret))
  const unseen = Object.keys(charts).filter((kind) => !seen.has(kind))
  t.deepEqual(
    unseen,
    ['account', 'budget', 'card', 'cardAssignment', 'service', 'slackUser', 'relationship', 'watch'],
    'machines that this organization has no actor of',
  )
  t.deepEqual(service.logged, [])
})
