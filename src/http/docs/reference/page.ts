// The API reference as one page, generated from the OpenAPI document: an index, the conventions, the operations by
// noun, shared schemas and all codes. It works without scripts; one adds filtering.
import { CODES, type Code } from '../../../domain/outcomes/codes.js'
import { entriesOf, type Document, type Entry } from './document.js'
import { html, prose, type Html } from './html.js'
import { introduction } from './introduction.js'
import { operationSection } from './operation.js'
import { schemaTree } from './schema.js'

export function referencePage(document: Document): string {
  const groups = byNoun(entriesOf(document))
  const { schemas } = document.components
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference – Bursar</title>
<link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/filter.js"></script>
</head>
<body>
<nav aria-label="Operations">
<p><a href="/">Bursar</a></p>
<p id="search" hidden><label for="filter">Filter</label> <input id="filter" type="search" autocomplete="off"></p>
<ul>
<li><a href="#introduction">Introduction</a></li>
<li><a href="#errors">Errors</a></li>
<li><a href="#schemas">Schemas</a></li>
</ul>
${[...groups].map(([noun, entries]) => indexOf(noun, entries))}</nav>
<main>
<h1>API reference</h1>
${introduction()}
${[...groups].map(
  ([noun, entries]) => html`<h2 id="${anchorOf(noun)}">${capital(noun)}</h2>
${entries.map((entry) => operationSection(entry, schemas))}`,
)}
<h2 id="errors">Errors</h2>
<ul class="members">
${(Object.keys(CODES) as Code[]).map(codeItem)}</ul>
<h2 id="schemas">Schemas</h2>
${Object.entries(schemas).map(
  ([name, schema]) => html`<section id="schema-${name}">
<h3><a href="#schema-${name}">${name}</a></h3>
${schemaTree(schema, 'answered')}
</section>
`,
)}</main>
</body>
</html>
`.html
}

function byNoun(entries: Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    const [noun = ''] = entry.operation.tags
    groups.set(noun, [...(groups.get(noun) ?? []), entry])
  }
  return groups
}

function indexOf(noun: string, entries: Entry[]): Html {
  return html`<h2><a href="#${anchorOf(noun)}">${capital(noun)}</a></h2>
<ul>
${entries.map(indexItem)}</ul>
`
}

function indexItem({ method, path, operation }: Entry): Html {
  const { operationId, summary } = operation
  const verb = html`<span class="method ${method.toLowerCase()}">${method}</span>`
  return html`<li><a href="#${operationId}">${verb} ${summary}<span class="path">${path}</span></a></li>
`
}

function codeItem(code: Code): Html {
  const { status, meaning, message } = CODES[code]
  const shown = html`<b>${status === 0 ? '–' : status}</b> <code class="name">${code}</code>`
  return html`<li id="error-${code}">${shown} <span class="about">${prose(meaning)}. <i>${prose(message)}.</i></span></li>
`
}

function anchorOf(noun: string): string {
  return noun.replaceAll(' ', '-')
}

function capital(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1)
}
