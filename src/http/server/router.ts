// Routes requests by path and method. Unmatched requests get NOT_FOUND, or METHOD_NOT_ALLOWED when the path has routes
// for other methods.
import Router from '@koa/router'
import type { Middleware } from 'koa'
import { refuse } from '../../domain/outcomes/result.js'
import { endpoint, type Core } from './endpoint.js'
import { writeRefusal } from './errors.js'
import type { Context, ContextState } from './context.js'
import type { Route } from './route.js'
import { invalidInput } from '../input/validate.js'

/** The middleware of the routes, in order. */
export function routing(routes: Route[], core: Core): Middleware<ContextState>[] {
  const routers = new Map<string, Router<ContextState>>()
  const spelledOut: SpelledOut = new Map()
  for (const route of routes) {
    const noun = nounOf(route.path)
    if (/[:*{]/.test(noun)) throw new Error(`${route.path} begins with a parameter`)
    // A literal path takes precedence over one with a parameter, whatever their order in the table.
    const router = routers.get(noun) ?? new Router({ exclusive: 'specificity', sensitive: true, strict: true })
    const answer = endpoint(route, core)
    router.register(route.path, [route.method], (context) =>
      answer(context, { path: context.path, params: context.params, query: context.querystring }),
    )
    routers.set(noun, router)
    if (/[:*{]/.test(route.path)) continue
    const target = { path: route.path, params: {}, query: '' }
    const rows = spelledOut.get(route.path) ?? new Map<string, Middleware<ContextState>>()
    rows.set(route.method, (context) => answer(context, target))
    if (route.method === 'GET') rows.set('HEAD', (context) => answer(context, target))
    spelledOut.set(route.path, rows)
  }
  return [
    refuseWithoutHost,
    answerSpelledOut(spelledOut),
    refuseUnreadablePaths,
    refuseOtherMethods(spelledOut),
    dispatch(routers),
    refuseUnmatched,
  ]
}

/** The routes without parameters: by path, then by method. */
type SpelledOut = Map<string, Map<string, Middleware<ContextState>>>

/** A fast path without the router: routes without parameters are found by lookup. */
function answerSpelledOut(rows: SpelledOut): Middleware<ContextState> {
  return (context, next) => {
    const { method = '', url = '' } = context.req
    const answer = rows.get(url)?.get(method)
    return answer === undefined ? next() : answer(context, next)
  }
}

/** Refuses before the router, which would match the last segment as the parameter of another route. */
function refuseOtherMethods(rows: SpelledOut): Middleware<ContextState> {
  return (context, next) => {
    const methods = rows.get(context.path)
    return methods === undefined || methods.has(context.method) ? next() : refuseMethod(context, methods.keys())
  }
}

/** One router per noun: a router tries its paths one by one, so a single one for all would be slow. */
function dispatch(routers: Map<string, Router<ContextState>>): Middleware<ContextState> {
  const byNoun = new Map([...routers].map(([noun, router]) => [noun, router.routes() as Middleware<ContextState>]))
  return (context, next) => {
    const routed = byNoun.get(nounOf(context.path))
    return routed === undefined ? next() : routed(context, next)
  }
}

/** `/api/agents/…` → `api/agents`, `/healthz` → `healthz`. */
function nounOf(path: string): string {
  const [, first = '', second = ''] = path.split('/', 3)
  return first === 'api' ? `api/${second}` : first
}

/** HTTP/1.1 demands a 400; Node's own answer has neither body nor request id. */
const refuseWithoutHost: Middleware<ContextState> = (context, next) => {
  if (context.req.headers.host !== undefined || context.req.httpVersion === '1.0') return next()
  return writeRefusal(context, invalidInput('VALIDATION_ERROR', [{ path: 'Host', message: 'is required' }]))
}

const refuseUnreadablePaths: Middleware<ContextState> = (context, next) => {
  return isReadable(context) ? next() : writeRefusal(context, refuse('NOT_FOUND'))
}

function isReadable(context: Context): boolean {
  try {
    const { path } = context
    return typeof path === 'string' && typeof decodeURIComponent(path) === 'string'
  } catch {
    return false
  }
}

interface Matched {
  /** The routes that match the request's path, with any method. */
  matched?: { methods: string[] }[]
}

const refuseUnmatched: Middleware<ContextState> = (context) => {
  const { matched = [] } = context as Context & Matched
  if (matched.length === 0) return writeRefusal(context, refuse('NOT_FOUND'))
  refuseMethod(context, new Set(matched.flatMap(({ methods }) => methods)))
}

function refuseMethod(context: Context, methods: Iterable<string>): void {
  const allowed = [...methods].sort()
  context.set('Allow', allowed.join(', '))
  const message = `${context.method} is not allowed here, use ${allowed.join(' or ')}`
  writeRefusal(context, refuse('METHOD_NOT_ALLOWED', message))
}
