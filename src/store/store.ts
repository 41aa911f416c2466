// All tables of the data folder's LMDB environment, and the one function that writes a change to them.
import { ABORT, open, type RootDatabase } from 'lmdb'
import type { Actor } from '../actor/actor.js'
import { isOf } from '../actor/actor.js'
import type { Unavailable } from '../actor/host.js'
import type { StoredEntry } from '../domain/audit/forms.js'
import { newId, type Random } from '../domain/values/ids.js'
import type { KeyOwner } from '../actor/overlay.js'
import type { ChartBook, MovedListing } from '../actor/turn.js'
import type { ActorChange, Change } from './change.js'
import type { Ref } from '../domain/limits/gate.js'
import type { IdempotencyRecord } from '../domain/outcomes/idempotencyRecord.js'
import type { NetworkRow } from '../domain/parties/networkTotals.js'
import { AuditChains, type Unchained } from './audit/append.js'
import { everyEntry } from './audit/everyEntry.js'
import { Packing } from './audit/packing.js'
import { AuditPacks } from './audit/packs.js'
import { loggedEntry } from './audit/loggedEntry.js'
import type { SummaryRow } from './audit/summary.js'
import type { TileRow } from './audit/tiles.js'
import { counterpartyBatches } from './counterpartyBatches.js'
import { ENVIRONMENT, MAPPED } from './open.js'
import { Fence } from './folder/fence.js'
import { Deliveries } from './deliveries.js'
import { withFileJournal, type Owner } from './journal/owner.js'
import type { PolicyVersion } from '../domain/parties/policy.js'
import { Lists, without } from './lists.js'
import { Rewriting } from './migration/rewriting.js'
import { refuseSchema, SCHEMA, type SchemaSteps } from './migration/schema.js'
import { StoredVersions } from './migration/storedVersions.js'
import { noteInNetwork } from './network.js'
import { Actors, type Sized } from './records/actors.js'
import type { EntryRow } from './records/entryForm.js'
import { IdempotencyRecords } from './records/idempotencyRecords.js'
import { StoredContexts } from './records/storedContexts.js'
import { heldIn, heldSince, versionKey } from './records/keys.js'
import { heldKeysOf, isPayment, Payments } from './records/payments.js'
import { SearchIndex } from './searchIndex.js'
import { Stats } from './stats/stats.js'
import { Timers } from './timers.js'
import { newVersion } from './policyVersions.js'
import { Table, type TableOptions } from './table.js'
import { Writer } from './writer.js'

/** The writer groups writes into commits itself. */
const BATCHED = { eventTurnBatching: false }
export const SEALED_FILES = 'sealedFiles'

export class Store {
  lists!: Lists
  counts!: Table<number>
  lookups!: Table<Ref>
  timers!: Timers
  /** Idempotency records by expiry. */
  expiries!: Table<null>
  /** Audit entries that are not packed. */
  audit!: Table<EntryRow>
  auditPacks!: AuditPacks
  packing!: Packing
  /** Tiles of the trees over the audit log, built when a tree is requested, never in the commit of an entry. */
  auditTiles!: Table<TileRow>
  auditSummaries!: Table<SummaryRow>
  versions!: Table<PolicyVersion>
  deliveries!: Deliveries
  /** Totals over all organizations of this shard, by canonical address. */
  network!: Table<NetworkRow>
  stats!: Stats
  /** Files of the data folder that every node needs, by path, each sealed. */
  sealedFiles!: Table<string>
  /** All tables but that of the schema. */
  readonly tables: Table<unknown>[] = []
  readonly search = new SearchIndex((organization) =>
    counterpartyBatches(organization, { lists: this.lists, actors: this.#actors }),
  )
  #actors!: Actors
  #uniqueKeys!: Table<KeyOwner>
  /** All idempotency records but those of requests that made payments. */
  #records!: IdempotencyRecords
  #payments!: Payments
  /** When the payments that gates count were made. */
  #held!: Table<null>
  #root!: RootDatabase
  #meta!: Table<unknown>
  #versions!: StoredVersions
  #fence!: Fence
  #folder!: string
  #owner: Owner | undefined
  #chains!: AuditChains
  readonly #random: Random
  readonly #book: ChartBook
  readonly #contexts: StoredContexts
  readonly #writer: Writer

  /**
   * Closed until `open`. `random` gives the ids and salts of audit entries; `book` has the charts of stored actors.
   * `onFailure` is called once, when a commit fails.
   */
  constructor(random: Random, book: ChartBook, onFailure: (failure: Unavailable) => void = () => {}) {
    this.#random = random
    this.#book = book
    this.#contexts = new StoredContexts(book)
    this.#writer = new Writer(onFailure)
  }

  /**
   * Opens or creates the store. Throws OtherSchema or LaterVersion, before anything else is read or written, unless
   * `steps` lead from its schema to the present one. Its rows are then those of its schema.
   */
  open(folder: string, steps: SchemaSteps = {}): void {
    this.#folder = folder
    this.#root = open({ path: folder, maxReaders: 64, ...ENVIRONMENT, ...MAPPED, ...BATCHED })
    this.#meta = new Table(this.#root, 'meta', this.#writer)
    refuseSchema(folder, this.#meta.get('schema') as number | undefined, steps)
    this.#versions = new StoredVersions(this.#meta, this.#book, folder)
    this.#fence = new Fence(this.#root)
    const table = <Value>(name: string, options?: TableOptions): Table<Value> => {
      const opened = new Table<Value>(this.#root, name, this.#writer, options)
      this.tables.push(opened as Table<unknown>)
      return opened
    }
    this.#actors = new Actors(table('actors'), table('actorCounts'), this.#contexts, this.#versions)
    this.#uniqueKeys = table('uniqueKeys')
    this.expiries = table('expiries')
    this.#records = new IdempotencyRecords(table('idempotencyRecords'), this.expiries)
    this.#payments = new Payments(table('payments', { fills: true }), table('places'), this.#contexts)
    this.#held = table('held')
    this.counts = table('counts')
    this.lists = new Lists(table('lists'), this.counts, (order) => this.paymentAt(order))
    this.lookups = table('lookups')
    this.timers = new Timers(table('timers'), () => this.flushed())
    this.audit = table('audit', { fills: true })
    this.auditPacks = new AuditPacks(table('auditPacks', { isBinary: true }))
    this.packing = new Packing({ entries: this.audit, packs: this.auditPacks, flushed: () => this.flushed() })
    this.auditTiles = table('auditTiles')
    this.auditSummaries = table('auditSummaries')
    this.versions = table('versions')
    this.network = table('network')
    this.sealedFiles = table(SEALED_FILES)
    this.deliveries = new Deliveries({
      rows: table('deliveries'),
      states: table('deliveryStates'),
      due: table('deliveriesDue'),
      counts: this.counts,
      latest: table('channelDeliveries'),
      receipts: table('channelMessages'),
    })
    this.stats = new Stats({ rows: table('stats'), zones: table('statsZones'), marks: table('statsMarks') }, this)
    this.#chains = new AuditChains(this.audit, this.#random)
  }

  /**
   * Takes the store over from whoever opened it before: they commit nothing any more. Resolves when everything that can
   * be read is on disk: a process that was killed may have left a commit that LMDB shows and that is not synced, and only
   * a further commit syncs it. Throws LaterVersion, with nothing written, where a later Bursar has written, and Fenced
   * where a journal was begun since the last replay.
   */
  async takeOver(takeOver = withFileJournal): Promise<void> {
    this.#versions.refuseLater()
    this.#owner = takeOver(this.#fence, this.#folder, this.#random)
    this.#writer.begin(this.#owner.durability)
    this.#meta.put('schema', SCHEMA)
    this.#versions.noteKnown()
    this.stats.begin({ isCounted: this.#meta.get('counted') === true, book: this.#book })
    this.#meta.put('counted', true)
    await this.flushed()
  }

  /** Of actors that earlier versions of their charts have stored. */
  get rewriting(): Rewriting {
    return new Rewriting(this.#actors, this.#payments, this.#versions)
  }

  /** Files of the data folder that are there as long as this process has the store. */
  get ownFiles(): readonly string[] {
    return this.#owner!.files
  }

  /** The failure that ended all writing; undefined while the store takes writes. */
  get failure(): Unavailable | undefined {
    return this.#writer.failure
  }

  /** All commits up to this one are durable. */
  get durable(): number {
    return this.#writer.durable
  }

  /** Ends all writing, for a reason outside of the store. */
  fail(error: unknown): void {
    this.#writer.fail(error)
  }

  /** The actor, pending writes included. */
  actor<K extends string>(ref: Ref<K>): Actor<K> | undefined {
    return (isPayment(ref) ? this.#payments.get(ref) : this.#actors.get(ref)) as Actor<K> | undefined
  }

  /** The actor on disk, without pending writes. */
  committed<K extends string>(ref: Ref<K>): Actor<K> | undefined {
    return (isPayment(ref) ? this.#payments.committed(ref) : this.#actors.committed(ref)) as Actor<K> | undefined
  }

  /** An actor on disk, and the size of its rows in bytes. */
  sized(ref: Ref): Sized | undefined {
    return isPayment(ref) ? this.#payments.sized(ref) : this.#actors.sized(ref)
  }

  /** The payment that was made in this order, on disk. */
  paymentAt(order: number): Ref<'payment'> | undefined {
    return this.#payments.refAt(order)
  }

  /** No payment was made in a later order. */
  get lastOrder(): number {
    return this.#payments.lastOrder
  }

  keyOwner(key: string): KeyOwner | undefined {
    return this.#uniqueKeys.get(key)
  }

  idempotencyRecord(key: string): IdempotencyRecord | undefined {
    return (isPayment(key) ? this.#payments.record(key) : undefined) ?? this.#records.get(key)
  }

  /** Every actor on disk. */
  *everyActor(): Generator<Actor> {
    yield* this.#actors.all()
    yield* this.#payments.all()
  }

  /** Every unique key on disk, with its owner. */
  everyKey(): Iterable<[string, KeyOwner]> {
    return this.#uniqueKeys.range({})
  }

  /** For each payment that a gate counts, the gate. */
  *everyHeld(): Generator<Ref> {
    for (const key of this.#held.keys({})) yield heldIn(key).gate
  }

  /** The entries of all audit logs on disk, each with its organization. */
  everyEntry(): Generator<[organization: string, entry: StoredEntry]> {
    return everyEntry(this.auditPacks.rows(), this.audit.range({}))
  }

  /**
   * Times later than `since` (epoch ms) from which a gate counts payments that it still holds, the latest first, at most
   * `most`; pending writes included.
   */
  timesHeld(gate: Ref, since: number, most: number): number[] {
    return this.#held.latest({ ...heldSince(gate, since), limit: most }).map((key) => heldIn(key).at)
  }

  /** The last sequence of an organization's audit log, queued writes included. */
  lastSequence(organization: string): number {
    return this.#chains.last(organization)
  }

  /**
   * Queues a change in this event turn and resolves when it is on disk. A rejection means that the outcome is unknown:
   * this process must not answer anything from then on.
   */
  async commit(change: Change): Promise<void> {
    if (this.failure) throw this.failure
    const changedLists: string[] = []
    this.#write(change, changedLists)
    await this.flushed()
    for (const list of changedLists) this.lists.changed(list)
    for (const { after } of change.actors) if (isOf('counterparty', after)) this.search.settled(after)
  }

  #write(change: Change, changedLists: string[]): void {
    try {
      for (const actor of change.actors) this.#writeActor(change, actor, changedLists)
      for (const [key, owner] of change.keys) this.#putKey(key, owner)
      for (const delivery of change.deliveries) this.deliveries.add(delivery)
      if (change.record && !isOfNew(change.record, change)) this.#records.put(change.record)
      for (const one of change.audited) this.#record(change, one)
    } catch (error) {
      // A damaged count or chain head throws: the half of the change that is queued by now must not be written.
      throw this.#writer.fail(error)
    }
  }

  /** Queues an idempotency record in this event turn and resolves when it is on disk. */
  async record(record: IdempotencyRecord): Promise<void> {
    this.#records.put(record)
    await this.flushed()
  }

  /** Removes idempotency records and queues another one in this event turn; resolves when that is on disk. */
  async replace(keys: readonly string[], record: IdempotencyRecord | undefined): Promise<void> {
    for (const key of keys) this.#records.remove(key)
    if (record) this.#records.put(record)
    await this.flushed()
  }

  /** Removes up to `limit` idempotency records that have expired at `now` (epoch ms), the oldest first. */
  async forget(now: number, limit: number): Promise<void> {
    if (this.#records.forget(now, limit)) await this.flushed()
  }

  #putKey(key: string, owner: KeyOwner | undefined): void {
    if (owner === undefined) this.#uniqueKeys.remove(key)
    else this.#uniqueKeys.put(key, owner)
  }

  /** Resolves when everything queued so far is on disk; after a failure it always rejects. */
  flushed(): Promise<void> {
    return this.#writer.flushed()
  }

  /** Resolves when LMDB has everything queued so far. */
  stored(): Promise<void> {
    return this.#writer.stored()
  }

  /** Throws when the file cannot take a write; leaves the file as it is. */
  rehearse(): void {
    this.#root.transactionSync(() => {
      for (const table of this.tables) table.rehearse()
      return ABORT
    })
  }

  async close(): Promise<void> {
    // After a failed write LMDB's memory is not to be trusted, nor that closing it ends.
    if (await this.rest()) await this.#root.close()
  }

  /**
   * Writes nothing any more; reads go on. Afterwards the journal is empty, and gone, unless writing has failed: false.
   */
  async rest(): Promise<boolean> {
    if (!this.failure) await this.stats.end()
    const isStored = await this.#writer.end().then(
      () => true,
      () => false,
    )
    if (isStored) await this.#owner?.release(this.#writer.durable)
    if (isStored) this.#owner = undefined
    return isStored
  }

  /** Of a store at rest: another process may have changed it since, other than by attaching it to a journal. */
  get isChanged(): boolean {
    const { journal, shared } = this.#fence.presentPlace
    return journal !== undefined || (shared !== undefined && shared.epoch > 0)
  }

  #writeActor({ organization, at, record }: Change, change: ActorChange, changedLists: string[]): void {
    const { before, after, moved } = change
    if (isOf('payment', after)) this.#writePayment(before, after, record?.key === after.ref ? record : undefined)
    else this.#actors.put(before, after)
    this.stats.note(organization, at, change)
    const version = newVersion(before, after)
    if (version) this.versions.put(versionKey(version.policyId, version.version), version)
    if (isOf('counterparty', after)) this.#noteCounterparty(change, after, at)
    this.timers.move(organization, change)
    if (moved) this.#moveRows(after, moved, changedLists)
  }

  #writePayment(before: Actor | undefined, after: Actor<'payment'>, record: IdempotencyRecord | undefined): void {
    this.#payments.put(before, after, before === undefined ? record : undefined)
    const [from, to] = [isOf('payment', before) ? heldKeysOf(before) : [], heldKeysOf(after)]
    for (const key of without(from, to)) this.#held.remove(key)
    for (const key of without(to, from)) this.#held.put(key, null)
  }

  #noteCounterparty({ before, metaBefore, metaAfter }: ActorChange, after: Actor<'counterparty'>, at: number): void {
    const was = isOf('counterparty', before) ? { actor: before, status: metaBefore?.status } : undefined
    noteInNetwork(this.network, was, { actor: after, status: metaAfter.status }, at)
    this.search.write(metaBefore?.gone ? undefined : was?.actor, after, !metaAfter.gone)
  }

  #moveRows(after: Actor, moved: MovedListing, changedLists: string[]): void {
    changedLists.push(...this.lists.move(after, moved))
    const { from, to } = moved
    for (const name of without(from.lookups, to.lookups)) this.lookups.remove(name)
    for (const name of without(to.lookups, from.lookups)) this.lookups.put(name, after.ref)
  }

  #record(change: Change, audited: Change['audited'][number]): void {
    const initial = this.#contexts.initial(audited.after.ref)
    const entry = (): Unchained => loggedEntry(change, audited, newId(this.#random), initial)
    this.packing.note(change.organization, this.#chains.append(change.organization, entry))
  }
}

/** True for the record of the request that makes a payment of the change: it lies in the payment's row. */
function isOfNew({ key }: IdempotencyRecord, { actors }: Change): boolean {
  return actors.some(({ before, after }) => after.ref === key && before === undefined)
}
