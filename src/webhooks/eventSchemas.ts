// The events as JSON Schema, one document each, as in docs/events/.
import { toJsonSchema } from '@valibot/to-json-schema'
import { bodySchema, EVENTS, type EventName } from './events.js'

/** The text of each document, by file name. */
export function eventDocuments(): Map<string, string> {
  const names = Object.keys(EVENTS) as EventName[]
  return new Map(names.map((name) => [`${name}.json`, `${JSON.stringify(documentOf(name), null, 2)}\n`]))
}

function documentOf(name: EventName): object {
  const { $schema, ...schema } = toJsonSchema(bodySchema(name), { target: 'draft-2020-12' })
  const { summary, audience } = EVENTS[name]
  const told =
    audience === 'agent' ? "the organization's endpoint and the agent's callback URL" : "the organization's endpoint"
  return { $schema, title: name, description: `${summary}. Sent to ${told}.`, ...schema }
}
