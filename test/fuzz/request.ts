// One request to a route: mostly as the description has it, with ids of objects that are there, sometimes with one odd
// value, and sometimes nonsense.
import fc from 'fast-check'
import { CURSORS, objectsOf, oddTexts, oddValues, valuesOf, withOneOdd } from '../support/bodies.js'
import type { Random } from '../support/random.js'
import { bodyOf, urlOf, type Ids, type Row } from '../support/routes.js'

export interface FuzzedRequest {
  method: string
  path: string
  /** JSON; undefined for no body. */
  body: string | undefined
}

type Arbitrary = fc.Arbitrary<unknown>

/** By the row: an arbitrary takes longer to make than to draw from. */
const bodies = new WeakMap<Row, Arbitrary>()
const queries = new WeakMap<Row, Arbitrary>()

function once(known: WeakMap<Row, Arbitrary>, row: Row, make: () => Arbitrary): Arbitrary {
  const made = known.get(row) ?? make()
  known.set(row, made)
  return made
}

const drawn = (arbitrary: Arbitrary, random: Random): unknown =>
  fc.sample(arbitrary, { seed: random.below(2 ** 31), numRuns: 1 })[0]

export function requestTo(row: Row, ids: Ids, random: Random): FuzzedRequest {
  const body = row.body && bodyFor(row, ids, random)
  return { method: row.method, path: pathFor(row, ids, random), body }
}

function pathFor(row: Row, ids: Ids, random: Random): string {
  const plain = urlOf(row, ids)
  // A stream could last for an hour.
  const isStream = row.query.some(({ name }) => name === 'seconds')
  if (row.query.length === 0 || isStream || random.chance(0.5)) return plain
  const query = drawn(
    once(queries, row, () => queriesOf(row)),
    random,
  ) as { [name: string]: unknown }
  const written = Object.entries(query).map(([name, value]) => {
    return `${name}=${encodeURIComponent(String(ids[name] ?? value).toWellFormed())}`
  })
  return `${plain.split('?')[0]}?${written.join('&')}`
}

function queriesOf({ query }: Row): Arbitrary {
  const values = Object.fromEntries(query.map(({ name, schema }) => [name, valuesOf(schema).map(String)]))
  return withOneOdd(values, [], fc.oneof(oddTexts, CURSORS))
}

function bodyFor(row: Row, ids: Ids, random: Random): string {
  const fitting = bodyOf(row, ids)
  if (random.chance(0.5)) return JSON.stringify(fitting)
  if (random.chance(0.1)) return JSON.stringify(drawn(oddValues, random) ?? null)
  const body = drawn(
    once(bodies, row, () => objectsOf(row.body!)),
    random,
  ) as { [name: string]: unknown }
  // Ids of the fitting body, so that something is found.
  const named = Object.entries(fitting ?? {}).filter(([name]) => ids[name] !== undefined && random.chance(0.8))
  return JSON.stringify({ ...body, ...Object.fromEntries(named) })
}
