// Searching counterparties by status and by a literal part of name or address, in whatever order they were written.
import test from 'ava'
import fc from 'fast-check'
import type { Actor } from '../../../src/actor/actor.js'
import type { Ref } from '../../../src/domain/limits/gate.js'
import { folded } from '../../../src/domain/values/text.js'
import { SearchIndex } from '../../../src/store/searchIndex.js'
import { runs } from '../../support/depth.js'
import { ORGANIZATION_KEY, wholeFile } from '../../support/process.js'
import { openStage, type Stage } from './stage.js'
import type { CounterpartyList } from '../../../sdk/api.js'

const scope = wholeFile(test)
let stage: Stage

const NAMES: [name: string, status: string][] = [
  ['Maps %_* shop', 'UNKNOWN'],
  ['Cloud MAPS', 'TRUSTED'],
  ['Straße', 'UNKNOWN'],
  ['Ünïcode', 'VERIFIED'],
  ['a.b|c', 'BLOCKED'],
]
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

test.before('some counterparties are registered', async () => {
  stage = await openStage(scope)
  for (const [name, status] of NAMES) await stage.register({ name, status })
  await stage.register({ name: 'Last', address: ADDRESS })
})

const find = async (query: string): Promise<CounterpartyList> =>
  (await stage.client.get<CounterpartyList>(`/api/counterparties?${query}`, ORGANIZATION_KEY)).body
const namesIn = ({ counterparties }: CounterpartyList): string[] => counterparties.map(({ name }) => name)

const SEARCHES: [query: string, found: string[]][] = [
  ['search=maps', ['Cloud MAPS', 'Maps %_* shop']],
  ['search=MAPS&status=TRUSTED', ['Cloud MAPS']],
  ['search=&status=TRUSTED', ['Cloud MAPS']],
  ['search=maps&status=BLOCKED', []],
  ['search=%25_*', ['Maps %_* shop']],
  ['search=.*', []],
  ['search=a.b%7Cc', ['a.b|c']],
  ['search=STRASSE', ['Straße']],
  ['search=%C3%9CN%C3%8FCODE', ['Ünïcode']],
  ['search=u%CC%88ni', []],
  ['search=5AAEB6053f3e', ['Last']],
  ['search=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', ['Last']],
  ['status=UNKNOWN', ['Last', 'Straße', 'Maps %_* shop']],
  ['status=BLOCKED', ['a.b|c']],
  ['status=VERIFIED&search=c', ['Ünïcode']],
]

for (const [query, found] of SEARCHES) {
  test(`the query ${decodeURIComponent(query)} finds ${found.length}`, async (t) => {
    const page = await find(query)
    t.deepEqual(namesIn(page), found)
    t.is(page.pagination.total, found.length)
  })
}

test('search results are pages of one stable list, by offset and by cursor', async (t) => {
  const own = await openStage(t)
  for (let made = 0; made < 7; made += 1) await own.register({ name: `Page ${made}` })
  const get = async (query: string): Promise<CounterpartyList> =>
    (await own.client.get<CounterpartyList>(`/api/counterparties?search=page&${query}`, ORGANIZATION_KEY)).body
  const all = namesIn(await get('limit=100'))
  t.is(all.length, 7)
  for (const limit of [1, 3, 7]) {
    const names: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await get(`limit=${limit}${cursor && `&cursor=${cursor}`}`)
      names.push(...namesIn(page))
      cursor = page.pagination.nextCursor
      t.is(page.pagination.hasMore, cursor !== undefined)
    }
    t.deepEqual(names, all)
  }
  t.deepEqual(namesIn(await get('limit=2&offset=3')), all.slice(3, 5))
  for (const query of ['limit=0', 'cursor=nonsense', 'limit=101', 'offset=-1']) {
    const { status } = await own.client.get(`/api/counterparties?search=page&${query}`, ORGANIZATION_KEY)
    t.is(status, 400, query)
  }
})

test('a search reflects registrations, renames, blocks, deletions, new payments and restarts', async (t) => {
  const own = await openStage(t)
  const get = async (query: string): Promise<string[]> =>
    namesIn((await own.client.get<CounterpartyList>(`/api/counterparties?${query}`, ORGANIZATION_KEY)).body)
  t.deepEqual(await get('search=shop'), [])
  const { id, address } = await own.register({ name: 'Shop one' })
  t.deepEqual(await get('search=SHOP'), ['Shop one'])
  await own.put(id, { name: 'Store one' })
  t.deepEqual([await get('search=shop'), await get('search=store')], [[], ['Store one']])
  await own.put(id, { status: 'BLOCKED' })
  t.deepEqual([await get('search=store&status=UNKNOWN'), await get('search=store&status=BLOCKED')], [[], ['Store one']])
  await own.put(id, { status: 'UNKNOWN' })
  await own.remove(id)
  t.deepEqual(await get('search=store'), [])
  await own.pay(address, 1, { recipientName: 'Shop two' })
  t.deepEqual(await get('search=shop'), ['Shop two'])
  await own.restart()
  t.deepEqual(await get('search=shop'), ['Shop two'])
})

const KINDS = ['write', 'write', 'remove', 'commit', 'search', 'pause'] as const
type Kept = Actor<'counterparty'>

const contextOf = (name: string, order: number) =>
  ({ organization: 'o', name, address: '0x', order }) as Kept['context']

const operations = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    which: fc.nat(9),
    order: fc.nat(20),
    name: fc.constantFrom('ab', 'bc', 'ca'),
  }),
  { maxLength: 40 },
)

test('in any order of writes, commits and searches, a search finds the last writes', async (t) => {
  const property = fc.asyncProperty(operations, async (steps) => {
    const written = new Map<Ref, Kept>()
    const committed = new Map<Ref, Kept>()
    const waiting: { actor: Kept; isListed: boolean }[] = []
    // One at a time, each as it is when its turn comes.
    const portions = function* (): Generator<Kept[]> {
      const refs = Array.from(committed.keys())
      for (const ref of refs) yield [committed.get(ref)].filter((actor) => actor !== undefined)
    }
    const index = new SearchIndex(portions, 5)
    const searches: Promise<void>[] = []
    for (const { kind, which, order, name } of steps) {
      const ref: Ref<'counterparty'> = `counterparty/c${which}`
      const before = written.get(ref)
      const context = contextOf(name, before ? before.context.order : order)
      const actor: Kept = { ref, version: 1, revision: 1, state: 'met.unknown', context }
      if (kind === 'write') {
        written.set(ref, actor)
        index.write(before, actor, true)
        waiting.push({ actor, isListed: true })
      }
      if (kind === 'remove' && before) {
        const gone = { ...before, state: 'unmet' }
        written.delete(ref)
        index.write(before, gone, false)
        waiting.push({ actor: gone, isListed: false })
      }
      if (kind === 'commit') {
        for (const { actor: done, isListed } of waiting.splice(0)) {
          if (isListed) committed.set(done.ref, done)
          else committed.delete(done.ref)
          index.settled(done)
        }
      }
      if (kind === 'pause') await new Promise((resolve) => setImmediate(resolve))
      if (kind === 'search') searches.push(index.find('o', name, undefined).then(() => {}))
    }
    await Promise.all(searches)
    for (const part of ['AB', 'b', 'ca']) {
      const found = (await index.find('o', part, undefined)).map(({ ref }) => ref).sort()
      const wanted = [...written.values()].filter(({ context }) => folded(context.name).includes(folded(part)))
      t.deepEqual(found, wanted.map(({ ref }) => ref).sort())
    }
  })
  await fc.assert(property, { numRuns: runs(300) })
})

test('a long search yields to other work, and finds each remaining entry once', async (t) => {
  const actorAt = (order: number): Kept => ({
    ref: `counterparty/c${order}`,
    version: 1,
    revision: 1,
    state: 'met.unknown',
    context: contextOf(`Company ${order}`, order),
  })
  const actors = Array.from({ length: 35_000 }, (_, at) => actorAt(at))
  const index = new SearchIndex(() => [actors], 50_000)
  await index.find('o', 'none', undefined)
  let turns = 0
  const searching = index.find('o', 'company', undefined)
  const change = (): void => {
    turns += 1
    index.write(undefined, actorAt(35_000 + turns), true)
    index.write(actors[turns], actors[turns]!, false)
    if (turns < 2) setImmediate(change)
  }
  setImmediate(change)
  const found = await searching
  t.is(turns, 2)
  t.is(new Set(found.map(({ ref }) => ref)).size, found.length)
  t.is(found.length, 35_000 - 2)
})

test('an organization too large for the index is read again for each search', async (t) => {
  let reads = 0
  const actor = { ref: 'counterparty/c1', version: 1, revision: 1, state: 'met.unknown' } as const
  const written = [1, 2, 3].map((order): Kept => ({
    ...actor,
    ref: `counterparty/c${order}`,
    context: contextOf('x', order),
  }))
  const index = new SearchIndex(() => ((reads += 1), [written]), 2)
  for (const searches of [1, 2]) {
    t.is((await index.find('o', 'x', undefined)).length, 3)
    t.is(reads, searches)
  }
})
