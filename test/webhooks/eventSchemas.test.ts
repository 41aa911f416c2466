// docs/events/ is what the table of events says.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { eventDocuments } from '../../src/webhooks/eventSchemas.js'
import { EVENTS } from '../../src/webhooks/events.js'
import { TOLD } from '../../src/webhooks/payloads.js'
import { charts } from '../../machines/index.js'
import { projectRoot } from '../root.js'

const folder = join(projectRoot, 'docs', 'events')
const documents = eventDocuments()

test('docs/events/ holds a schema of every event, and no other', (t) => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  t.deepEqual(files.sort(), [...documents.keys()].sort())
})

for (const [name, text] of documents) {
  test(`docs/events/${name} is up to date: npm run event-schemas writes it`, (t) => {
    t.is(readFileSync(join(folder, name), 'utf8'), text)
  })
}

test('every event that a chart announces has a schema, and something to say', (t) => {
  const announced = JSON.stringify(Object.values(charts).map(({ machine }) => machine.config)).match(/"event":"[\w.]+"/g) ?? []
  const names = new Set(announced.map((text) => text.slice('"event":"'.length, -1)))
  t.true(names.size >= 6)
  t.deepEqual([...names].filter((name) => !(name in EVENTS) || !TOLD.has(name)), [])
})
