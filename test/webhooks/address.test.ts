// Reading an endpoint's address with its secrets, and secrets that cannot be opened.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import type { Actor } from '../../src/actor/actor.js'
import type { Outcome } from '../../src/domain/delivery.js'
import { addressesOf, type Address } from '../../src/webhooks/address.js'
import { Vault } from '../../src/webhooks/vault.js'

const KEY = randomBytes(32)
const ORGANIZATION = 'o'

/** The address of an organization with these sealed secrets. */
function addressOf(secret: string | null, previousSecret: string | null = null): Promise<Address | Outcome> {
  const webhook = { webhookUrl: 'https://events.bursar.zz/', secret, previousSecret, previousUntil: 10 }
  const read = async () => [{ context: { webhook } } as unknown as Actor]
  return addressesOf({ read, vault: new Vault(KEY), now: () => 1 })(ORGANIZATION, null)
}

const seal = (secret: string, key = KEY): string => new Vault(key).seal(ORGANIZATION, secret)

test('both signing secrets are opened', async (t) => {
  const address = await addressOf(seal('new'), seal('old'))
  t.deepEqual(address, { url: 'https://events.bursar.zz/', secrets: { current: 'new', previous: 'old' } })
})

const LOST = seal('new', randomBytes(32))
for (const [name, secret, previous] of [
  ['the secret', LOST, null],
  ['the old secret', seal('new'), LOST],
] as const) {
  test(`an attempt ends with an error if ${name} cannot be opened`, async (t) => {
    const outcome = await addressOf(secret, previous)
    t.like(outcome, { error: 'The signing secret cannot be opened', at: 1 })
    t.false('refused' in outcome)
    t.is(typeof (outcome as Outcome).detail, 'string')
  })
}
