// Reading an endpoint's address with its secrets, and secrets that cannot be opened.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import type { AttemptOutcome } from '../../src/domain/outcomes/delivery.js'
import { addressesOf } from '../../src/webhooks/address.js'
import type { Receiving } from '../../src/webhooks/deliver.js'
import { Sealing } from '../../src/webhooks/sealing.js'

const KEY = randomBytes(32)
const ORGANIZATION = 'o'

/** Reads the address of an organization with these sealed secrets, as often as it is called. */
function reading(secret: string | null, previousSecret: string | null = null) {
  const webhook = { webhookUrl: 'https://events.bursar.zz/', secret, previousSecret, previousUntil: 10 }
  const peek = () => ({ context: { webhook } }) as never
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const addressOf = addressesOf({ peek, vault: new Sealing(KEY), now: () => 1, onError })
  return { addressOf: (): Promise<Receiving | AttemptOutcome> => addressOf(ORGANIZATION, null), errors }
}

const seal = (secret: string, key = KEY): string => new Sealing(key).seal(ORGANIZATION, secret)

test('both signing secrets are opened', async (t) => {
  const { addressOf, errors } = reading(seal('new'), seal('old'))
  const secrets = { current: 'new', previous: 'old' }
  t.deepEqual(await addressOf(), { url: 'https://events.bursar.zz/', secrets })
  t.deepEqual(errors, [])
})

const LOST = seal('new', randomBytes(32))

test('an attempt ends with an error if the secret cannot be opened', async (t) => {
  const outcome = await reading(LOST, seal('old')).addressOf()
  t.like(outcome, { error: 'The signing secret cannot be opened', at: 1 })
  t.false('refused' in outcome)
  t.is(typeof (outcome as AttemptOutcome).detail, 'string')
})

test('if only the previous secret cannot be opened, the current one signs alone, and one error is reported', async (t) => {
  const { addressOf, errors } = reading(seal('new'), LOST)
  for (let read = 0; read < 3; read += 1) {
    t.deepEqual(await addressOf(), { url: 'https://events.bursar.zz/', secrets: { current: 'new' } })
  }
  t.is(errors.length, 1)
  t.regex((errors[0] as Error).message, /^o: The previous signing secret/)
})
