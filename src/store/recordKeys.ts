// The keys of records. Parts contain no slash, except refs, which contain exactly one.
import type { Ref } from '../domain/limits/gate.js'

const ORDER_DIGITS = 16
/** Orders in lists are in microseconds. */
export const ORDERS_PER_MS = 1000
/** LMDB counts offsets in 32 bits and wraps around beyond that. */
export const LAST_OFFSET = 2 ** 31

/** A number as text that sorts like the number; up to 2^53. */
export function sortable(value: number): string {
  return String(value).padStart(ORDER_DIGITS, '0')
}

/** Key of a list's row: the list's name, the order in it, the actor's ref. */
export function listKey(list: string, order: number, ref: Ref): string {
  return `${list}/${sortable(order)}/${ref}`
}

export function refInKey(key: string): Ref {
  const id = key.lastIndexOf('/')
  const kind = key.lastIndexOf('/', id - 1)
  return key.slice(kind + 1) as Ref
}

export function orderInKey(key: string): number {
  const end = key.lastIndexOf('/', key.lastIndexOf('/') - 1)
  return Number(key.slice(end - ORDER_DIGITS, end))
}

/** Key of the time (epoch ms) from which a gate counts a payment. */
export function heldKey(gate: Ref, at: number, payment: string): string {
  return `${gate}/${sortable(at)}/${payment}`
}

export function heldIn(key: string): { gate: Ref; at: number } {
  const [kind, id, at] = key.split('/')
  return { gate: `${kind}/${id}`, at: Number(at) }
}

/** Bounds of a gate's payments that count from later than `since` (epoch ms) on. */
export function heldSince(gate: Ref, since: number): { start: string; end: string } {
  return { start: `${gate}/${sortable(Math.max(0, since + 1))}`, end: `${gate}/:` }
}

export function timerKey(organization: string, at: number, ref: Ref): string {
  return `${organization}/${sortable(at)}/${ref}`
}

/** Epoch ms. */
export function timeInTimer(key: string): number {
  const start = key.indexOf('/') + 1
  return Number(key.slice(start, start + ORDER_DIGITS))
}

export function dueIn(organization: string, now: number): { start: string; end: string } {
  return { start: `${organization}/`, end: `${organization}/${sortable(now)}0` }
}

/** Key of an idempotency record's expiry, at `at` (epoch ms). */
export function expiryKey(at: number, recordKey: string): string {
  return `${sortable(at)}/${recordKey}`
}

/** The idempotency record's own key, from the key of its expiry. */
export function recordKeyIn(expiry: string): string {
  return expiry.slice(ORDER_DIGITS + 1)
}

export function sequenceIn(key: string): number {
  return Number(key.slice(key.lastIndexOf('/') + 1))
}

export function dueAt(now: number): { end: string } {
  return { end: `${sortable(now)}0` }
}

export function auditKey(organization: string, sequence: number): string {
  return `${organization}/${sortable(sequence)}`
}

export function versionKey(policyId: string, version: number): string {
  return `${policyId}/${sortable(version)}`
}

/** Bounds of all keys that begin with `prefix/`. */
export function under(prefix: string): { start: string; end: string } {
  return { start: `${prefix}/`, end: `${prefix}0` }
}

/** Bounds of a list's own rows: orders are digits, names of sublists (`payments/c…/executed`) are not. */
export function rowsIn(list: string): { start: string; end: string } {
  return { start: `${list}/`, end: `${list}/:` }
}
