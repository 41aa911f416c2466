// The audit log's data of recorded commands, before and after commands became attempts. `data.json` is what the build
// at 9e972bf has of them: to make it anew, copy this file and auditCommands.ts there, and run it with AUDIT_DATA=<file>.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { charts, type Kind } from '../../../machines/index.js'
import { shapeOf } from '../../../src/actor/contextCopies.js'
import { wholeData } from '../../../src/domain/audit/entry.js'
import type { Json } from '../../../src/domain/values/canonical.js'
import { projectRoot } from '../../support/root.js'
import { runCommands, withPlaceholders, type Log, type Recorded } from './commands.js'

/** Fields that are gone, and why. */
const GONE: [resource: string, field: string, reason: string][] = [
  ['agent', 'status', 'the status is read from the state, which the entry has'],
  ['agent', 'newName', 'a name is taken with the rename itself, and waits for nobody'],
  ['payment', 'ending', 'a payment ends in one turn, and has no aim that it is on the way to'],
]

/** What a purchase adds: whether the payment keeps its key once it has ended. */
function withKept(entry: Recorded): Recorded {
  const { action, data } = entry
  const { from } = (data['state'] ?? {}) as { from?: string }
  if (action === 'payment.request') return { ...entry, data: { ...data, keepsKey: false } }
  const isKept = action === 'payment.release' && from === 'permitted'
  return isKept ? { ...entry, data: { ...data, keepsKey: { from: false, to: true } } } : entry
}

/** Who named a counterparty: in these commands an administrator, whose word replaces nobody's. */
function withSource(entry: Recorded): Recorded {
  const isNew = entry.action === 'counterparty.create'
  return isNew ? { ...entry, data: { ...entry.data, nameSource: 'PERSON' } } : entry
}

/** A link into a member has whoever renewed it: here nobody did. */
function withLinks(entry: Recorded): Recorded {
  const isLink = (value: unknown): boolean =>
    entry.resource === 'member' && Object.keys(value ?? {}).join() === 'expiresAt'
  return JSON.parse(JSON.stringify(entry), (_name, value: object) => {
    return isLink(value) ? { ...value, renewedBy: null } : value
  }) as Recorded
}

/** Makers are stored with their type, the first key counts as the first owner, and a preset stands for its scopes. */
function withMakers(entries: readonly Recorded[]): Recorded[] {
  const made = (action: string): string =>
    entries.find((entry) => entry.action === action && entry.by === 'OPERATOR')!.resourceId
  const [key, owner] = [made('key.create'), made('member.create')]
  const counted = (name: string, value: unknown): unknown => {
    const isFirst = (one: unknown): boolean => (one as { id?: string } | null)?.id === key
    if (name === 'barred') return (value as unknown[]).map((one) => counted('countsAs', one))
    return ['countsAs', 'askedBy'].includes(name) && isFirst(value) ? { type: 'PERSON', id: owner } : value
  }
  return entries.map((entry) => {
    const isOperator = entry.by === 'OPERATOR'
    const createdBy = isOperator ? { type: 'OPERATOR', id: 'operator' } : { type: entry.by, id: key }
    const { action, data } = JSON.parse(JSON.stringify(entry), counted) as Recorded
    if (action === 'member.create') return { ...entry, data: { ...data, createdBy, countsAs: null } }
    if (action === 'agent.create') return { ...entry, data: { ...data, unfrozenFor: null } }
    if (action === 'organization.create') return { ...entry, data: { ...data, redelivered: null } }
    if (action !== 'key.create') return { ...entry, data }
    const { agentId, scopes, ...fields } = data['fields'] as { agentId: string | null; scopes: string[] }
    const preset = isOperator ? 'ADMIN' : 'READ_ONLY'
    const may = agentId === null ? { scopePreset: preset, scopes: [] } : { scopePreset: null, scopes }
    const countsAs = { type: 'PERSON', id: owner }
    return { ...entry, data: { ...data, fields: { ...fields, agentId, ...may, createdBy, countsAs, memberId: null } } }
  }) as Recorded[]
}

/** A change has the id of what it creates from its approval on; another test is about that. */
function withoutCreated(entries: readonly Recorded[]): Recorded[] {
  return entries.map((entry) => {
    if (entry.resource !== 'change') return entry
    const { createsId: _id, resourceId: _named, ...data } = entry.data
    return { ...entry, data }
  }) as Recorded[]
}

/** What is kept once: the causes of a denial stand in its decision, which has only the budgets that its rules read. */
function withoutRepetition(entry: Recorded): Recorded {
  const { decision, review, causes, ...data } = entry.data
  if (entry.resource !== 'payment') return entry
  const ofGate = (data['refusedBy'] ?? null) !== null
  const kept = {
    ...data,
    ...(ofGate && { causes }),
    ...(!ofGate && Array.isArray(causes) && { causes: [] }),
    ...(decision !== undefined && { decision: withBudgetsRead(decision) }),
    ...(review !== undefined && { review: reviewWith(review) }),
  }
  return { ...entry, data: kept as Recorded['data'] }
}

function reviewWith(review: Recorded['data'][string]): unknown {
  if (review === null) return null
  const { from, to } = review as { from: null | Recorded['data']; to: null | Recorded['data'] }
  return { from: from && withBudgetsRead(from), to: to && withBudgetsRead(to) }
}

/** The rules read a month's. */
function withBudgetsRead(decision: Recorded['data'][string]): unknown {
  const { facts, ...rest } = decision as { facts: Recorded['data'] }
  const read = Object.entries(facts).filter(([name]) => !name.startsWith('budget:') || name.endsWith(':MONTHLY'))
  return { ...rest, facts: Object.fromEntries(read) }
}

/** The way out of a denial is found by other rules now: it no longer advises to avoid a person. */
function withoutWayOut(entries: readonly Recorded[]): Recorded[] {
  return entries.map((entry) => {
    const { nearest: _way, ...decision } = (entry.data['decision'] ?? {}) as Recorded['data']
    return 'decision' in entry.data ? { ...entry, data: { ...entry.data, decision } } : entry
  }) as Recorded[]
}

/** The times of payments are rows, and no longer in the agent's sums. */
function withoutTimes(entry: Recorded): Recorded {
  const { tally } = entry.data
  if (entry.resource !== 'agent' || tally === undefined) return entry
  const { recent: _recent, recentSince: _since, ...sums } = tally as { [field: string]: Json }
  return { ...entry, data: { ...entry.data, tally: sums } }
}

/** Sums know neither the hours of captures nor a change of zone. */
function withoutHours(entry: Recorded): Recorded {
  const bare = (_name: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !('movedAt' in value)) return value
    const { movedAt: _at, hours: _hours, ...sums } = value as Fields
    return sums
  }
  return JSON.parse(JSON.stringify(entry), bare) as Recorded
}

/** Organizations have limits, and none is set. */
function withLimits(entry: Recorded): Recorded {
  const { fields } = entry.data as { fields?: { from?: Fields; to?: Fields } & Fields }
  if (entry.resource !== 'organization' || fields === undefined) return entry
  const { from, to } = fields
  const limited =
    from && to ? { from: { ...from, limits: NONE }, to: { ...to, limits: NONE } } : { ...fields, limits: NONE }
  return { ...entry, data: { ...entry.data, fields: limited as Json } }
}

/** What raises alerts, what freezes an agent by itself, cards, and grants of OAuth: nothing but the defaults in these commands. */
const DEFAULTS: { [action: string]: { [field: string]: Json } } = {
  'organization.create': { alerts: { spendWarningAt: 80, lowBalanceBelow: null, highValueAbove: null } },
  'agent.create': { autoFreeze: null, activity: null },
  'policy.create': { cards: [] },
  'key.create': { oauth: null },
}

function withDefaults(entry: Recorded): Recorded {
  return { ...entry, data: { ...entry.data, ...DEFAULTS[entry.action] } }
}

/** A held change says that it requires approval. */
function withWords(entry: Recorded): Recorded {
  return JSON.parse(JSON.stringify(entry).replaceAll('wants a second person for', 'requires approval for')) as Recorded
}

/** With all that an entry leaves out: the log had it when `data.json` was made. */
function whole(entry: Recorded): Recorded {
  const { initial } = shapeOf(charts[entry.resource as Kind].machine)
  return { ...entry, data: wholeData(entry, initial) }
}

function hasNulls(value: Json): boolean {
  return value === null || (typeof value === 'object' && Object.values(value).some((one) => hasNulls(one!)))
}

type Fields = { [field: string]: Json }
const NONE = { agents: null, counterparties: null, payments: null, policies: null }

/** Entries that are in another place: the first action now comes right after the second. */
const LATER: [action: string, after: string, reason: string][] = [
  ['organization.issue_secret', 'agent.update', 'the agent that the command is about comes first in its commit'],
]

/** The old entries as the new build would write them. */
function expected(entries: readonly Recorded[]): Recorded[] {
  const stripped = entries.map((entry) => ({ ...entry, data: { ...entry.data } }))
  for (const { resource, data } of stripped) for (const field of goneFrom(resource)) delete data[field]
  for (const [action, after] of LATER) moveBehind(stripped, action, after)
  const summed = stripped.map(withoutTimes).map(withoutHours)
  const kept = summed.map(withKept).map(withSource).map(withLimits).map(withLinks).map(withoutRepetition)
  return withPlaceholders(withMakers(withoutCreated(kept.map(withWords).map(withDefaults))))
}

const goneFrom = (of: string): string[] => GONE.filter(([resource]) => resource === of).map(([, field]) => field)

function moveBehind(entries: Recorded[], action: string, after: string): void {
  const from = entries.findIndex((entry) => entry.action === action)
  const [moved] = entries.splice(from, 1)
  const to = entries.findIndex((entry, index) => index >= from && entry.action === after)
  entries.splice(to + 1, 0, moved!)
}

const file = join(projectRoot, 'test/interface/audit/data.json')

function written({ answers, entries }: Log): string {
  const lines = (items: readonly object[]): string => items.map((item) => JSON.stringify(item)).join(',\n')
  return `{"answers":[\n${lines(answers)}\n],"entries":[\n${lines(withPlaceholders(entries))}\n]}\n`
}

test('recorded commands have the answers and the audit data that they had before', async (t) => {
  const { answers, entries } = await runCommands(t)
  for (const { data } of entries) t.false(hasNulls(data), JSON.stringify(data))
  const log = { answers, entries: entries.map(whole) }
  const target = process.env['AUDIT_DATA']
  if (target !== undefined) writeFileSync(target, written(log))
  const former = JSON.parse(readFileSync(target ?? file, 'utf8')) as Log
  t.deepEqual(log.answers, former.answers)
  const [is, was] = [
    withoutWayOut(withPlaceholders(withoutCreated(log.entries))),
    withoutWayOut(target === undefined ? expected(former.entries) : former.entries),
  ]
  for (const [index, entry] of is.entries()) t.deepEqual(entry, was[index], `entry ${index + 1}`)
  t.is(is.length, was.length)
})

test('every expected difference is one', (t) => {
  const { entries } = JSON.parse(readFileSync(file, 'utf8')) as Log
  for (const [resource, field] of GONE) {
    t.true(
      entries.some((entry) => entry.resource === resource && field in entry.data),
      `${resource} ${field}`,
    )
  }
  for (const [action, after] of LATER) {
    const index = entries.findIndex((entry) => entry.action === action)
    t.true(index >= 0 && entries[index + 1]!.action === after, action)
  }
})
