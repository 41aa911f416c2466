// The audit log on a real store: the tree as it grows and after restarts, pages, and what verification reports about a
// log that was tampered with in the data folder.
import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { open } from 'lmdb'
import { entryLeaf } from '../../../src/domain/audit/chain.js'
import type { StoredEntry } from '../../../src/domain/audit/forms.js'
import {
  consistencyProof,
  GrowingRoot,
  inclusionProof,
  isIncluded,
  isSameHash,
  rootOf,
} from '../../../src/domain/audit/merkle.js'
import { Unavailable } from '../../../src/actor/host.js'
import type { EntryPage, EntryQuery, LogTree } from '../../../src/actor/auditLog.js'
import { passes } from '../../../src/store/audit/summary.js'
import { entryFrom } from '../../../src/store/records/entryForm.js'
import { auditKey } from '../../../src/store/records/keys.js'
import { AuditChains } from '../../../src/store/audit/append.js'
import { AuditLog } from '../../../src/store/audit/log.js'
import { runs } from '../../support/depth.js'
import { openBare, type Bare } from '../../support/commands.js'
import { newFolder } from '../../support/process.js'
import { fill, overwrite, rewritten, STARTED, unchained } from '../../support/auditChain.js'
import { isConsistent } from '../../support/consistency.js'

const ORGANIZATION = 'ctest'
const PAGE = { limit: 50, offset: 0 }
/** At full depth more than 256 * 256, where a tile of the second level is complete. */
const MANY = runs(66_000)

async function filled(t: ExecutionContext, count: number): Promise<Bare> {
  const bare = openBare(t)
  await fill(bare.store, ORGANIZATION, count)
  return bare
}

async function treeOf(log: AuditLog): Promise<LogTree> {
  const tree = await log.tree(ORGANIZATION)
  if ('broken' in tree) throw new Error(`Broken at ${tree.broken}`)
  return tree
}

async function entriesOf(log: AuditLog): Promise<StoredEntry[]> {
  return log.all(ORGANIZATION, {})
}

test('the tree gives the roots and proofs of its entries however it grew and across restarts', async (t) => {
  const folder = newFolder(t)
  let from = 0
  for (const count of [1, 254, 1, 1, 255, MANY]) {
    const bare = openBare(t, folder)
    const log = new AuditLog(bare.store)
    await treeOf(log)
    await fill(bare.store, ORGANIZATION, count, from)
    from += count
    const tree = await treeOf(log)
    t.is(tree.size, from)
    if (count === MANY) await checkTree(t, log, tree)
    const growing = new GrowingRoot()
    const wanted = new Set([1, 2, 255, 256, 257, 511, 512, 65_535, 65_536, 65_537, from - 1, from])
    for (const entry of await entriesOf(log)) {
      growing.add(entryLeaf(entry))
      const { size } = growing
      if (wanted.has(size)) t.true(isSameHash(rootOf(size, tree.subtree), growing.root()), `${size}`)
    }
    await bare.close()
  }
})

test('roots are correct even for more organizations than tree edges are cached for', async (t) => {
  const bare = openBare(t)
  const organizations = Array.from({ length: 110 }, (_, at) => `c${at}`)
  for (const organization of organizations) await fill(bare.store, organization, 3)
  const log = new AuditLog(bare.store)
  const trees = await Promise.all(organizations.map((organization) => log.tree(organization)))
  for (const [at, tree] of trees.entries()) {
    if ('broken' in tree) throw new Error(`Broken at ${tree.broken}`)
    const growing = new GrowingRoot()
    for (const entry of await log.all(organizations[at]!, {})) growing.add(entryLeaf(entry))
    t.deepEqual(rootOf(tree.size, tree.subtree), growing.root())
  }
})

/** Checks that random proofs verify and read few nodes of the tree. */
async function checkTree(t: ExecutionContext, log: AuditLog, tree: LogTree): Promise<void> {
  const entries = await entriesOf(log)
  let reads = 0
  const counted: LogTree['subtree'] = (...of) => {
    reads += 1
    return tree.subtree(...of)
  }
  for (let at = 1; at <= 100; at += 1) inclusionProof(Math.floor((at * tree.size) / 101), tree.size, counted)
  t.true(reads / 100 < 100, `${reads} reads for 100 proofs`)
  const place = fc.integer({ min: 1, max: tree.size })
  fc.assert(
    fc.property(place, place, (one, other) => {
      const [from, to] = one < other ? [one, other] : [other, one]
      const newer = { size: to, root: rootOf(to, tree.subtree) }
      const older = { size: from, root: rootOf(from, tree.subtree) }
      const proof = inclusionProof(from - 1, to, tree.subtree)
      t.true(isIncluded({ leaf: entryLeaf(entries[from - 1]!), index: from - 1, size: to, proof }, newer.root))
      t.true(isConsistent(older, newer, consistencyProof(from, to, tree.subtree)))
    }),
  )
}

test('an intact log is valid, and its head is its last hash', async (t) => {
  const { services } = await filled(t, 700)
  const entries = await services.auditLog.all(ORGANIZATION, {})
  const verified = await services.auditLog.verify(ORGANIZATION)
  t.deepEqual(verified, { valid: true, entries: 700, head: entries.at(-1)!.hash })
  t.deepEqual(await services.auditLog.verify('cnobody'), { valid: true, entries: 0, head: null })
})

const TAMPERED: [what: string, tamper: (bare: Bare, entries: StoredEntry[], at: number) => Promise<unknown>][] = [
  ['changed', ({ store }, all, at) => overwrite(store, ORGANIZATION, at, { ...all[at - 1], action: 'agent.create' })],
  ['of another format', ({ store }, all, at) => overwrite(store, ORGANIZATION, at, { ...all[at - 1], format: 3 })],
  ['removed', ({ store }, _all, at) => overwrite(store, ORGANIZATION, at, undefined)],
  ['replaced by another', ({ store }, all, at) => overwrite(store, ORGANIZATION, at, all[at])],
  ['not an entry at all', ({ store }, _all, at) => overwrite(store, ORGANIZATION, at, 'nothing')],
]

for (const [what, tamper] of TAMPERED) {
  test(`an entry that is ${what} is reported as the first broken one, and the log has no tree to sign`, async (t) => {
    const bare = await filled(t, 300)
    const log = new AuditLog(bare.store)
    const entries = await entriesOf(log)
    for (const at of [1, 2, 256, 257, 299]) {
      await tamper(bare, entries, at)
      t.like(await log.verify(ORGANIZATION), { valid: false, entries: 300, firstBrokenSequence: at })
      t.deepEqual(await new AuditLog(bare.store).tree(ORGANIZATION), { broken: at })
      await overwrite(bare.store, ORGANIZATION, at, entries[at - 1])
    }
    t.like(await log.verify(ORGANIZATION), { valid: true })
  })
}

/** Copies the row of one entry over another, so that its checksum does not match its key. */
async function swapRows(folder: string, from: number, to: number): Promise<void> {
  const root = open({ path: folder, maxDbs: 32 })
  const rows = root.openDB<Buffer, string>({ name: 'audit', encoding: 'binary' })
  await rows.put(auditKey(ORGANIZATION, to), rows.getBinary(auditKey(ORGANIZATION, from))!)
  await root.close()
}

test('an entry whose row does not match its checksum is the first broken one, and an export marks it', async (t) => {
  const { folder, close } = await filled(t, 300)
  await close()
  await swapRows(folder, 7, 9)
  const log = new AuditLog(openBare(t, folder).store)
  t.deepEqual(await log.tree(ORGANIZATION), { broken: 9 })
  t.like(await log.verify(ORGANIZATION), { valid: false, firstBrokenSequence: 9 })
  let text = ''
  for await (const part of log.lines(ORGANIZATION)) text += part
  const lines = text.split('\n').slice(0, -1)
  t.is(lines.length, 300)
  t.deepEqual(JSON.parse(lines[8]!), { sequence: 9, error: 'This entry cannot be read: the data file is damaged' })
})

test('a rewritten and rechained history is detected by the earlier tree', async (t) => {
  const bare = await filled(t, 600)
  const log = new AuditLog(bare.store)
  await treeOf(log)
  const others = rewritten(await entriesOf(log), 100)
  for (const entry of others) await overwrite(bare.store, ORGANIZATION, entry.sequence, entry)
  t.like(await log.verify(ORGANIZATION), { valid: false, firstBrokenSequence: 100 })
  // The last complete tile now ends with another entry.
  t.deepEqual(await new AuditLog(bare.store).tree(ORGANIZATION), { broken: 512 })
})

test('a truncated log is detected by the earlier tree', async (t) => {
  const bare = await filled(t, 600)
  await treeOf(new AuditLog(bare.store))
  for (let sequence = 600; sequence > 300; sequence -= 1) bare.store.audit.remove(auditKey(ORGANIZATION, sequence))
  await bare.store.flushed()
  const log = new AuditLog(bare.store)
  t.like(await log.verify(ORGANIZATION), { valid: false, entries: 300, firstBrokenSequence: 301 })
  t.true('broken' in (await log.tree(ORGANIZATION)))
  for (let sequence = 300; sequence > 0; sequence -= 1) bare.store.audit.remove(auditKey(ORGANIZATION, sequence))
  await bare.store.flushed()
  t.deepEqual(await log.verify(ORGANIZATION), { valid: false, entries: 0, head: null, firstBrokenSequence: 1 })
})

const FILTERS = [
  {},
  { action: 'payment.request' },
  { actorId: 'key3', action: 'payment.execute' },
  { resourceId: 'payment17' },
  { resource: 'agent' },
  { from: STARTED + 500_000, to: STARTED + 600_000 },
]

/** The sequences on all pages, following the cursors. */
async function paged(log: AuditLog, query: Omit<EntryQuery, 'cursor'>): Promise<number[]> {
  const seen: number[] = []
  let cursor: string | undefined
  do {
    const page: EntryPage | undefined = await log.page(ORGANIZATION, { ...query, cursor })
    seen.push(...page!.entries.map(({ sequence }) => sequence))
    cursor = page!.nextCursor
  } while (cursor !== undefined)
  return seen
}

test('pages list each matching entry once, newest first, with and without the tree', async (t) => {
  const bare = await filled(t, 6000)
  const log = new AuditLog(bare.store)
  const all = (await entriesOf(log)).reverse()
  for (const withTree of [false, true]) {
    if (withTree) await treeOf(log)
    for (const filter of FILTERS) {
      const wanted = all.filter((entry) => passes(entry, filter)).map(({ sequence }) => sequence)
      t.deepEqual(await paged(log, { filter, limit: 70, offset: 0 }), wanted, JSON.stringify(filter))
    }
  }
})

test('a queued entry has no hash before its commit begins, and the next one cannot be linked to it', async (t) => {
  const { store } = openBare(t)
  const chains = new AuditChains(store.audit, randomBytes)
  let made = 0
  for (const at of [0, 1]) chains.append(ORGANIZATION, () => ({ ...unchained(at), id: `made ${(made += 1)}` }))
  t.is(chains.last(ORGANIZATION), 2)
  t.throws(() => store.audit.get(auditKey(ORGANIZATION, 2)), { message: /no hash yet/ })
  const read = entryFrom(store.audit.get(auditKey(ORGANIZATION, 1)), 1)
  await store.flushed()
  const [first, second] = await entriesOf(new AuditLog(store))
  t.deepEqual(first, read)
  t.is(second!.previousHash, first!.hash)
})

test('an entry that cannot be made fails its commit, and nothing of that is written', async (t) => {
  const { store } = openBare(t)
  const chains = new AuditChains(store.audit, randomBytes)
  chains.append(ORGANIZATION, () => unchained(0))
  chains.append(ORGANIZATION, () => {
    throw new Error('No text')
  })
  await t.throwsAsync(store.flushed(), { instanceOf: Unavailable })
  t.is(store.failure?.cause instanceof Error && store.failure.cause.message, 'No text')
  t.is(store.audit.size, 0)
})

test('offsets skip entries, even more than one page scans', async (t) => {
  const bare = await filled(t, 12_000)
  const log = new AuditLog(bare.store)
  const plain = await log.page(ORGANIZATION, { filter: {}, limit: 3, offset: 11_000 })
  t.deepEqual(
    plain!.entries.map(({ sequence }) => sequence),
    [1000, 999, 998],
  )
  t.is(plain!.total, 12_000)
  const filter = { action: 'payment.request' }
  t.is((await log.page(ORGANIZATION, { ...PAGE, filter }))!.total, undefined)
  t.deepEqual(await paged(log, { filter, limit: 100, offset: 5_990 }), [19, 17, 15, 13, 11, 9, 7, 5, 3, 1])
})

test('the total of a filter is exact if the log is short', async (t) => {
  const { services } = await filled(t, 100)
  const query = { filter: { actorId: 'key1' }, limit: 20, offset: 0 }
  const page = await services.auditLog.page(ORGANIZATION, query)
  t.is(page!.total, 25)
  t.is(page!.entries.length, 20)
  const last = await services.auditLog.page(ORGANIZATION, { ...query, cursor: page!.nextCursor })
  t.is(last!.entries.length, 5)
  t.is(last!.nextCursor, undefined)
})

test('cursors that no page returned are refused', async (t) => {
  const { services } = await filled(t, 10)
  for (const text of ['', 'x', '11 0', '5', '5 -1', '5 0 0', ' 5 0']) {
    const cursor = Buffer.from(text).toString('base64url')
    t.is(await services.auditLog.page(ORGANIZATION, { ...PAGE, filter: {}, cursor }), undefined, text)
  }
})

/** Each of these entries is as large as an edit of a large policy. */
const LARGE = 2 ** 20

async function large(t: ExecutionContext, count: number): Promise<Bare> {
  const bare = openBare(t)
  await fill(bare.store, ORGANIZATION, count, 0, LARGE)
  return bare
}

/** How often other work got its turn. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}

test('pages of large entries end early, and together list each entry once', async (t) => {
  const { store } = await large(t, 40)
  const log = new AuditLog(store)
  const first = await log.page(ORGANIZATION, { filter: {}, limit: 100, offset: 0 })
  t.is(first!.entries.length, 4)
  const all = Array.from({ length: 40 }, (_, at) => 40 - at)
  t.deepEqual(await paged(log, { filter: {}, limit: 100, offset: 0 }), all)
  const filter = { actorId: 'key0' }
  const wanted = all.filter((sequence) => sequence % 4 === 1)
  t.deepEqual(await paged(log, { filter, limit: 100, offset: 0 }), wanted)
  const rare = await log.page(ORGANIZATION, { filter: { resourceId: 'payment0' }, limit: 100, offset: 0 })
  t.deepEqual([rare!.entries.length, rare!.total, rare!.nextCursor !== undefined], [0, undefined, true])
  t.deepEqual(await paged(log, { filter: { resourceId: 'payment0' }, limit: 100, offset: 0 }), [2, 1])
})

test('the latest entries of an actor end early where they are large, and say that older ones exist', async (t) => {
  const { store } = await large(t, 10)
  const found = await new AuditLog(store).latest(ORGANIZATION, {}, { most: 500, isFirst: () => false })
  t.deepEqual([found.entries.map(({ sequence }) => sequence), found.isWhole], [[7, 8, 9, 10], false])
})

test('a follower continues where a batch of large entries ended early', async (t) => {
  const { store } = await large(t, 10)
  const log = new AuditLog(store)
  const seen: number[] = []
  for (let after = 0; after < 10;) {
    const { entries, until } = await log.between(ORGANIZATION, after, 10)
    t.true(entries.length <= 4 && until > after)
    seen.push(...entries.map(({ sequence }) => sequence))
    after = until
  }
  t.deepEqual(seen, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('each large entry is a part of an export by itself', async (t) => {
  const { store } = await large(t, 10)
  const parts: number[] = []
  for await (const part of new AuditLog(store).lines(ORGANIZATION)) parts.push(part.split('\n').length - 1)
  t.deepEqual(
    parts,
    Array.from({ length: 10 }, () => 1),
  )
})

test('other work goes on while large entries are verified, searched and made into a tree', async (t) => {
  const { store } = await large(t, 20)
  const log = new AuditLog(store)
  const works: [string, () => Promise<unknown>][] = [
    ['verify', () => log.verify(ORGANIZATION)],
    ['tree', () => log.tree(ORGANIZATION)],
    ['search', () => log.page(ORGANIZATION, { ...PAGE, filter: { action: 'none' } })],
    ['follow', () => log.between(ORGANIZATION, 0, 4)],
  ]
  for (const [what, work] of works) t.true((await turnsDuring(work)) >= (what === 'follow' ? 4 : 20), what)
})
