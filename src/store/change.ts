// What the store is told of one command.
import { type RecordedTurn } from '../domain/audit/entry.js'
import type { Actor } from '../actor/actor.js'
import type { KeyOwner } from '../actor/overlay.js'
import type { MovedListing } from '../actor/turn.js'
import type { Delivery } from '../domain/outcomes/delivery.js'
import type { IdempotencyRecord } from '../domain/outcomes/idempotencyRecord.js'
import type { Meta } from '../domain/values/meta.js'

export interface ActorChange {
  before: Actor | undefined
  after: Actor
  wakeBefore: number | undefined
  wakeAfter: number | undefined
  /** Of its states. */
  metaBefore: Meta | undefined
  metaAfter: Meta
  /** Where it is found from now on; undefined where that stays the same. */
  moved: MovedListing | undefined
}

/** The whole effect of one command: committed completely or not at all. */
export interface Change {
  organization: string
  by: { type: string; id: string; requestId?: string }
  /** Epoch ms. */
  at: number
  actors: ActorChange[]
  /** Unique keys that change hands; undefined for one that is given up. */
  keys: readonly (readonly [key: string, owner: KeyOwner | undefined])[]
  /** Changes for the audit log, one entry each. */
  audited: {
    action: string
    before: Actor | undefined
    after: Actor
    turn: RecordedTurn
    by: Change['by'] | undefined
  }[]
  record: IdempotencyRecord | undefined
  /** Deliveries of the events that the change causes. */
  deliveries: readonly Delivery[]
}
