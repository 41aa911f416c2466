// Password hashing: argon2id with the current parameters, in a thread that does not block the event loop.
import { createHash } from 'node:crypto'
import test from 'ava'
import { argon2id } from 'hash-wasm'
import { PasswordHasher } from '../../src/service/passwords.js'
import type { Scope } from '../support/process.js'

const PASSWORD = 'correct horse battery staple'
const SALT = 'of ada@example.com'
/** Where it is of no account how much a hash costs. */
const CHEAP = 'm=8,t=1,p=1'
const TODAYS = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/

function hasher(scope: Scope, parameters?: string): PasswordHasher {
  const passwords = new PasswordHasher(parameters)
  scope.teardown(() => passwords.close())
  return passwords
}

test('a hash is argon2id under its salt, and verifies only its password', async (t) => {
  const passwords = hasher(t)
  const [first, second] = await Promise.all([passwords.hash(PASSWORD, SALT), passwords.hash(PASSWORD, 'another')])
  for (const hash of [first, second]) t.regex(hash, TODAYS)
  t.not(first, second)
  t.deepEqual(await passwords.verify(PASSWORD, SALT, [first]), { matches: [true] })
  t.deepEqual(await passwords.verify(PASSWORD, 'another', [first]), { matches: [false] })
  t.deepEqual(await passwords.verify(`${PASSWORD}.`, SALT, [first]), { matches: [false] })
  t.deepEqual(await passwords.verify(PASSWORD, SALT, []), { matches: [] })
})

test('a check costs one hash, however many it compares with', async (t) => {
  const passwords = hasher(t, CHEAP)
  const own = await passwords.hash(PASSWORD, SALT)
  const others = await Promise.all(['one', 'two', 'three', 'four'].map((one) => passwords.hash(one, SALT)))
  for (const stored of [[], [own], [...others, own], [...others, ...others, ...others]]) {
    const before = passwords.computed
    const { matches } = await passwords.verify(PASSWORD, SALT, stored)
    t.is(passwords.computed - before, 1)
    t.deepEqual(
      matches,
      stored.map((one) => one === own),
    )
  }
})

test('a hash with other parameters is renewed when its password is verified', async (t) => {
  const passwords = hasher(t)
  const salt = createHash('sha256').update(SALT).digest().subarray(0, 16)
  const weak = { password: PASSWORD, salt, parallelism: 1, iterations: 1, memorySize: 64, hashLength: 32 }
  const stored = await argon2id({ ...weak, outputType: 'encoded' })
  t.deepEqual(await passwords.verify('another password', SALT, [stored]), { matches: [false] })
  const { matches, renewed } = await passwords.verify(PASSWORD, SALT, [stored])
  t.deepEqual(matches, [true])
  t.regex(renewed ?? '', TODAYS)
  t.deepEqual(await passwords.verify(PASSWORD, SALT, [renewed!]), { matches: [true] })
})

test('a malformed hash fails alone, and the thread goes on', async (t) => {
  const passwords = hasher(t, CHEAP)
  const [damaged, next] = await Promise.allSettled([
    passwords.verify(PASSWORD, SALT, ['$argon2id$damaged']),
    passwords.verify(PASSWORD, SALT, []),
  ])
  t.is(damaged.status, 'rejected')
  t.deepEqual(next, { status: 'fulfilled', value: { matches: [] } })
})

test('concurrent checks get their own answers, and many of them make the hasher busy', async (t) => {
  const passwords = hasher(t, CHEAP)
  const stored = [await passwords.hash(PASSWORD, SALT)]
  t.false(passwords.busy())
  const asked = Array.from({ length: 50 }, (_, at) =>
    passwords.verify(at % 7 === 0 ? PASSWORD : 'another', SALT, stored),
  )
  t.true(passwords.busy())
  const answers = await Promise.all(asked)
  t.deepEqual(
    answers.map(({ matches }) => matches[0]),
    asked.map((_, at) => at % 7 === 0),
  )
  t.false(passwords.busy())
})

test('hashing passwords does not block the event loop', async (t) => {
  const passwords = hasher(t)
  let turns = 0
  let hashing = true
  const count = (): void => {
    turns += 1
    if (hashing) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all([passwords.hash(PASSWORD, SALT), passwords.hash(PASSWORD, SALT)])
  hashing = false
  t.true(turns > 20, `${turns} turns`)
})
