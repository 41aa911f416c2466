// Generates code samples from an example: curl for a shell, and the SDK for Node. Both take keys, ids and secrets from
// the environment. It knows only the example, the route and its access.
import { SESSION_COOKIE } from '../../server/auth.js'
import type { Json } from '../../../domain/values/canonical.js'
import type { Access, Route } from '../../server/route.js'
import type { Example } from './example.js'

export interface CodeSample {
  lang: 'Shell' | 'JavaScript'
  label: 'curl' | 'SDK'
  source: string
}

/** A name in braces. */
const NAMED = /\{(\w+)\}/g
const WIDTH = 88

/** The environment variable that holds the key. */
const KEYS: { [Kind in Access['key']]?: string } = {
  organization: 'BURSAR_API_KEY',
  agent: 'BURSAR_AGENT_KEY',
  operator: 'BURSAR_OPERATOR_KEY',
}

type Called = Pick<Route, 'method' | 'access'>

/** `path` is in template form. */
export function samplesOf(route: Called, path: string, example: Example): CodeSample[] {
  const curl: CodeSample = { lang: 'Shell', label: 'curl', source: curlOf(route, path, example) }
  const { sdk } = example
  if (sdk === undefined) return [curl]
  return [curl, { lang: 'JavaScript', label: 'SDK', source: codeOf(route, path, { ...example, sdk }) }]
}

function curlOf({ method, access }: Called, path: string, { query = {}, body }: Example): string {
  const asked = Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const url = inShell(`$BURSAR_URL${path}${asked === '' ? '' : `?${asked}`}`)
  const parts = [`curl -sS${method === 'GET' ? '' : ` -X ${method}`} "${url}"`, ...credential(access, method)]
  if (body === undefined) return parts.join(' \\\n  ')
  const text = JSON.stringify(body, null, 2)
  const mark = inShell(text) === text ? "'JSON'" : 'JSON'
  parts.push("-H 'Content-Type: application/json'", `-d @- <<${mark}`)
  return `${parts.join(' \\\n  ')}\n${inShell(text)}\nJSON`
}

function credential({ key }: Access, method: Route['method']): string[] {
  const name = KEYS[key]
  if (name !== undefined) return [`-H "Authorization: Bearer $${name}"`]
  if (key === 'none') return []
  return [`-b "${SESSION_COOKIE}=$BURSAR_SESSION"`, ...(method === 'GET' ? [] : ['-H "Origin: $BURSAR_URL"'])]
}

function inShell(text: string): string {
  return text.replace(NAMED, '$$$1')
}

function codeOf({ access }: Called, path: string, example: Example & { sdk: string }): string {
  const { body, sdk } = example
  const call = body === undefined ? sdk : sdk.replace(/\bbody\b/, () => literal(body, '', WIDTH - sdk.length))
  const isAgent = access.key === 'agent'
  const [variable, client] = isAgent ? ['bursar', 'Bursar'] : ['admin', 'BursarAdmin']
  const key = KEYS[access.key]
  const names = ['BURSAR_URL', ...(key === undefined ? [] : [key]), ...namesIn(path, example)]
  const options = `${key === undefined ? '' : `apiKey: ${key}, `}baseUrl: BURSAR_URL`
  return [
    `import { ${client} } from 'bursar/sdk'`,
    '',
    `const { ${names.join(', ')} } = process.env`,
    `const ${variable} = new ${client}({ ${options} })`,
    `console.log(await ${call})`,
  ].join('\n')
}

/** The names in braces that the reader has to fill in. */
function namesIn(path: string, { query, body }: Example): string[] {
  const named = `${path} ${JSON.stringify([query, body])}`.matchAll(NAMED)
  return [...new Set([...named].map(([, name]) => name!))]
}

/** A JavaScript literal, on one line if it fits; a name in braces becomes a variable. */
function literal(value: Json, indent: string, width: number): string {
  if (typeof value === 'string') return /^\{\w+\}$/.test(value) ? value.slice(1, -1) : quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const room = WIDTH - inner.length
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, inner, room))
    : Object.entries(value).map(([name, member = null]) => {
        const written = literal(member, inner, room - name.length)
        return name === written ? name : `${name}: ${written}`
      })
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }']
  const line = `${open}${parts.join(', ')}${close}`
  if (line.length <= width && !line.includes('\n')) return line
  return `${open.trim()}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close.trim()}`
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}
