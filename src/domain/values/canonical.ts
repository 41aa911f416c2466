// The RFC 8785 form of JSON, for hashing and comparing bodies. It never alters a value: what JSON cannot express is
// refused, not dropped.
/// <reference lib="es2024.string" />
import { CanonicalKeys, type Member } from './canonicalKeys.js'

/** A JSON value; members that are undefined are left out, as JSON.stringify does. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }

/** The type of a JSON value, interfaces included, which have no index signature; `never` where JSON cannot express it. */
export type JsonForm<T> = T extends Json | undefined
  ? T
  : T extends (...given: never) => unknown
    ? never
    : T extends object
      ? { [Field in keyof T]: JsonForm<T[Field]> }
      : never

/** The value itself: the compiler checks that JSON can express it. */
export function asJson<T>(value: T & JsonForm<T>): JsonForm<T> {
  return value
}

/**
 * The RFC 8785 text of `value`: members sorted by UTF-16 code units, numbers in ECMAScript form, no white space.
 * Throws TypeError for NaN, infinities, lone surrogates, undefined outside of members, and objects that are neither
 * plain nor arrays.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return canonicalString(value)
  if (typeof value === 'number') return canonicalNumber(value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (value === null) return 'null'
  if (Array.isArray(value)) return canonicalArray(value)
  if (typeof value !== 'object') throw new TypeError(`A ${typeof value} has no JSON form`)
  return canonicalObject(value)
}

/** True when both have the same RFC 8785 text: the order of members makes no difference. Absent is null. */
export function isSameJson(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || canonicalJson(one ?? null) === canonicalJson(other ?? null)
}

/** Text that needs no escapes in JSON. */
const PLAIN = /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/

function canonicalString(value: string): string {
  if (PLAIN.test(value)) return `"${value}"`
  if (!value.isWellFormed()) throw new TypeError('Text with a lone surrogate has no RFC 8785 form')
  return JSON.stringify(value)
}

function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON form`)
  return String(value)
}

function canonicalArray(values: Json[]): string {
  let text = '['
  // By index, because an array with holes must not pass.
  for (let at = 0; at < values.length; at += 1) {
    if (at > 0) text += ','
    text += canonicalJson(values[at] as Json)
  }
  return `${text}]`
}

const orders = new CanonicalKeys(canonicalString)

/** The members of an object in canonical order, those that are undefined included. Throws TypeError as canonicalJson. */
export function canonicalMembers(value: { [key: string]: Json | undefined }): readonly Member[] {
  const prototype: unknown = Object.getPrototypeOf(value)
  // A Date or a Map would otherwise be written as `{}`.
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('Only plain objects have a JSON form')
  return orders.of(Object.keys(value))
}

function canonicalObject(value: { [key: string]: Json | undefined }): string {
  let text = ''
  for (const { key, first, next } of canonicalMembers(value)) {
    const member = value[key]
    if (member !== undefined) text += (text === '' ? first : next) + canonicalJson(member)
  }
  return text === '' ? '{}' : `${text}}`
}
