// An organization with 100,000 counterparties: what a search and a deep page cost. The cost is measured as CPU time, so
// that other work on the machine does not change it.
import { isGone } from '../../../src/actor/turn.js'
import { counterpartiesOf } from '../../../src/domain/parties/counterparty.js'
import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { deliver } from '../../../src/actor/host.js'
import { charts } from '../../../machines/index.js'
import { fieldsOf, type Actor } from '../../../src/actor/actor.js'
import type { Page } from '../../../src/actor/query.js'
import { newId } from '../../../src/domain/values/ids.js'
import { actorChange, EmbeddedHost } from '../../../src/host/embedded.js'
import { Query } from '../../../src/store/query.js'
import { Store } from '../../../src/store/store.js'
import { createCounterparty } from '../../support/messages.js'
import { newFolder } from '../../support/process.js'

const COUNTERPARTIES = 100_000
const AT_ONCE = 1000
const SEARCHES = 200
const NOON = Date.parse('2031-07-09T12:00:00Z')
const WORDS = ['Paper', 'Cloud', 'Straße', 'data', 'Ünïcode', 'tools', 'Berlin', 'Ltd', 'GmbH', 'services']
const BY = { type: 'test', id: 'test' }

const nameOf = (at: number): string => `${WORDS[at % 10]!} ${WORDS[(at >> 3) % 10]!} ${at.toString(36)}`

/** Stores copies of this counterparty with their own names and addresses. */
async function multiply(store: Store, { ref: _ref, context, ...rest }: Actor): Promise<void> {
  for (let made = 0; made < COUNTERPARTIES; made += AT_ONCE) {
    const actors = Array.from({ length: AT_ONCE }, (_, index) => {
      const at = made + index
      const id = `cpty_${newId(randomBytes)}`
      const own = { id, name: nameOf(at), address: `0x${randomBytes(20).toString('hex')}`, order: NOON * 1000 + at }
      const after: Actor = { ...rest, ref: `counterparty/${id}`, context: { ...context, ...own } }
      return actorChange(charts, undefined, after)
    })
    const nothing = { keys: [], audited: [], record: undefined, deliveries: [] }
    await store.commit({ organization: 'o', by: BY, at: NOON, actors, ...nothing })
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

interface Measured {
  page: Page
  ms: number
}

async function measured(read: () => Promise<Page | undefined>): Promise<Measured> {
  const before = cpuMs()
  const page = (await read())!
  return { page, ms: cpuMs() - before }
}

/** Logged, not asserted, because the time depends on the machine. The aim is a p99 below 50 ms. */
function show(t: ExecutionContext, what: string, times: number[]): void {
  const sorted = times.toSorted((a, b) => a - b)
  const [p50, p99] = [0.5, 0.99].map((part) => sorted[Math.ceil(sorted.length * part) - 1]!)
  t.log(`${what}: p50 ${p50!.toFixed(1)} ms, p99 ${p99!.toFixed(1)} ms`)
}

test.serial(`among ${COUNTERPARTIES} counterparties searches find their names, and deep pages are full`, async (t) => {
  t.timeout(150_000)
  const store = new Store(randomBytes, charts)
  store.open(newFolder(t))
  await store.takeOver()
  const host = new EmbeddedHost(charts, store, { hotActors: 1000 })
  const { to, message } = createCounterparty({ organization: 'o', now: NOON }, 'first', 'UNKNOWN')
  const { actor } = await deliver(host, BY, to, message)
  await multiply(store, actor)
  const query = new Query(store, (actor) => isGone(charts, actor))
  const find = (part: string, more: object = {}) =>
    measured(() =>
      query.counterpartiesWith({ organization: 'o', part, state: undefined, limit: 50, offset: 0, ...more }),
    )
  t.log(`the first search after a start took ${(await find('cloud')).ms.toFixed(0)} ms`)

  const times: number[] = []
  for (let search = 0; search < SEARCHES; search += 1) {
    const at = Math.floor((search * COUNTERPARTIES) / SEARCHES)
    const part = [nameOf(at).toUpperCase(), '0xabc', 'nobody', 'e'][search % 4]!
    const { ms, page } = await find(part)
    times.push(ms)
    if (search % 4 === 0)
      t.true(
        page.actors.some((actor) => fieldsOf(actor)['name'] === nameOf(at)),
        part,
      )
  }
  show(t, 'searches', times)

  const reads: [string, (more: object) => Promise<Measured>][] = [
    ['pages of a search', (more) => find('e', more)],
    [
      'pages of all',
      (more) => measured(() => query.page({ list: counterpartiesOf('o'), limit: 50, offset: 0, ...more })),
    ],
    [
      'pages of a status',
      (more) =>
        measured(() => query.page({ list: counterpartiesOf('o', 'met.unknown'), limit: 50, offset: 0, ...more })),
    ],
  ]
  for (const [what, read] of reads) {
    let { page } = await read({ offset: 30_000 })
    const deep: number[] = []
    for (let left = 60; left > 0; left -= 1) {
      const next = await read({ cursor: page.nextCursor })
      deep.push(next.ms)
      page = next.page
    }
    t.is(page.actors.length, 50, what)
    show(t, what, deep)
  }
  await store.close()
})
