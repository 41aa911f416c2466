// Calls a route of the service by its name, typed by what the service says it takes and answers.
import type { Operations } from './api.js'
import { linesIn, type Lines } from './lines.js'
import { listing, type Listing, type Page } from './listing.js'
import { successOf } from './refusal.js'
import { open, send, type CallOptions, type Connection, type Request, type Sending } from './send.js'

export type Route = keyof Operations
export type Answer<R extends Route> = Operations[R]['answer']
export type Body<R extends Route> = Operations[R] extends { body: infer B } ? B : undefined
export type Query<R extends Route> = Operations[R] extends { query: infer Q } ? Q : undefined

/** `/a/{x}/b/{y}` → `'x' | 'y'`. */
type Parameter<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Parameter<Rest> : never

type PathPart<R extends Route> = [Parameter<R>] extends [never]
  ? object
  : { path: Record<Parameter<R>, string | number> }
/** A part that may be undefined may also be left out. */
type Given<Name extends string, T> = [T] extends [undefined]
  ? object
  : undefined extends T ? { [N in Name]?: T } : object extends T ? { [N in Name]?: T | undefined } : { [N in Name]: T }

export type Parts<R extends Route> = PathPart<R> & Given<'body', Body<R>> & Given<'query', Query<R>>

interface AnyParts {
  path?: Record<string, string | number>
  query?: object | undefined
  body?: unknown
}

type ListRoute = { [R in Route]: Answer<R> extends Page ? R : never }[Route]
/** The member of a list's answer that holds its entries. */
type Entries<R extends Route> = { [K in keyof Answer<R>]: Answer<R>[K] extends unknown[] ? K : never }[keyof Answer<R>]
export type Entry<R extends Route, K extends Entries<R>> = Answer<R>[K] extends (infer E)[] ? E : never

export interface Client {
  call<R extends Route>(route: R, parts: Parts<R>, options?: Sending): Promise<Answer<R>>
  /** For routes whose answer is text. */
  text<R extends Route>(route: R, parts: Parts<R>, options?: CallOptions): Promise<string>
  /** For routes whose answer is lines of text, however many. */
  lines<R extends Route>(route: R, parts: Parts<R>, options?: CallOptions): Lines
  list<R extends ListRoute, K extends Entries<R>>(
    route: R,
    entries: K,
    parts: Parts<R>,
    options?: CallOptions,
  ): Listing<Answer<R> & Page, Entry<R, K>>
}

export function connect(connection: Connection): Client {
  // A wrong address is found here and not by the first payment.
  new URL(connection.baseUrl)
  const request = async (route: string, parts: AnyParts, options?: Sending) =>
    send(connection, requestOf(route, parts), options)
  const call = async (route: string, parts: AnyParts, options?: Sending) =>
    successOf(await request(route, parts, options))
  return {
    call,
    text: async (route, parts, options) => (await request(route, parts as AnyParts, options)).text,
    lines: (route, parts, options) => linesIn(open(connection, requestOf(route, parts as AnyParts), options)),
    list: (route: string, entries: string, parts: AnyParts, options?: CallOptions) =>
      listing(
        (page: Page & { [name: string]: unknown }) => page[entries] as unknown[],
        (from) => call(route, { ...parts, query: { ...parts.query, ...from } }, options) as Promise<never>,
      ),
  } as Client
}

function requestOf(route: string, { path = {}, query = {}, body }: AnyParts): Request {
  const [method = '', template = ''] = route.split(' ')
  return { method, path: pathOf(template, path) + queryOf(query), body }
}

function pathOf(template: string, parameters: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = String(parameters[name] ?? '')
    // An empty or dotted part would name another route.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}`)
    return encodeURIComponent(value)
  })
}

function queryOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
