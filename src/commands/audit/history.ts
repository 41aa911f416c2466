// An actor's history from the audit log: every command that changed it, explained by its chart, and the same as a
// sequence diagram.
import { charts } from '../../../machines/index.js'
import { idOf, kindOf, type Actor } from '../../actor/actor.js'
import { isBeginning, type AuditEntry } from '../../domain/audit/entry.js'
import { readableEntry, type StoredEntry } from '../../domain/audit/forms.js'
import type { Ref } from '../../domain/limits/gate.js'
import { explainHistory, type HistoryEntry } from '../../inspect/history.js'
import { atGates, gatesHeldBy, type AtGates, type GateHold } from './inspection.js'
import { keyedMutex } from '../../async/keyedMutex.js'
import type { Services } from '../ports.js'

/** One history of an organization at a time, so that payments are decided meanwhile. */
const inTurn = keyedMutex()
/** Commands that a history goes back; their entries stay in memory until the answer. */
const MAX_COMMANDS = 500
/** Commands that a diagram shows at most, to stay readable. */
const MAX_DRAWN = 100
/** Gates that only other actors ask: the log has no entries of them. */
const UNLOGGED = new Set(['budget'])

export interface HistoryQuery {
  limit: number
  offset: number
  /** The last sequence of the page before. */
  after?: number | undefined
}

export interface ActorHistory {
  /** Newest first. */
  entries: HistoryEntry[]
  total: number
  hasMore: boolean
  /** False where older commands exist, which only the audit log has. */
  isWhole: boolean
}

/** A page of the latest commands that changed an actor, explained; undefined where `after` is none of them. */
export function actorHistory(services: Services, actor: Actor, query: HistoryQuery): Promise<ActorHistory | undefined> {
  const { limit, offset, after } = query
  return inTurn(organizationOf(actor), async () => {
    const { entries: logged, isWhole } = await latestOf(services, actor, MAX_COMMANDS)
    const place = after === undefined ? logged.length - offset : logged.findIndex(({ sequence }) => sequence === after)
    if (place < 0 && after !== undefined) return undefined
    const end = Math.max(0, place)
    const begin = Math.max(0, end - limit)
    const entries = await explained(services, actor, logged)
    return { entries: entries.slice(begin, end).reverse(), total: logged.length, hasMore: begin > 0, isWhole }
  })
}

async function explained(services: Services, actor: Actor, logged: AuditEntry[]): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = []
  for (const entry of explainHistory(charts, actor, logged)) {
    entries.push(entry)
    await services.breathe()
  }
  return entries
}

const organizationOf = ({ context }: Actor): string => context.organization

/** Oldest first, as people read them; the first is the actor's first where `isWhole`. */
async function latestOf(
  { auditLog }: Services,
  actor: Actor,
  most: number,
): Promise<{ entries: AuditEntry[]; isWhole: boolean }> {
  const { ref } = actor
  if (UNLOGGED.has(kindOf(ref))) return { entries: [], isWhole: true }
  const isFirst = ({ data }: StoredEntry): boolean => isBeginning(data)
  const filter = { resource: kindOf(ref), resourceId: idOf(ref) }
  const latest = await auditLog.latest(organizationOf(actor), filter, { most, isFirst })
  return { ...latest, entries: latest.entries.map(readableEntry) }
}

export interface Participant {
  /** A ref, `PERSON/c…` for a requester, or `world` for the receivers of events. */
  id: string
  kind: string
  name: string | null
}

export interface HistoryLine {
  sequence: number
  at: string
  /** A refusal comes from the gate that refused the command. */
  kind: 'command' | 'refusal' | 'state' | 'event'
  from: string
  to: string
  text: string
  /** The reasons of a refusal; empty otherwise. */
  reasons: string[]
}

/** A hold with the present state of its gate, which the log does not tell. */
type HoldInStory = GateHold & { state: string | null }

export interface Story extends AtGates {
  /** False where the story begins later than the actor. */
  isWhole: boolean
  participants: Participant[]
  lines: HistoryLine[]
  holds: HoldInStory[]
}

const WORLD = 'world'

/** The commands, refusals, states and events of an actor, in order. */
export async function storyOf(services: Services, actor: Actor): Promise<Story> {
  const { entries, isWhole } = await inTurn(organizationOf(actor), async () => {
    const { entries: logged, ...latest } = await latestOf(services, actor, MAX_DRAWN)
    return { entries: await explained(services, actor, logged), ...latest }
  })
  const lines = entries.flatMap((entry) => linesOf(actor, entry))
  const { holds, ...refused } = atGates(actor)
  const ids = idsIn(actor, lines)
  const known = await actorsOf(services, actor, ids)
  const named = ids.map((id) => participantOf(id, known.get(id)))
  const isTold = lines.some(({ to }) => to === WORLD)
  return {
    isWhole,
    participants: [...named, ...(isTold ? [{ id: WORLD, kind: WORLD, name: null }] : [])],
    lines,
    ...refused,
    holds: holds.map((hold) => ({ ...hold, state: known.get(hold.gate)?.state ?? null })),
  }
}

/** Those who commanded the actor, the actor itself, its gates, and others that refused. */
function idsIn(actor: Actor, lines: HistoryLine[]): string[] {
  const from = (kind: HistoryLine['kind']): string[] =>
    lines.filter((line) => line.kind === kind).map((line) => line.from)
  return [...new Set([...from('command'), actor.ref, ...gatesHeldBy(actor), ...from('refusal')])]
}

/** The actors of these ids in the actor's organization; the requester is a member, a key or the service itself. */
async function actorsOf({ host }: Services, { context }: Actor, ids: string[]): Promise<Map<string, Actor>> {
  const refs = ids.map(refOf)
  const actors = await host.read(refs)
  const own = actors.map((actor) => (actor?.context.organization === context.organization ? actor : undefined))
  return new Map(ids.flatMap((id, place): [string, Actor][] => (own[place] ? [[id, own[place]]] : [])))
}

const CALLERS: Record<string, string> = { PERSON: 'member', ORGANIZATION_KEY: 'key', AGENT_KEY: 'key' }

function refOf(id: string): Ref {
  const [kind = '', name = ''] = id.split('/')
  return `${CALLERS[kind] ?? kind}/${name}`
}

function participantOf(id: string, actor: Actor | undefined): Participant {
  const { name, fields } = (actor?.context ?? {}) as { name?: unknown; fields?: { name?: unknown } }
  const shown = name ?? fields?.name
  return { id, kind: kindOf(id as Ref), name: typeof shown === 'string' ? shown : null }
}

function linesOf(actor: Actor, entry: HistoryEntry): HistoryLine[] {
  const { ref } = actor
  const { sequence, at, by, message, from, to, refusal, gate, causes, events } = entry
  const line = (
    kind: HistoryLine['kind'],
    sender: string,
    receiver: string,
    text: string,
    reasons: string[] = [],
  ): HistoryLine => {
    return { sequence, at, kind, from: sender, to: receiver, text, reasons }
  }
  const violated = causes.map(({ type }) => type)
  const own = [...(refusal === null ? [] : [refusal]), ...(gate === null ? violated : [])]
  return [
    line('command', `${by.type}/${by.id}`, ref, message, own),
    ...(gate === null ? [] : [line('refusal', gate, ref, 'REFUSED', violated)]),
    ...(from === to ? [] : [line('state', ref, ref, to)]),
    ...events.map((event) => line('event', ref, WORLD, event)),
  ]
}
