// The texts of an entry that may be erased one day. The chain covers a salted digest in the place of each, so that an
// entry still verifies without them. Stored data has each text with its salt in its place.
import { canonicalJson, canonicalMembers, type Json } from '../values/canonical.js'
import { hexOf, saltedSha256 } from '../values/digest.js'
import type { Random } from '../values/ids.js'

/** Members that people and agents write. Each string below one of them is a text; a member stays here for ever. */
const WRITTEN_BY_PEOPLE = [
  'name',
  'userName',
  'description',
  'note',
  'notes',
  'website',
  'email',
  'recipients',
  'target',
]
const WRITTEN_FOR_PAYMENTS = ['recipientName', 'purpose', 'context', 'lineItems', 'comment', 'payment']
const REASONS = ['reason', 'frozenFor', 'unfrozenFor', 'releasedFor', 'stopReason']
const ERASABLE = new Set([...WRITTEN_BY_PEOPLE, ...WRITTEN_FOR_PAYMENTS, ...REASONS])

/** Rules and decisions are hashed as they are, whatever they contain; below a text nothing is. */
const CLEAR = new Set(['rules', 'facts', 'violations', 'causes'])

const SALT_BYTES = 16

/** In place of a text that was erased. */
export const ERASED = '[erased]'

declare const SALTED: unique symbol
/** Data with each text as `{salt, text}`, or as `{sha256}` once it is erased. */
export type SaltedData = Json & { [SALTED]: true }

/** A text beside the data of a raw entry, which has `{sha256}` in its place. */
export type TextAt = {
  /** JSON Pointer (RFC 6901) into the data. */
  path: string
  /** 16 bytes, hex. */
  salt: string
  text: string
}

type Fields = { [member: string]: Json | undefined }

/** What becomes of an object, a list or an erasable string; undefined where it stays, and its parts are seen. */
type Change = (part: Json, path: string) => Json | undefined

function changed(value: Json, change: Change, path = '', isErasable = false): Json {
  const isSeen = typeof value === 'object' ? value !== null : isErasable && typeof value === 'string'
  const other = isSeen ? change(value, path) : value
  if (other !== undefined) return other
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one, at) => changed(one, change, `${path}/${at}`, isErasable))
  const copy: Fields = {}
  for (const member in value) {
    const part = value[member]!
    const isClear = !isErasable && CLEAR.has(member)
    const below = isErasable || ERASABLE.has(member)
    copy[member] = isClear ? part : changed(part, change, `${path}/${escaped(member)}`, below)
  }
  return copy
}

/** Data in JSON, twice: raw, in RFC 8785 form, and stored, with a random salt for each text. */
export function writtenTwice(data: Json, random: Random): { raw: string; stored: string } {
  const cut = new CutText()
  cut.add(data, false)
  const [first, ...rest] = cut.pieces
  let raw = first!
  let stored = first!
  for (const [at, piece] of rest.entries()) {
    const [salt, text] = [hexOf(random(SALT_BYTES)), cut.texts[at]!]
    raw += `{"sha256":"${saltedSha256(salt, text)}"}${piece}`
    stored += `{"salt":"${salt}","text":${JSON.stringify(text)}}${piece}`
  }
  return { raw, stored }
}

/** JSON in RFC 8785 form, cut in two at each text. */
class CutText {
  readonly pieces = ['']
  readonly texts: string[] = []

  add(value: Json, isErasable: boolean): void {
    if (isErasable && typeof value === 'string') {
      this.texts.push(value)
      this.pieces.push('')
    } else if (typeof value !== 'object' || value === null) this.#write(canonicalJson(value))
    else if (Array.isArray(value)) this.#addList(value, isErasable)
    else this.#addObject(value, isErasable)
  }

  #addList(values: Json[], isErasable: boolean): void {
    this.#write('[')
    for (let at = 0; at < values.length; at += 1) {
      if (at > 0) this.#write(',')
      this.add(values[at] as Json, isErasable)
    }
    this.#write(']')
  }

  #addObject(value: Fields, isErasable: boolean): void {
    let isEmpty = true
    for (const { key, first, next } of canonicalMembers(value)) {
      const part = value[key]
      if (part === undefined) continue
      this.#write(isEmpty ? first : next)
      isEmpty = false
      if (!isErasable && CLEAR.has(key)) this.#write(canonicalJson(part))
      else this.add(part, isErasable || ERASABLE.has(key))
    }
    this.#write(isEmpty ? '{}' : '}')
  }

  #write(text: string): void {
    this.pieces[this.pieces.length - 1] += text
  }
}

/** Raw data, which is hashed, and the texts that are not erased. */
export function digested(data: SaltedData): { data: Json; texts: TextAt[] } {
  const texts: TextAt[] = []
  const hashed = changed(data, (part, path) => {
    if (!isText(part)) return undefined
    texts.push({ path, ...part })
    return { sha256: saltedSha256(part.salt, part.text) }
  })
  return { data: hashed, texts }
}

/** Stored data as people read it. */
export function readable(data: SaltedData): Json {
  return changed(data, (part) => (isText(part) ? part.text : isDigest(part) ? ERASED : undefined))
}

/** Stored data from raw data and its texts; undefined where one of them is not what was digested. */
export function withTexts(data: Json, texts: readonly TextAt[]): SaltedData | undefined {
  const left = new Map(texts.map((one) => [one.path, one]))
  if (left.size !== texts.length) return undefined
  const whole = changed(data, (part, path) => {
    const text = left.get(path)
    if (text === undefined || !isDigest(part) || part.sha256 !== saltedSha256(text.salt, text.text)) return undefined
    left.delete(path)
    return { salt: text.salt, text: text.text }
  })
  return left.size === 0 ? (whole as SaltedData) : undefined
}

const SALT = /^[0-9a-f]{32}$/

/** True for what may be the `texts` of a raw entry. */
export function areTexts(value: Json | undefined): value is TextAt[] {
  return Array.isArray(value) && value.every(isTextAt)
}

function isTextAt(value: Json): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 3) return false
  const { path, salt, text } = value as Partial<TextAt>
  return typeof path === 'string' && typeof text === 'string' && typeof salt === 'string' && SALT.test(salt)
}

function isText(part: Json): part is { salt: string; text: string } {
  return isOfStrings(part, 'salt') && isOfStrings(part, 'text')
}

function isDigest(part: Json): part is { sha256: string } {
  return isOfStrings(part, 'sha256')
}

/** A person's own object never has these strings: they are texts themselves. */
function isOfStrings(part: Json, member: string): boolean {
  return typeof part === 'object' && part !== null && !Array.isArray(part) && typeof part[member] === 'string'
}

function escaped(member: string): string {
  return member.includes('~') || member.includes('/') ? member.replaceAll('~', '~0').replaceAll('/', '~1') : member
}
