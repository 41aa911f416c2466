// The section of one operation: who may call it, its parameters, body, answers and errors, and code samples.
import { CODES, type Code } from '../../../domain/outcomes/codes.js'
import {
  sharedName,
  type Document,
  type Entry,
  type SchemaObject,
  type OperationObject,
  type Parameter,
} from './document.js'
import { html, prose, type Html } from './html.js'
import { memberItem, schemaTree } from './schema.js'

type Schemas = Document['components']['schemas']

export function operationSection({ method, path, operation }: Entry, schemas: Schemas): Html {
  const { operationId, summary, description, parameters = [], requestBody } = operation
  const body = requestBody?.content['application/json'].schema
  return html`<section class="operation" id="${operationId}">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="route"><code class="method ${method.toLowerCase()}">${method}</code> <code class="path">${path}</code></p>
<p>${prose(description)}</p>
${
  parameters.length === 0
    ? undefined
    : html`<h4>Parameters</h4>
<ul class="members">
${parameters.map(parameterItem)}</ul>
`
}${
    body === undefined
      ? undefined
      : html`<h4>Body${requestBody!.required ? '' : ', may be left out'}</h4>
${schemaTree(body, 'sent')}
`
  }<h4>Answers</h4>
${answers(operation, schemas)}
${errors(operation)}
${(operation['x-codeSamples'] ?? []).map(
  ({ label, source }) => html`<h4>${label}</h4>
<pre><code>${source}</code></pre>
`,
)}</section>
`
}

function parameterItem({ name, in: place, required, description, schema }: Parameter): Html {
  const described = description === undefined ? schema : { ...schema, description }
  return memberItem(name, described, { direction: 'sent', isRequired: required, place })
}

function answers({ responses }: OperationObject, schemas: Schemas): Html[] {
  const good = Object.entries(responses).filter(([status]) => status < '300')
  return good.flatMap(([status, { content = {} }]) =>
    Object.entries(content).map(([type, { schema }]) =>
      type === 'application/json' ? answer(status, schema, schemas) : html`<p><b>${status}</b> ${type}</p>\n`,
    ),
  )
}

function answer(status: string, schema: SchemaObject, schemas: Schemas): Html {
  const name = sharedName(schema)
  const whole = name === undefined ? schema : schemas[name]!
  return html`<details><summary><b>${status}</b> ${name}</summary>
${schemaTree(whole, 'answered')}
</details>
`
}

function errors({ 'x-error-codes': codes }: OperationObject): Html {
  return html`<details><summary>Errors</summary>
<ul class="members">
${codes.map(errorItem)}</ul>
</details>`
}

function errorItem(code: Code): Html {
  const { status, meaning } = CODES[code]
  const name = html`<a href="#error-${code}"><code>${code}</code></a>`
  return html`<li><b>${status}</b> ${name} <span class="about">${prose(meaning)}</span></li>
`
}
