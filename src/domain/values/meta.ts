// What is true of a state of a chart: the `meta` that the chart declares beside its transitions. Nothing outside of the
// charts lists their states.
import type { HoldLevel } from '../limits/gate.js'
import type { OutsideCall } from '../payment/settlement.js'
import type { TransactionStatus } from '../payment/terms.js'

/** What an actor in this state shows, holds and waits for. A crash loses nothing: it is part of the state, no effect. */
export interface Meta {
  /** The actor does not exist yet or no longer exists; callers see neither. */
  gone?: true
  /** The status that the interface shows. */
  status?: string
  /** The list of the state among those of its kind; states that show alike share one. */
  list?: string
  /** The status of a payment's transfer, once one may have left. */
  transaction?: TransactionStatus
  /** What must be true at every gate of the actor while it is in this state. */
  hold?: HoldLevel
  /** What is captured was paid already, held or not: no gate can refuse it. */
  isPaid?: true
  /** By the kind of the gate: the message that it gets on every change in this state. */
  tell?: { [kind: string]: 'RECONCILE' }
  /** The context field with the time (epoch ms) of the actor's WAKE. */
  wakeAt?: string
  /** The call to the outside world, made once the state is on disk. */
  call?: OutsideCall
}

/** The transfer was accepted: the payment is listed as a transaction from then on. */
export function isSent({ transaction }: Meta): boolean {
  return transaction !== undefined && transaction !== 'PENDING' && transaction !== 'UNKNOWN'
}
