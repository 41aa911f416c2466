// The thread that computes argon2id. It keeps no password after its answer.
import { createHash, timingSafeEqual } from 'node:crypto'
import { workerData } from 'node:worker_threads'
import { argon2id } from 'hash-wasm'
import { doTasks } from '../async/taskThread.js'
import type { HashDone, Task } from './passwords.js'

/** Those of new hashes. Hashes carry their own, so these can be raised: see `compare`. */
const todays = workerData as string
const HASH_BYTES = 32
const SALT_BYTES = 16
const ENCODED = /^\$argon2id\$v=19\$(m=\d+,t=\d+,p=\d+)\$/

function hash(password: string, salt: string, parameters: string): Promise<string> {
  const [memorySize, iterations, parallelism] = parameters.split(',').map((one) => Number(one.slice(2)))
  return argon2id({
    password,
    salt: createHash('sha256').update(salt).digest().subarray(0, SALT_BYTES),
    memorySize: memorySize!,
    iterations: iterations!,
    parallelism: parallelism!,
    hashLength: HASH_BYTES,
    outputType: 'encoded',
  })
}

function parametersOf(stored: string): string {
  const [, parameters] = ENCODED.exec(stored) ?? []
  if (parameters === undefined) throw new Error('A stored password hash is malformed')
  return parameters
}

function areEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** Computes one hash under today's parameters, and one more for each other set that a stored hash has. */
async function compare({ password, salt, stored }: Task): Promise<HashDone> {
  const hashes: string[] = []
  for (const set of new Set([todays, ...stored.map(parametersOf)])) hashes.push(await hash(password, salt, set))
  const matches = stored.map((one) => hashes.some((computed) => areEqual(computed, one)))
  return { matches, hash: hashes[0]!, computed: hashes.length }
}

doTasks(compare)
