// Examples of the machines: their charts, their actors, and the stream of transitions.
import type { Examples } from './example.js'

export const MACHINES: Examples = {
  'GET /api/machines': { sdk: 'admin.machines.list()' },
  'GET /api/machines/{machine}': { sdk: 'admin.machines.definition(machine)' },
  'GET /api/machines/{machine}.svg': { sdk: 'admin.machines.picture(machine)' },
  'GET /api/machines/{machine}/source': { sdk: 'admin.machines.source(machine)' },
  'GET /api/machines/{machine}/actors/{actorId}': { sdk: 'admin.machines.actor(machine, actorId)' },
  'GET /api/machines/{machine}/actors/{actorId}/history': { sdk: 'admin.machines.history(machine, actorId)' },
  'GET /api/machines/{machine}/actors/{actorId}/story': { sdk: 'admin.machines.story(machine, actorId)' },
  'GET /api/inspect/stream': {
    query: { after: '0', seconds: '0' },
    sdk: 'admin.machines.stream({ after: 0, seconds: 0 })',
  },
}
