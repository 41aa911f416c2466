// The SDK matches the service: its types are those of the OpenAPI document, its methods call the service's routes.
import { readFileSync } from 'node:fs'
import test from 'ava'
import { Bursar, BursarAdmin } from '../../sdk/index.js'
import { API_PATH, operationsOf, documented, type Document } from './api/document.js'
import { apiText } from './api/write.js'

const ID = '~'
const RUN = 'Run `npm run sdk:types` and commit sdk/api.ts'

const served = documented()
const routes = routesOf(served)

/** Routes by their request with `~` for each parameter. */
function routesOf(document: Document) {
  const titles = [...operationsOf(document)].map(([title, { security }]) => {
    const ofAgents = JSON.stringify(security ?? []).includes('agentKey')
    return [title.replace(/\{\w+\}/g, ID), { title, ofAgents }] as const
  })
  return new Map(titles)
}

type Methods = { [name: string]: unknown }

/** All methods of a client, those of nested resources included. */
function methodsOf(part: object, name: string): [string, (...args: unknown[]) => PromiseLike<unknown>][] {
  const prototype = Object.getPrototypeOf(part) as object
  const own = prototype === Object.prototype ? [] : Object.getOwnPropertyNames(prototype)
  return [...own, ...Object.keys(part)].flatMap((key) => {
    const member = (part as Methods)[key]
    const path = `${name}.${key}`
    if (key === 'constructor') return []
    if (typeof member === 'function') return [[path, member.bind(part) as (...args: unknown[]) => PromiseLike<unknown>]]
    return typeof member === 'object' && member !== null ? methodsOf(member, path) : []
  })
}

/** Calls every method and records which request it makes. */
async function requestsOf(Client: typeof Bursar | typeof BursarAdmin, name: string): Promise<[string, string][]> {
  const made: [string, string][] = []
  let calling = ''
  const fetch = async (url: unknown, init?: { method?: string }): Promise<Response> => {
    made.push([calling, `${init?.method} ${new URL(String(url)).pathname}`])
    const shown = Object.fromEntries(['key', 'apiKey', 'webhookSecret', 'setupUrl'].map((name) => [name, 'shown once']))
    return new Response(JSON.stringify(shown), { status: 200 })
  }
  const client = new Client({ apiKey: 'key', baseUrl: 'http://service.test', fetch: fetch as typeof globalThis.fetch })
  for (const [path, method] of methodsOf(client, name)) {
    calling = path
    // These combine other methods.
    if (/\.payments\.pay$|^\w+\.fetch$/.test(path)) continue
    await method(ID, ID, ID, ID)
    if (path.endsWith('.approve') && !path.startsWith('admin')) await method({})
  }
  return made
}

test('The types in sdk/api.ts match the OpenAPI document', (t) => {
  t.true(routes.size > 60)
  t.is(readFileSync(API_PATH, 'utf8'), apiText(served), RUN)
})

test('Every route has a method, and every method calls a route', async (t) => {
  const requests = [...(await requestsOf(Bursar, 'bursar')), ...(await requestsOf(BursarAdmin, 'admin'))]
  const reached = new Set(requests.map(([, request]) => request))
  const missing = [...routes].filter(([request]) => !reached.has(request)).map(([, { title }]) => title)
  t.deepEqual(missing, [], 'These routes have no method in the SDK')
  const surplus = requests.filter(([, request]) => !routes.has(request)).map((pair) => pair.join(': '))
  t.deepEqual(surplus, [], 'These methods call routes that there are not')
})

test('Bursar has the routes of agent keys, BursarAdmin has the others', async (t) => {
  for (const [client, ofAgents] of [
    [Bursar, true],
    [BursarAdmin, false],
  ] as const) {
    for (const [method, request] of await requestsOf(client, 'client')) {
      if (routes.get(request)?.ofAgents !== undefined) t.is(routes.get(request)!.ofAgents, ofAgents, method)
    }
  }
})
