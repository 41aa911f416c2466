// The keys of records. Parts contain no slash, except refs, which contain exactly one.
import type { Ref } from '../../domain/limits/gate.js'
import { base36, fromBase36 } from '../../domain/values/base36.js'
import { isLong } from '../../domain/values/lists.js'

/** Of `base36`. */
const DIGITS = 11
/** LMDB counts offsets in 32 bits and wraps around beyond that. */
export const LAST_OFFSET = 2 ** 31

/**
 * Key of a list's row: the list's name, the order in it and the actor's ref. Long lists name the payment by the order in
 * which it was made, where that is another.
 */
export function listKey(list: string, order: number, ref: Ref, made = order): string {
  if (!isLong(list)) return `${list}/${base36(order)}/${ref}`
  return order === made ? `${list}/${base36(order)}` : `${list}/${base36(order)}/${base36(made)}`
}

/** What follows the list's name in the key of a row. */
export const LIST_ROW = /^([0-9a-z]{11})(?:\/(?:[0-9a-z]{11}|\w+\/\w+))?$/

export function orderInKey(list: string, key: string): number {
  return fromBase36(key.slice(list.length + 1, list.length + 1 + DIGITS))
}

/** The order in which the payment of a long list's row was made. */
export function madeInKey(key: string): number {
  return fromBase36(key.slice(-DIGITS))
}

export function refInKey(key: string): Ref {
  const id = key.lastIndexOf('/')
  const kind = key.lastIndexOf('/', id - 1)
  return key.slice(kind + 1) as Ref
}

/** Where a reverse range begins that continues after a list's row: such ranges include their start. */
export function beforeRow(list: string, key: string): string {
  if (!isLong(list)) return key.slice(0, -1)
  return `${key.slice(0, -DIGITS)}${base36(madeInKey(key) - 1)}~`
}

/** Key of the time (epoch ms) from which a gate counts a payment. */
export function heldKey(gate: Ref, at: number, payment: string): string {
  return `${gate}/${base36(at)}/${payment}`
}

export function heldIn(key: string): { gate: Ref; at: number } {
  const [kind, id, at] = key.split('/')
  return { gate: `${kind}/${id}`, at: fromBase36(at!) }
}

/** Bounds of a gate's payments that count from later than `since` (epoch ms) on. */
export function heldSince(gate: Ref, since: number): { start: string; end: string } {
  return { start: `${gate}/${base36(Math.max(0, since + 1))}`, end: `${gate}0` }
}

export function timerKey(organization: string, at: number, ref: Ref): string {
  return `${organization}/${base36(at)}/${ref}`
}

/** Epoch ms. */
export function timeInTimer(key: string): number {
  const start = key.indexOf('/') + 1
  return fromBase36(key.slice(start, start + DIGITS))
}

export function dueIn(organization: string, now: number): { start: string; end: string } {
  return { start: `${organization}/`, end: `${organization}/${base36(now)}0` }
}

/** Key of an idempotency record's expiry, at `at` (epoch ms). */
export function expiryKey(at: number, recordKey: string): string {
  return `${base36(at)}/${recordKey}`
}

/** The idempotency record's own key, from the key of its expiry. */
export function recordKeyIn(expiry: string): string {
  return expiry.slice(DIGITS + 1)
}

export function sequenceIn(key: string): number {
  return fromBase36(key.slice(key.lastIndexOf('/') + 1))
}

export function dueAt(now: number): { end: string } {
  return { end: `${base36(now)}0` }
}

/** The organization whose log has the entry of this key. */
export function organizationIn(key: string): string {
  return key.slice(0, key.indexOf('/'))
}

export function auditKey(organization: string, sequence: number): string {
  return `${organization}/${base36(sequence)}`
}

export function versionKey(policyId: string, version: number): string {
  return `${policyId}/${base36(version)}`
}

/** Bounds of all keys that begin with `prefix/`. */
export function under(prefix: string): { start: string; end: string } {
  return { start: `${prefix}/`, end: `${prefix}0` }
}
