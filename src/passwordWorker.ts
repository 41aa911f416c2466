// The thread that computes argon2id. It keeps no password after its answer.
import { randomBytes } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { argon2id, argon2Verify } from 'hash-wasm'
import type { Done, Task } from './passwords.js'

/**
 * OWASP's parameters for argon2id: 19 MiB, two passes. Hashes carry their own, so these can be raised: see `verify`.
 */
const PARAMETERS = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 }
const SALT_BYTES = 16
const { memorySize, iterations, parallelism } = PARAMETERS
const TODAYS = `$argon2id$v=19$m=${memorySize},t=${iterations},p=${parallelism}$`

function hash(password: string): Promise<string> {
  return argon2id({ ...PARAMETERS, password, salt: randomBytes(SALT_BYTES), outputType: 'encoded' })
}

/** The hash of a random password, checked for unknown addresses so that they cost the same time. */
const dummyHash = hash(randomBytes(SALT_BYTES).toString('hex'))

async function verify(password: string, stored: string | undefined): Promise<Done> {
  const fits = await argon2Verify({ password, hash: stored ?? (await dummyHash) })
  const matches = fits && stored !== undefined
  return matches && !stored.startsWith(TODAYS) ? { matches, hash: await hash(password) } : { matches }
}

let last: Promise<unknown> = dummyHash

// One task at a time, because answers are matched to tasks by their order.
parentPort!.on('message', (task: Task) => {
  const { password } = task
  const work = async (): Promise<void> => {
    const done =
      task.type === 'hash' ? { matches: true, hash: await hash(password) } : await verify(password, task.stored)
    parentPort!.postMessage(done)
  }
  last = last.then(work).catch((error: unknown) => parentPort!.postMessage(error))
})
