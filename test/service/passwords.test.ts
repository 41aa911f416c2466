// Password hashing: argon2id with the current parameters, in a thread that does not block the event loop.
import test from 'ava'
import { argon2id } from 'hash-wasm'
import { PasswordHasher } from '../../src/passwords.js'
import type { Scope } from './service.js'

const PASSWORD = 'correct horse battery staple'
const TODAYS = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/

function hasher(scope: Scope): PasswordHasher {
  const passwords = new PasswordHasher()
  scope.teardown(() => passwords.close())
  return passwords
}

test('a hash is argon2id with its own salt, and verifies only its password', async (t) => {
  const passwords = hasher(t)
  const [first, second] = await Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)])
  for (const hash of [first, second]) t.regex(hash, TODAYS)
  t.not(first, second)
  t.deepEqual(await passwords.verify(PASSWORD, first), { matches: true })
  t.deepEqual(await passwords.verify(`${PASSWORD}.`, first), { matches: false })
  t.deepEqual(await passwords.verify(PASSWORD, undefined), { matches: false })
})

test('a hash with other parameters is renewed when its password is verified', async (t) => {
  const passwords = hasher(t)
  const salt = Buffer.alloc(16, 7)
  const weak = { password: PASSWORD, salt, parallelism: 1, iterations: 1, memorySize: 64, hashLength: 32 }
  const stored = await argon2id({ ...weak, outputType: 'encoded' })
  t.deepEqual(await passwords.verify('another password', stored), { matches: false })
  const { matches, renewed } = await passwords.verify(PASSWORD, stored)
  t.true(matches)
  t.regex(renewed ?? '', TODAYS)
  t.deepEqual(await passwords.verify(PASSWORD, renewed), { matches: true })
})

test('a malformed hash fails alone, and the thread goes on', async (t) => {
  const passwords = hasher(t)
  const [damaged, next] = await Promise.allSettled([
    passwords.verify(PASSWORD, '$argon2id$damaged'),
    passwords.verify(PASSWORD, undefined),
  ])
  t.is(damaged.status, 'rejected')
  t.deepEqual(next, { status: 'fulfilled', value: { matches: false } })
})

test('concurrent checks get their own answers, and many of them make the hasher busy', async (t) => {
  const passwords = hasher(t)
  const stored = await passwords.hash(PASSWORD)
  t.false(passwords.busy())
  const asked = Array.from({ length: 50 }, (_, at) => passwords.verify(at % 7 === 0 ? PASSWORD : 'another', stored))
  t.true(passwords.busy())
  const answers = await Promise.all(asked)
  t.deepEqual(
    answers.map(({ matches }) => matches),
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
  await Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)])
  hashing = false
  t.true(turns > 20, `${turns} turns`)
})
