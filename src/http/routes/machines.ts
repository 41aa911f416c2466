// Machine routes: each chart as data, picture and source; each actor of the organization with its state and its
// history.
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { charts, type Chart, type Kind } from '../../../machines/index.js'
import { metaOf } from '../../actor/stateMeta.js'
import { findActor, inspectActor, isMachine, noMachine } from '../../commands/audit/inspection.js'
import { actorHistory, storyOf } from '../../commands/audit/history.js'
import type { Services } from '../../commands/ports.js'
import { messagesIn, outlineOf, statesWithin } from '../../inspect/outline.js'
import { chartDefinitionOf, sourceOf } from '../../inspect/source.js'
import * as shown from './inspectSchemas.js'
import { page } from '../input/querySchemas.js'
import { ok, paginationOf, paginationSchema, wrongCursor } from '../server/respond.js'
import { route, type HandlerInput } from '../server/route.js'
import { freeObject, textSchema, titled, recordSchema } from '../input/schemas.js'

const read = { key: 'organization', scope: 'audit:read' } as const
const PICTURES = new URL('../../../charts/', import.meta.url)
/** An SVG picture may use its own styles and nothing else. */
const PICTURE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
}

const MACHINES = Object.entries(charts).map(([name, { machine, version }]) => {
  const [root, ...states] = statesWithin(outlineOf(machine))
  return {
    name,
    version,
    initial: root!.initial!,
    states: states.map(({ path }) => stateRecord(machine, path)),
    messages: messagesIn(machine),
  }
})

/** What is true of a state, also what its parents declare. */
function stateRecord(machine: Chart['machine'], path: string) {
  const { status = null, hold = null, tell = null, call = null, wakeAt = null } = metaOf(machine, path)
  return { path, status, holds: hold, tells: tell, calls: call, wakesAt: wakeAt }
}

interface Form {
  operationId: string
  path: `/api/machines/:machine${'.svg' | '/source'}`
  summary: string
  name: string
  contentType: string
  textOf: (name: Kind) => string
  headers?: Record<string, string>
}

const FORMS: Form[] = [
  {
    operationId: 'getMachineSvg',
    path: '/api/machines/:machine.svg',
    summary: 'The statechart of a machine, drawn',
    name: 'MachinePicture',
    contentType: 'image/svg+xml',
    textOf: once((name) => readFileSync(new URL(`${name}.svg`, PICTURES), 'utf8')),
    headers: PICTURE_HEADERS,
  },
  {
    operationId: 'getMachineSource',
    path: '/api/machines/:machine/source',
    summary: 'The statechart as one self-contained source file, to paste into the visualizer',
    name: 'MachineSource',
    contentType: 'text/plain',
    textOf: once((name) => sourceOf(charts[name])),
  },
]

function formRoute({ operationId, path, summary, name, contentType, textOf, headers }: Form) {
  return route({
    operationId,
    method: 'GET',
    path,
    access: read,
    summary,
    answers: { 200: textSchema(name, contentType) },
    handler: async (call) => {
      const machine = call.params.machine
      if (!isMachine(machine)) return noMachine(machine)
      return ok(textOf(machine), 200, { contentType: `${contentType}; charset=utf-8`, ...(headers && { headers }) })
    },
  })
}

/** Caches by chart: charts do not change while the service runs. */
function once(make: (name: Kind) => string): (name: Kind) => string {
  const made = new Map<Kind, string>()
  return (name) => {
    const text = made.get(name) ?? make(name)
    made.set(name, text)
    return text
  }
}

const actorOf = (
  services: Services,
  call: Pick<HandlerInput<Record<'machine' | 'actorId', string>>, 'caller' | 'params'>,
) => findActor(services, call.caller, call.params.machine, call.params.actorId)

const historySchema = recordSchema('ActorHistory', {
  entries: v.array(shown.retoldSchema),
  complete: v.boolean(),
  pagination: paginationSchema,
})

/** The sequence in a cursor; for an invalid cursor one that no entry has. */
function sequenceIn(cursor: string | undefined): number | undefined {
  return cursor === undefined ? undefined : Number(Buffer.from(cursor, 'base64url').toString())
}

const cursorOf = (sequence: number): string => Buffer.from(String(sequence)).toString('base64url')

export const machineRoutes = [
  route({
    operationId: 'listMachines',
    method: 'GET',
    path: '/api/machines',
    access: read,
    summary: 'Every machine: its states with their status, holds, calls and wake times, and the messages it takes',
    answers: { 200: shown.machineListSchema },
    handler: async () => ok({ machines: MACHINES }),
  }),
  // The route with only the name comes last: it would match the others' file extension as part of the name.
  ...FORMS.map(formRoute),
  route({
    operationId: 'getMachine',
    method: 'GET',
    path: '/api/machines/:machine',
    access: read,
    summary: "A machine's definition, as XState and its visualizer take it",
    answers: { 200: titled('MachineDefinition', freeObject) },
    handler: async ({ params }) => {
      const name = params.machine
      return isMachine(name) ? ok(chartDefinitionOf(charts[name])) : noMachine(name)
    },
  }),
  route({
    operationId: 'getActor',
    method: 'GET',
    path: '/api/machines/:machine/actors/:actorId',
    access: read,
    summary: 'The present state of an actor: context without secrets, holds at its gates, possible next steps',
    answers: { 200: shown.inspectedSchema },
    handler: async (call) => {
      const found = await actorOf(call.services, call)
      return found.ok ? ok(shown.inspectedRecord(inspectActor(found.value))) : found
    },
  }),
  route({
    operationId: 'listActorHistory',
    method: 'GET',
    path: '/api/machines/:machine/actors/:actorId/history',
    access: read,
    summary: 'The latest commands that changed an actor, newest first, with the guards, actions and refusals of each',
    query: v.strictObject(page),
    answers: { 200: historySchema },
    handler: async (call) => {
      const found = await actorOf(call.services, call)
      if (!found.ok) return found
      const { limit, offset, cursor } = call.query
      const history = await actorHistory(call.services, found.value, { limit, offset, after: sequenceIn(cursor) })
      if (!history) return wrongCursor()
      const { entries, total, hasMore, isWhole } = history
      const pages = { total, ...(hasMore && { nextCursor: cursorOf(entries.at(-1)!.sequence) }) }
      const pagination = paginationOf(pages, { limit, offset })
      return ok({ entries: entries.map(shown.historyEntryRecord), complete: isWhole, pagination })
    },
  }),
  route({
    operationId: 'getActorStory',
    method: 'GET',
    path: '/api/machines/:machine/actors/:actorId/story',
    access: read,
    summary: 'The commands, refusals, states and events of an actor in order, and its holds',
    answers: { 200: shown.storySchema },
    handler: async (call) => {
      const found = await actorOf(call.services, call)
      return found.ok ? ok(shown.storyRecord(await storyOf(call.services, found.value))) : found
    },
  }),
]
