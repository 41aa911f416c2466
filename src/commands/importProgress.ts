// What an import has made so far: one idempotency record for each entry, committed with what the entry made and removed
// with the import's answer. One that is found at the beginning was left by a call of the same body that was interrupted.
import { charts } from '../../machines/index.js'
import { isGone } from '../actor/turn.js'
import type { Actor } from '../actor/actor.js'
import { keyedMutex } from '../async/keyedMutex.js'
import type { Json } from '../domain/values/canonical.js'
import { sha256Hex } from '../domain/values/digest.js'
import type { Ref } from '../domain/limits/gate.js'
import type { IdempotencyRecord } from '../domain/outcomes/idempotencyRecord.js'
import type { Caller, Services } from './ports.js'

/** An import that was interrupted can be resumed for a week. */
const KEPT_MS = 7 * 86_400_000

/** The answer's idempotency record; undefined without an idempotency key. */
export type RecordResult<Result> = (result: Result) => IdempotencyRecord | undefined

export interface Progress<K extends string> {
  /** What an interrupted call made of this entry, unless it is gone by now. */
  madeOf(index: number): Actor<K> | undefined
  /** The caller that makes this entry. */
  making(index: number): Caller
}

/** Two calls of the same body at once would take each other for interrupted. */
const inTurn = keyedMutex()

/** Runs an import of entries, as they were given. */
export function importing<K extends string, Result>(
  services: Services,
  { record: _record, ...caller }: Caller,
  body: unknown,
  work: (progress: Progress<K>) => Promise<Result>,
  recordOf: RecordResult<Result>,
): Promise<Result> {
  const bodyHash = sha256Hex(JSON.stringify(body))
  const name = `import/${caller.principal.organization}/${bodyHash}`
  const keys = new Set<string>()
  const keyOf = (index: number): string => `${name}/${index}`
  const expiresAt = services.now() + KEPT_MS
  const madeOf = (index: number): Actor<K> | undefined => {
    const made = services.importRecords.find(keyOf(index))
    if (made === undefined) return undefined
    keys.add(made.key)
    const actor = services.host.peek(made.body as Ref<K>)
    return actor && !isGone(charts, actor) ? actor : undefined
  }
  const making = (index: number): Caller => {
    const key = keyOf(index)
    keys.add(key)
    const record = ({ ref }: Actor): IdempotencyRecord => ({ key, bodyHash, expiresAt, status: 201, body: ref as Json })
    return { ...caller, record }
  }
  return inTurn(name, async () => {
    const result = await work({ madeOf, making })
    await services.importRecords.replace([...keys], recordOf(result))
    return result
  })
}
