// The API reference as it is served: complete without scripts, self-contained, and with every operation and code.
import { Validator } from '@seriousme/openapi-schema-validator'
import test from 'ava'
import { CODES } from '../../src/domain/outcomes/codes.js'
import { html, prose } from '../../src/http/docs/reference/html.js'
import { schemaTree, type Direction } from '../../src/http/docs/reference/schema.js'
import { rowsOf, type Row } from '../support/routes.js'
import { start } from '../support/service.js'
import { wholeFile } from '../support/process.js'

const POLICY = /^default-src 'none'; script-src 'self'; style-src 'self'; .*form-action 'none'.*frame-ancestors 'none'$/
const FILES = { '/docs': 'text/html', '/docs/style.css': 'text/css', '/docs/filter.js': 'text/javascript' }
const MAX_BYTES = 1_500_000
const scope = wholeFile(test)
let url: string
let rows: Row[]
let page: string

test.before('the service starts', async () => {
  const service = await start(scope)
  url = service.url
  rows = await rowsOf(url)
  page = await (await fetch(`${url}/docs`)).text()
})

const escaped = (text: string): string => html`${text}`.html

test('Page, style and script have their content types and the content security policy of all pages', async (t) => {
  for (const [path, type] of Object.entries(FILES)) {
    const { status, headers } = await fetch(url + path)
    t.is(status, 200)
    t.is(headers.get('content-type'), `${type}; charset=utf-8`)
    t.regex(headers.get('content-security-policy') ?? '', POLICY)
  }
})

test('The page has no inline script or style and loads nothing from other hosts', (t) => {
  t.deepEqual(page.match(/<script>|<style|\son\w+=|\sstyle=|javascript:|(?:src|href)="(?:https?:)?\/\//g) ?? [], [])
  const loaded = [...page.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)].map(([, target]) => target!)
  t.deepEqual(loaded.toSorted(), ['/docs/filter.js', '/docs/style.css'])
  t.true(page.length < MAX_BYTES, `${page.length} bytes`)
})

test('Ids on the page are unique, and every link within it leads to one', (t) => {
  const places = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
  t.is(new Set(places).size, places.length)
  const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id!)
  t.deepEqual(
    [...new Set(links)].filter((id) => !places.includes(id)),
    [],
  )
})

test('All tags are closed in the right order', (t) => {
  const open: string[] = []
  for (const [, end, name] of page.matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
    if (['meta', 'link', 'input'].includes(name!)) continue
    if (end === '') open.push(name!)
    else t.is(open.pop(), name)
  }
  t.deepEqual(open, [])
})

test('Every operation is on the page with path, examples, codes and scope, and in the index', (t) => {
  const sections = page.split('<section class="operation"').slice(1)
  t.is(sections.length, rows.length)
  for (const { method, path, samples, codes, scope: needed } of rows) {
    const route = `${method}</code> <code class="path">${escaped(path)}</code>`
    const section = sections.find((text) => text.includes(route))
    t.truthy(section, `${method} ${path}`)
    for (const { source } of samples) t.true(section!.includes(`<pre><code>${escaped(source)}</code></pre>`), path)
    for (const code of codes) t.true(section!.includes(`href="#error-${code}"`), `${path} ${code}`)
    if (needed !== undefined) t.true(section!.includes(`<code>${needed}</code>`), path)
    t.true(page.slice(0, page.indexOf('<main>')).includes(`<span class="path">${escaped(path)}</span>`))
  }
})

test('Every code is explained', (t) => {
  for (const code of Object.keys(CODES)) t.true(page.includes(`<li id="error-${code}">`), code)
})

test('The document with its examples is valid OpenAPI', async (t) => {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { [member: string]: unknown }
  const { valid, errors } = await new Validator().validate(document)
  t.true(valid, JSON.stringify(errors))
})

test('Values in an html template are escaped, unless they are html themselves', (t) => {
  const { html: text } = html`<p>${'<b> & "x"'}${[html`<i>${1}</i>`, undefined]}</p>`
  t.is(text, '<p>&lt;b&gt; &amp; &quot;x&quot;<i>1</i></p>')
  t.is(html`${prose('Needs `a<b` now')}`.html, 'Needs <code>a&lt;b</code> now')
})

test('A schema is shown with the types and limits of all its nested members', (t) => {
  const time = { type: 'string', format: 'date-time' }
  const schema = {
    type: 'object',
    required: ['kind'],
    properties: {
      kind: { type: 'string', enum: ['A', 'B'] },
      limit: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      parts: { type: 'array', maxItems: 3, items: { type: 'object', properties: { at: time } } },
      other: { $ref: '#/components/schemas/Other' },
    },
  }
  const shown = (direction: Direction): string => {
    const tree = schemaTree(schema, direction).html.replace('<a href="#schema-Other">', '→')
    return tree
      .replace(/<[^>]+>/g, '')
      .replace(/\s+/g, ' ')
      .trim()
  }
  const parts = 'parts list of object, at most 3 entries'
  t.is(shown('sent'), `kind A, B required limit number or null ${parts}at time other →Other`)
  const answered = `kind A, B limit number or null optional ${parts} optionalat time optional other →Other optional`
  t.is(shown('answered'), answered)
})

test('Every route has an example, with a body where it needs one', (t) => {
  const without = rows.filter((row) => row.samples.length === 0 || (row.bodyRequired && row.example === undefined))
  t.deepEqual(
    without.map(({ title }) => title),
    [],
    'Give them one in src/http/examples/',
  )
  t.true(rows.length >= 100)
})

test("Only routes that need a person's session have no SDK example", (t) => {
  const without = rows.filter((row) => row.samples.every(({ label }) => label !== 'SDK'))
  t.deepEqual(
    without.map(({ key }) => key),
    without.map(() => 'person'),
  )
})
