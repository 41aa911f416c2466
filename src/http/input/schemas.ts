// Building blocks of the routes' schemas. Each parses one value from the wire and describes itself in JSON Schema; none
// knows a route.
import { refuse, succeed, type Result } from '../../domain/outcomes/result.js'
import * as v from 'valibot'
import { parseAddress, type Address } from '../../domain/values/address.js'
import type { Json } from '../../domain/values/canonical.js'
import { hasCardNumber } from '../../domain/values/cardNumber.js'
import { parseAmount } from '../../domain/values/money.js'
import { cleanName, cleanText } from '../../domain/values/text.js'
import { isCalendarDay, isTimezone } from '../../domain/time/windows.js'
import { holdsCardNumber, jsonProblem, objectProblem } from './freeJson.js'
import { jsonSchemaOf, type JsonSchema } from '../docs/jsonSchema.js'
import type { Schema } from '../server/route.js'
import type { OwnCode } from './validate.js'

export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/
const ID = /^[\x21-\x7e]{1,128}$/
const CHAIN_ID = /^[0-9A-Za-z][0-9A-Za-z-]{0,63}$/
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/
const EXAMPLE_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

type Reading<T> = Result<T, 'VALIDATION_ERROR' | OwnCode>

export const flag = v.boolean('must be true or false')

/** A schema of a JSON Schema description and a function that parses the value or says what is wrong with it. */
export function readAs<T>(description: JsonSchema, read: (value: unknown) => Reading<T>) {
  return v.pipe(
    v.unknown(),
    v.metadata(description),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      const reading = read(dataset.value)
      if (reading.ok) return reading.value
      const { code, message } = reading.refusal
      addIssue({ message, ...(code !== 'VALIDATION_ERROR' && { expected: code }) })
      return NEVER
    }),
  )
}

function found<T>(value: T | undefined, message: string, code: OwnCode | 'VALIDATION_ERROR' = 'VALIDATION_ERROR') {
  return value === undefined ? refuse(code, message) : succeed(value)
}

function matching(pattern: RegExp, value: unknown): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}

/** Micro-units, from a JSON number or a decimal string. `zero` allows 0. */
export function amountSchema(options: { zero?: boolean } = {}) {
  const least = options.zero === true ? '0 or more' : 'above 0'
  const what = `${least}, below 1000000000 and with at most 6 decimals`
  const bounds = { [options.zero === true ? 'minimum' : 'exclusiveMinimum']: 0, exclusiveMaximum: 1_000_000_000 }
  const number = { type: 'number', ...bounds }
  const decimal = { type: 'string', pattern: '^(0|[1-9]\\d{0,8})(\\.\\d{1,6})?$' }
  return readAs({ description: `An amount ${what}.`, anyOf: [number, decimal] }, (value) =>
    found(parseAmount(value, options), `must be a number or a decimal string, ${what}`, 'INVALID_AMOUNT'),
  )
}

export interface AddressTerms {
  chainType?: Address['chainType']
  /** `ignored` accepts any mix of upper and lower case. */
  checksum?: 'ignored'
}

export function addressSchema({ chainType, checksum }: AddressTerms = {}) {
  const evm = `0x and 40 hex digits${checksum === 'ignored' ? '' : ' with a right checksum where the case is mixed'}`
  const kinds = { EVM: evm, SOLANA: 'base58 of 32 bytes (Solana)' }
  const what = chainType === undefined ? `${kinds.EVM}, or ${kinds.SOLANA}` : kinds[chainType]
  const examples = chainType === 'SOLANA' ? [] : [EXAMPLE_ADDRESS]
  return readAs({ type: 'string', description: `An address: ${what}.`, examples }, (value) => {
    const parsed = parseAddress(value, { checksum: checksum ?? 'required-if-mixed' })
    const fits = chainType === undefined || parsed?.chainType === chainType
    return found(fits ? parsed : undefined, `must be ${what}`, 'INVALID_ADDRESS')
  })
}

/** In the description of what is looked through for card numbers. */
const FREE_TEXT = { 'x-free-text': true }

/** Free text in NFC of `min` to `max` code points, without control characters and card numbers. */
export function text(min: number, max: number, more: JsonSchema = {}) {
  const description = { type: 'string', minLength: min, maxLength: max, ...more, ...FREE_TEXT }
  return readAs(description, (value) =>
    typeof value === 'string' ? cardless(cleanText(value, { min, max })) : refuse('VALIDATION_ERROR', 'must be text'),
  )
}

/** A hash, a signature, a token, or an id of another system: the same without a look for card numbers. */
export function opaqueText(min: number, max: number) {
  return readAs({ type: 'string', minLength: min, maxLength: max }, (value) =>
    typeof value === 'string' ? cleanText(value, { min, max }) : refuse('VALIDATION_ERROR', 'must be text'),
  )
}

const refuseCard = () =>
  refuse('CARD_NUMBER_REFUSED', 'must have no card number: cards are named by id and last four digits')

function cardless(clean: Reading<string>): Reading<string> {
  return clean.ok && hasCardNumber(clean.value) ? refuseCard() : clean
}

/** A name of at most `max` code points that cannot be read as another one. */
export function name(max: number) {
  const description = {
    type: 'string',
    minLength: 1,
    maxLength: max,
    description: 'Not white space alone, without control and bidirectional formatting characters. Compared trimmed.',
    ...FREE_TEXT,
  }
  return readAs<string>(description, (value) =>
    typeof value === 'string' ? cardless(cleanName(value, max)) : refuse('VALIDATION_ERROR', 'must be text'),
  )
}

/** An object's id; does not check that the object exists. */
export function id() {
  const description = { type: 'string', minLength: 1, maxLength: 128 }
  return readAs(description, (value) => found(matching(ID, value), 'must be an id, as text'))
}

/** A chain id, as text; does not check that the chain is supported. */
export function chainId() {
  const description = {
    anyOf: [
      { type: 'string', pattern: CHAIN_ID.source },
      { type: 'integer', minimum: 1 },
    ],
  }
  return readAs(description, (value) => {
    const written = Number.isSafeInteger(value) ? String(value) : value
    return found(matching(CHAIN_ID, written), 'must be a chain id, as text or as a whole number')
  })
}

export function wholeFrom(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message), v.maxValue(most, message))
}

/** One of the given words, case-sensitive. */
export function enumOf<const Words extends readonly string[]>(words: Words) {
  return v.picklist(words, `must be one of ${words.join(', ')}`)
}

/** A list; its length is checked before its items. */
export function listSchema<Item extends Schema>(item: Item, { min = 0, max }: { min?: number; max: number }) {
  const { schema, definitions } = jsonSchemaOf(item, 'list')
  if (Object.keys(definitions).length > 0) throw new Error('A list of recursive items cannot be described')
  return v.pipe(
    v.array(v.unknown(), 'must be a list'),
    v.minLength(min, `must have ${min} or more entries`),
    v.maxLength(max, `must have at most ${max} entries`),
    v.metadata({ items: schema }),
    v.array(item),
  )
}

/** A list whose order and repetitions say nothing: each entry once, where it stood first. */
export function setSchema<Item extends Schema>(item: Item, bounds: { min?: number; max: number }) {
  return v.pipe(
    listSchema(item, bounds),
    v.transform((entries) => [...new Set(entries)]),
  )
}

type JsonObject = { [name: string]: Json }

/** A free-form object of at most `maxBytes` of JSON text that can be stored and hashed. */
export function jsonObject({ maxBytes }: { maxBytes: number }) {
  const description = { type: 'object', description: `Free JSON, at most ${maxBytes} bytes.`, ...FREE_TEXT }
  return readAs<JsonObject>(description, (value) => {
    const message = objectProblem(value, maxBytes)
    return message === undefined ? cardlessJson(value as JsonObject) : refuse('VALIDATION_ERROR', message)
  })
}

/** In an answer: a schema that stands under `components` by this name, wherever it is used. */
export function titled<S extends Schema>(name: string, schema: S) {
  return v.pipe(schema, v.title<v.InferOutput<S>, string>(name))
}

/** In an answer: a record with a name of its own. */
export function recordSchema<const Entries extends v.ObjectEntries>(name: string, entries: Entries) {
  return titled(name, v.object(entries))
}

/** The schema of an answer that is text of this content type. */
export function textSchema(name: string, contentMediaType: string) {
  return titled(name, v.pipe(v.string(), v.metadata({ contentMediaType })))
}

/** In an answer: a secret, which no record keeps. */
export const shownOnce = v.optional(
  v.pipe(v.string(), v.description('Absent where a repeated request gives the first answer again.')),
)

/** In an answer: a key, a person, or the operator. */
export const identitySchema = recordSchema('Identity', { type: v.string(), id: v.string() })

/** In an answer: an object with unspecified members. */
export const freeObject = v.record(v.string(), v.unknown())

/** Any JSON of at most `maxBytes` of text that can be stored and hashed. */
export function jsonValue({ maxBytes }: { maxBytes: number }) {
  return readAs<Json>({ description: `Free JSON, at most ${maxBytes} bytes.`, ...FREE_TEXT }, (value) => {
    const message = jsonProblem(value, maxBytes)
    return message === undefined ? cardlessJson(value as Json) : refuse('VALIDATION_ERROR', message)
  })
}

function cardlessJson<Value extends Json>(value: Value): Reading<Value> {
  return holdsCardNumber(value) ? refuseCard() : succeed(value)
}

/** Epoch ms, from ISO 8601 with a time and a zone. */
export function timestamp() {
  return readAs({ type: 'string', format: 'date-time' }, (value) =>
    found(readTimestamp(value), 'must be an ISO 8601 time with its zone, such as 2026-01-31T12:00:00Z'),
  )
}

/** A calendar day of the organization's zone, or a time with its own. */
export function dayOrTime() {
  return readAs<{ day: string } | { at: number }>({ type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}' }, (value) => {
    if (typeof value === 'string' && isCalendarDay(value)) return succeed({ day: value })
    const at = readTimestamp(value)
    return found(
      at === undefined ? undefined : { at },
      'must be a day such as 2026-01-31, or an ISO 8601 time with its zone, such as 2026-01-31T12:00:00Z',
    )
  })
}

function readTimestamp(value: unknown): number | undefined {
  const [whole, day] = (typeof value === 'string' && TIMESTAMP.exec(value)) || []
  if (whole === undefined || !isCalendarDay(day!)) return undefined
  const at = Date.parse(whole)
  return Number.isNaN(at) ? undefined : at
}

/** The body field equivalent to the `Idempotency-Key` header. */
export function idempotencyKey() {
  return visible({})
}

/** The name of one purchase: the invoice or order number. */
export function paymentKey() {
  return visible({
    description: 'The invoice or order number. The same purchase has the same key in every call: it is paid once.',
  })
}

function visible(more: JsonSchema) {
  const description = { type: 'string', pattern: '^[!-~]{1,255}$', ...more }
  return readAs(description, (value) => found(matching(IDEMPOTENCY_KEY, value), 'must be 1 to 255 visible characters'))
}

export function timezone() {
  const description = { type: 'string', description: 'An IANA time zone.', examples: ['Europe/Berlin'] }
  return readAs(description, (value) =>
    found(isTimezone(value) ? (value as string) : undefined, 'must be an IANA time zone, such as Europe/Berlin'),
  )
}
