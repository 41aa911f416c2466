// npm run event-schemas: writes docs/events/ from the table of events.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { eventDocuments } from '../../webhooks/eventSchemas.js'

const folder = resolve('docs', 'events')
const documents = eventDocuments()
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) if (name.endsWith('.json') && !documents.has(name)) rmSync(join(folder, name))
for (const [name, text] of documents) writeFileSync(join(folder, name), text)
