// A client that was told the address of Bursar alone: the official one finds, registers, asks, calls, refreshes and gives
// up what it was granted.
import test from 'ava'
import { connected, postForm, toolsOf } from '../support/oauth.js'
import { fundedAgent, RECIPIENT } from '../support/payments.js'
import { newPerson, type Person } from '../support/people.js'
import { ORGANIZATION_KEY, wholeFile } from '../support/process.js'
import { start, type Started } from '../support/service.js'
import { statusWith } from '../support/mcpPost.js'
import type { KeyList, Setup } from '../../sdk/api.js'

const scope = wholeFile(test)
let service: Started
let owner: Person

test.before(async () => {
  service = await start(scope)
  owner = await newPerson(service.client, 'OWNER')
})

/** No request may make the service log. */
test.after.always(() => {
  if (service.logged.length > 0) throw new Error(service.logged.join('\n'))
})

test('the official client connects, calls, refreshes, and gives up its grant', async (t) => {
  const { agentId } = await fundedAgent(service.client, { name: 'Connected' })
  const client = await connected(service, owner.cookie, { agentId })
  t.is(client.kept.expires_in, 3600)
  const call = await toolsOf(scope, service, client)
  const { isError, structuredContent } = await call('get_limits')
  t.falsy(isError)
  t.truthy(structuredContent['wallets'])
  const paid = await call('pay', { amount: 5, recipientAddress: RECIPIENT, paymentKey: 'A' })
  t.is(paid.structuredContent['status'], 'APPROVED')
  const asked = await call('request_payment', { amount: 5, recipientAddress: RECIPIENT, paymentKey: 'B' })
  t.is(asked.structuredContent['status'], 'APPROVED')
  const { access_token: first, refresh_token: refresh } = client.kept
  t.is((await service.client.get<Setup>('/api/sdk/setup', first)).body.agent.id, agentId)
  const clientId = client.client!.client_id
  const refreshed = await postForm(service, 'token', {
    grant_type: 'refresh_token',
    refresh_token: refresh!,
    client_id: clientId,
  })
  t.is(refreshed.status, 200, JSON.stringify(refreshed.body))
  const second = String(refreshed.body['access_token'])
  t.is(await statusWith(service, second), 200)
  const revoked = await postForm(service, 'revoke', { token: second, client_id: clientId })
  t.is(revoked.status, 200)
  for (const token of [first, second]) t.is(await statusWith(service, token), 401)
  const { body } = await service.client.get<KeyList>(`/api/agents/${agentId}/sdk-keys`, ORGANIZATION_KEY)
  const { type, clientName, redirectHost, status } = body.keys[0]!
  t.deepEqual([type, clientName, redirectHost, status], ['OAUTH', 'Desk', '127.0.0.1:33418', 'REVOKED'])
})
