// What an attempt needs and may not find.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import type { Actor } from '../../src/actor/actor.js'
import type { Delivery } from '../../src/domain/delivery.js'
import { attemptsOf } from '../../src/webhooks/attempts.js'
import type { Job } from '../../src/webhooks/deliver.js'
import { Vault } from '../../src/webhooks/vault.js'

const KEY = randomBytes(32)
const ORGANIZATION = 'o'

/** Makes an attempt for an organization with these sealed secrets; says what was sent. */
async function attempt(secret: string | null, previousSecret: string | null = null) {
  const sent: Job[] = []
  const webhook = { webhookUrl: 'https://events.bursar.zz/', secret, previousSecret, previousUntil: 10 }
  const attempts = attemptsOf({
    read: async () => [{ context: { webhook } } as unknown as Actor],
    vault: new Vault(KEY),
    send: async (job) => {
      sent.push(job)
      return { at: 1, durationMs: 0, statusCode: 204 }
    },
    now: () => 1,
  })
  const delivery = { id: 'd', organization: ORGANIZATION, agentId: null, attempts: [] } as unknown as Delivery
  return { sent, ...(await attempts(delivery)) }
}

const seal = (secret: string, key = KEY): string => new Vault(key).seal(ORGANIZATION, secret)

test('secrets are opened for the attempt', async (t) => {
  const { sent, outcome } = await attempt(seal('new'), seal('old'))
  t.deepEqual(sent[0]!.secrets, { current: 'new', previous: 'old' })
  t.is(outcome.statusCode, 204)
})

const LOST = seal('new', randomBytes(32))
for (const [name, secret, previous] of [['the secret', LOST, null], ['the secret before', seal('new'), LOST]] as const) {
  test(`an attempt ends with an error when ${name} cannot be opened`, async (t) => {
    const { sent, outcome } = await attempt(secret, previous)
    t.deepEqual(sent, [])
    t.like(outcome, { error: 'The signing secret cannot be opened', at: 1 })
    t.false('refused' in outcome)
    t.is(typeof outcome.detail, 'string')
  })
}
