// The documentation that a service serves as text: llms.txt names pages that are there, and no path leads out of them.
import { readFileSync } from 'node:fs'
import test from 'ava'
import { wholeFile } from '../support/process.js'
import { start, type Started } from '../support/service.js'

const scope = wholeFile(test)
let service: Started

test.before('the service starts', async () => {
  service = await start(scope)
})

test('llms.txt has a title, a summary and links, each to a page that is served', async (t) => {
  const response = await fetch(`${service.url}/llms.txt`)
  t.is(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  const text = await response.text()
  t.regex(text, /^# Bursar\n\n> Bursar governs what AI agents may spend/)
  const links = [...text.matchAll(/\]\((\/[^)]+)\): \S/g)].map(([, path]) => path!)
  t.true(links.length > 25, `${links.length} links`)
  for (const path of links) t.is((await fetch(service.url + path)).status, 200, path)
})

test('a page is served as it is written, and anew only after it has changed', async (t) => {
  const response = await fetch(`${service.url}/docs/guides/policies.md`)
  t.is(response.headers.get('content-type'), 'text/markdown; charset=utf-8')
  t.is(await response.text(), readFileSync(new URL('../../../docs/guides/policies.md', import.meta.url), 'utf8'))
  // Without the second header fetch asks for all of it.
  const headers = { 'if-none-match': response.headers.get('etag')!, 'cache-control': 'max-age=0' }
  t.is((await fetch(`${service.url}/docs/guides/policies.md`, { headers })).status, 304)
})

test('no other file is served', async (t) => {
  for (const path of [
    'nothing.md',
    '..%2Fpackage.json',
    '%2e%2e%2fREADME.md',
    'guides',
    'guides/',
    'screenshots/a.png',
  ]) {
    t.is((await fetch(`${service.url}/docs/${path}`)).status, 404, path)
  }
})
