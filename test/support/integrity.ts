// Reads a whole data folder and reports inconsistencies: of holds with the sums of gates and the states of payments, of
// unique keys and lists with their actors, and within the audit chains.
import { charts } from '../../machines/index.js'
import type { Gate } from '../../src/domain/limits/gate.js'
import type { CounterpartyContext } from '../../machines/counterparty.js'
import { fieldsOf, idOf, kindOf, type Actor } from '../../src/actor/actor.js'
import { listingOf, wakeAtOf } from '../../src/actor/turn.js'
import { disagreementsIn } from '../../src/cli/data/records.js'
import { comparable } from '../../src/domain/values/address.js'
import { GENESIS } from '../../src/domain/audit/entry.js'
import type { StoredEntry } from '../../src/domain/audit/forms.js'
import type { Ref } from '../../src/domain/limits/gate.js'
import { base36 } from '../../src/domain/values/base36.js'
import { orderedPrefix, noRandom, ORDERS_PER_MS } from '../../src/domain/values/ids.js'
import { isLong } from '../../src/domain/values/lists.js'
import { hashEntry } from './hashEntry.js'
import { listKey, timerKey } from '../../src/store/records/keys.js'
import { replayJournal } from '../../src/store/journal/replay.js'
import { Store } from '../../src/store/store.js'

export interface Contents {
  actors: Map<Ref, Actor>
  /** The audit chains, by organization. */
  chains: Map<string, StoredEntry[]>
  problems: string[]
}

/** Everything in the folder, and every inconsistency. Nothing else may write to the folder meanwhile. */
export async function inspect(folder: string): Promise<Contents> {
  const store = new Store(noRandom, charts)
  await replayJournal(folder)
  store.open(folder)
  const actors = new Map(Array.from(store.everyActor(), (actor) => [actor.ref, actor]))
  const chains = grouped(store.everyEntry())
  const found: Contents = { actors, chains, problems: [] }
  const known = [...actors.values()]
  found.problems.push(
    ...listProblems(store, known),
    ...networkProblems(store, known),
    ...placeProblems(store, known),
    ...disagreementsIn(store),
  )
  await store.close()
  for (const [organization, chain] of found.chains) found.problems.push(...chainProblems(organization, chain))
  return found
}

export function rowsIn<Value>(store: Store, table: string): [string, Value][] {
  return [...store.tables.find(({ name }) => name === table)!.range({})] as [string, Value][]
}

/** Every payment lies where its order says, and has a place where its id does not say it. */
function placeProblems(store: Store, actors: Actor[]): string[] {
  const payments = actors.filter(({ ref }) => kindOf(ref) === 'payment')
  const named = payments.map(({ ref, context }) => [context['order'] as number, idOf(ref)] as const)
  const placed = named.filter(([order, id]) => !id.startsWith(orderedPrefix(order)))
  const places = rowsIn<number>(store, 'places').map(([id, order]) => `${base36(order)}/${id}`)
  const lying = rowsIn(store, 'payments').map(([key]) => key)
  const keysOf = (some: typeof named): Set<string> => new Set(some.map(([order, id]) => `${base36(order)}/${id}`))
  return [
    ...differences('places', keysOf(placed), new Set(places)),
    ...differences('payments', keysOf(named), new Set(lying)),
  ]
}

/** Groups values by their names, in their order. */
function grouped<Value>(named: Iterable<[string, Value]>): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const [name, value] of named) {
    const group = groups.get(name)
    if (group) group.push(value)
    else groups.set(name, [value])
  }
  return groups
}

function differences(what: string, expected: Set<string>, actual: Set<string>): string[] {
  const missing = [...expected].filter((key) => !actual.has(key)).map((key) => `${what} lacks ${key}`)
  return [...missing, ...[...actual].filter((key) => !expected.has(key)).map((key) => `${what} has ${key} too many`)]
}

function listProblems(store: Store, actors: Actor[]): string[] {
  const expected = new Set<string>()
  const counts = new Map<string, number>()
  const lookups = new Set<string>()
  for (const actor of actors) {
    const listing = listingOf(charts, actor)
    for (const name of listing.lookups) lookups.add(name)
    const executed = (listing.executedAt ?? 0) * ORDERS_PER_MS
    for (const [lists, order] of [
      [listing.lists, actor.context.order!] as const,
      [listing.transactions, executed] as const,
    ]) {
      for (const list of lists) {
        expected.add(listKey(list, order, actor.ref, actor.context.order!))
        if (!isLong(list)) counts.set(list, (counts.get(list) ?? 0) + 1)
      }
    }
  }
  const isOfList = (name: string): boolean => !/^deliveries\b/.test(name)
  const miscounted = [...store.counts.range({})].filter(([list, count]) => {
    return isOfList(list) && count !== (counts.get(list) ?? 0)
  })
  const timers = actors.flatMap((actor) => {
    const at = wakeAtOf(charts, actor)
    const gates = (fieldsOf(actor)['gates'] as Gate[] | undefined)?.map(({ ref }) => ref) ?? null
    const key = at === undefined ? [] : [timerKey(String(actor.context['organization']), at, actor.ref)]
    return key.map((one) => `${one} ${JSON.stringify(gates)}`)
  })
  const rows = store.tables.find(({ name }) => name === 'timers')!.range({})
  return [
    ...differences('lists', expected, new Set(store.lists.rows.keys({}))),
    ...differences(
      'timers',
      new Set(timers),
      new Set(Array.from(rows, ([key, gates]) => `${key} ${JSON.stringify(gates)}`)),
    ),
    ...differences('lookups', lookups, new Set(store.lookups.keys({}))),
    ...miscounted.map(([list, count]) => `${list} counts ${count} of ${counts.get(list) ?? 0}`),
  ]
}

/** The sums of all payments to an address are those of its counterparties in all organizations. */
function networkProblems(store: Store, actors: Actor[]): string[] {
  const sums = new Map<string, [number, number, number]>()
  for (const { ref, context } of actors) {
    if (kindOf(ref) !== 'counterparty') continue
    const { address, transactionCount, totalVolume } = context as unknown as CounterpartyContext
    const [payments, volume, organizations] = sums.get(comparable(address)) ?? [0, 0, 0]
    const paid = transactionCount > 0 ? 1 : 0
    sums.set(comparable(address), [payments + transactionCount, volume + totalVolume, organizations + paid])
  }
  return [...store.network.range({})].flatMap(([address, { transactionCount, totalVolume, organizationCount }]) => {
    const kept = `${transactionCount},${totalVolume},${organizationCount}`
    const summed = String(sums.get(address) ?? 'nothing')
    return kept === summed ? [] : [`the network of ${address} has ${kept}, its counterparties ${summed}`]
  })
}

function chainProblems(organization: string, chain: StoredEntry[]): string[] {
  let previousHash = GENESIS
  return chain.flatMap((entry, index) => {
    const { hash, ...rest } = entry
    const whole = entry.sequence === index + 1 && entry.previousHash === previousHash && hashEntry(rest) === hash
    previousHash = hash
    return whole ? [] : [`entry ${index + 1} of ${organization}, ${entry.sequence}, does not follow the one before`]
  })
}
