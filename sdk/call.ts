// Calls a route of the service by its name. The types of parameters, bodies and answers come from the service's own
// description.
import { Addresses } from './addresses.js'
import type { Operations } from './api.js'
import { linesIn, type Lines } from './lines.js'
import { listing, type Listing, type Page } from './listing.js'
import { successOf } from './refusal.js'
import {
  open,
  send,
  type CallOptions,
  type ClientOptions,
  type Connection,
  type Request,
  type Sending,
} from './send.js'

export type Route = keyof Operations
export type Answer<R extends Route> = Operations[R]['answer']
export type Body<R extends Route> = Operations[R] extends { body: infer B } ? B : undefined
export type Query<R extends Route> = Operations[R] extends { query: infer Q } ? Q : undefined

/** The names of a path's parameters: `/a/{x}/b/{y}` → `'x' | 'y'`. */
type Parameter<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Parameter<Rest> : never

type PathPart<R extends Route> = [Parameter<R>] extends [never]
  ? object
  : { path: Record<Parameter<R>, string | number> }
/** A part of a request, optional where it may be undefined or empty. */
type Given<Name extends string, T> = [T] extends [undefined]
  ? object
  : undefined extends T
    ? { [N in Name]?: T }
    : object extends T
      ? { [N in Name]?: T | undefined }
      : { [N in Name]: T }

export type Parts<R extends Route> = PathPart<R> & Given<'body', Body<R>> & Given<'query', Query<R>>

interface AnyParts {
  path?: Record<string, string | number>
  query?: object | undefined
  body?: unknown
}

type ListRoute = { [R in Route]: Answer<R> extends Page ? R : never }[Route]
/** The field of a list's answer that holds its entries. */
type Entries<R extends Route> = { [K in keyof Answer<R>]: Answer<R>[K] extends unknown[] ? K : never }[keyof Answer<R>]
export type Entry<R extends Route, K extends Entries<R>> = Answer<R>[K] extends (infer E)[] ? E : never

export interface Client {
  /** The parsed JSON answer. */
  call<R extends Route>(route: R, parts: Parts<R>, options?: Sending): Promise<Answer<R>>
  /** For routes that answer text. */
  text<R extends Route>(route: R, parts: Parts<R>, options?: CallOptions): Promise<string>
  /** For routes that answer lines of text, any number of them. */
  lines<R extends Route>(route: R, parts: Parts<R>, options?: CallOptions): Lines
  /** For routes that answer a page of a list; `entries` names the field of the answer that holds its entries. */
  list<R extends ListRoute, K extends Entries<R>>(
    route: R,
    entries: K,
    parts: Parts<R>,
    options?: CallOptions,
  ): Listing<Answer<R> & Page, Entry<R, K>>
}

/** Throws a TypeError when a base URL is not one. */
export function connect(options: ClientOptions & { apiKey?: string | undefined }): Client {
  const connection: Connection = { ...options, addresses: new Addresses(options.baseUrl) }
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
    // An empty part, `.` or `..` would address another route.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}`)
    return encodeURIComponent(value)
  })
}

function queryOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
