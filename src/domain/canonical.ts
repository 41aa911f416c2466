// The RFC 8785 form of JSON, for hashing and comparing bodies. It never alters a value: what JSON cannot express is
// refused, not dropped.
/// <reference lib="es2024.string" />

/** A JSON value; members that are undefined are left out, as JSON.stringify does. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }

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

function canonicalObject(value: { [key: string]: Json | undefined }): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  // A Date or a Map would otherwise be written as `{}`.
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('Only plain objects have a JSON form')
  let text = ''
  for (const { key, first, next } of membersOf(Object.keys(value))) {
    const member = value[key]
    if (member !== undefined) text += (text === '' ? first : next) + canonicalJson(member)
  }
  return text === '' ? '{}' : `${text}}`
}

/** A member's name in canonical form, after the brace or the comma that precedes it. */
interface Member {
  key: string
  first: string
  next: string
}

interface Layout {
  /** In the order of the object. */
  keys: readonly string[]
  /** In canonical order. */
  members: readonly Member[]
}

/** Layouts of objects that were written before, by their first key: nearly all of them recur. */
const layouts = new Map<string, Layout[]>()
const MAX_FIRST_KEYS = 200
/** Of one first key, because they are compared one by one. */
const MAX_ALIKE = 16
/** Of all keys of a layout together. */
const MAX_KEPT_CHARACTERS = 1000

function membersOf(keys: readonly string[]): readonly Member[] {
  const alike = layouts.get(keys[0] ?? '')
  if (alike) for (const layout of alike) if (areSame(layout.keys, keys)) return layout.members
  // `sort` orders by UTF-16 code units.
  const members = [...keys].sort().map((key) => ({ key, ...namesOf(`${canonicalString(key)}:`) }))
  keep({ keys, members })
  return members
}

/** Forgets others for it when there are too many. */
function keep(layout: Layout): void {
  const { keys } = layout
  if (keys.join('').length > MAX_KEPT_CHARACTERS) return
  const first = keys[0] ?? ''
  const alike = layouts.get(first) ?? []
  if (alike.length === 0 && layouts.size === MAX_FIRST_KEYS) layouts.clear()
  layouts.set(first, alike.length === MAX_ALIKE ? [layout] : [...alike, layout])
}

function namesOf(name: string): Pick<Member, 'first' | 'next'> {
  return { first: `{${name}`, next: `,${name}` }
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  for (let at = 0; at < some.length; at += 1) if (some[at] !== others[at]) return false
  return true
}
