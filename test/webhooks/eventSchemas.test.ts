// docs/events/ matches the table of events.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { eventDocuments } from '../../src/webhooks/eventSchemas.js'
import { projectRoot } from '../support/root.js'

const folder = join(projectRoot, 'docs', 'events')
const documents = eventDocuments()

test('docs/events/ has a schema for every event, and no other', (t) => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  t.deepEqual(files.sort(), [...documents.keys()].sort())
})

for (const [name, text] of documents) {
  test(`docs/events/${name} is up to date: npm run event-schemas writes it`, (t) => {
    t.is(readFileSync(join(folder, name), 'utf8'), text)
  })
}
