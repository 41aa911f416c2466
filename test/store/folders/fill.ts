// Fills a service with actors of all kinds, in many of their states.
import { randomBytes } from 'node:crypto'
import type { Message } from '../../../src/actor/actor.js'
import { charts } from '../../../machines/index.js'
import { deliver } from '../../../src/actor/host.js'
import type { Ref } from '../../../src/domain/limits/gate.js'
import { EmbeddedHost } from '../../../src/host/embedded.js'
import { GROUP } from '../../../src/store/audit/packs.js'
import { Store } from '../../../src/store/store.js'
import { randomAddress } from '../../support/commands.js'
import { packAll } from '../../support/packing.js'
import { ask } from '../../support/payments.js'
import { newPerson } from '../../support/people.js'
import { populate } from '../../support/population.js'
import { ORGANIZATION_KEY } from '../../support/process.js'
import type { Started } from '../../support/service.js'
import { authorizeFor } from '../../support/x402.js'

const SHARED = { ruleType: 'BUDGET_CAP', value: { amount: 500, period: 'TOTAL', of: 'POLICY' } }
const NEEDS_PERSON = { ruleType: 'REQUIRE_APPROVAL_ABOVE', operator: 'GREATER_THAN', value: 50 }

/** Through the interface; returns the id of the organization. */
export async function fill({ client }: Started): Promise<string> {
  const must = async <Body>(method: string, path: string, body?: unknown, key = ORGANIZATION_KEY): Promise<Body> => {
    const answer = await client.send<Body>(method, path, key, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const { ids, agentKey } = await populate(client, ORGANIZATION_KEY)
  const agentIds = [ids['agentId']!]
  await must('POST', '/api/approval-workflows', { name: 'Workflow' })
  await newPerson(client, 'OWNER')
  const policies = { name: 'Shared', policyType: 'SPEND_LIMIT', rules: [SHARED, NEEDS_PERSON], agentIds }
  await must('POST', '/api/policies', policies)
  await must('POST', '/api/sdk/counterparties', { name: 'Paper Ltd', address: randomAddress() }, agentKey)
  const asked = { idempotencyKey: 'invoice-1', purpose: 'Paper', category: 'OFFICE' }
  const paid = await ask(client, agentKey, 7, { ...asked, autoExecute: true })
  const waiting = await ask(client, agentKey, 60)
  const cancelled = await ask(client, agentKey, 3)
  await must('POST', `/api/sdk/payments/${cancelled.body.requestId}/cancel`, undefined, agentKey)
  const signed = await authorizeFor(client, agentKey, 2)
  for (const { status } of [paid, waiting, cancelled, signed])
    if (status >= 300) throw new Error(`A payment: ${status}`)
  const { id } = await must<{ id: string }>('GET', '/api/organization')
  // Enough entries for a pack.
  for (let time = 0; time < GROUP; time += 1) {
    for (const enabled of [true, false]) await must('PATCH', '/api/organization', { governance: { enabled } })
  }
  return id
}

/** Adds to the folder of a service that has ended the actors that only live settlement and Slack make, and packs. */
export async function fillOutside(folder: string, organization: string, now: number): Promise<void> {
  const store = new Store(randomBytes, charts)
  store.open(folder)
  await store.takeOver()
  const host = new EmbeddedHost(charts, store, { hotActors: 100 })
  const tell = (to: Ref, message: object): Promise<unknown> =>
    deliver(host, { type: 'SYSTEM', id: 'test' }, to, { now, organization, ...message } as unknown as Message)
  const address = randomAddress()
  await tell('account/a1', { type: 'ALLOCATE', chainId: '84532', address, payment: 'payment/p1', floor: 3 })
  await tell('watch/w1', { type: 'WATCH', walletId: 'w1', from: 100 })
  const linked = { id: 's1', order: now * 1000, channelId: 'c1', memberId: 'm1' }
  await tell('slackUser/s1', { type: 'LINK', ...linked, teamId: 'T1', userId: 'U1', userName: 'Ada' })
  await packAll(store)
  if (store.auditPacks.last(organization) < 0) throw new Error('No audit entries were packed')
  await store.close()
}
