// The current place in the dashboard: the hash of the address, so that every place survives a reload and no path of the
// service is hidden. Addresses that are sent to people are translated to their places here.
import { useEffect, useState } from 'preact/hooks'

export interface Place {
  /** `payments/c1…`, without slashes around it. */
  path: string
  query: URLSearchParams
}

/** The target of a link: `to('payments', id)` or `to('payments', { status: 'DENIED' })`. */
export function to(...parts: (string | { [name: string]: string | undefined })[]): string {
  const path = parts
    .filter((part) => typeof part === 'string')
    .map(encodeURIComponent)
    .join('/')
  const given = Object.entries(parts.find((part) => typeof part === 'object') ?? {})
  const query = new URLSearchParams(given.flatMap(([name, value]) => (value ? [[name, value]] : []))).toString()
  return `#/${path}${query && `?${query}`}`
}

export function go(target: string): void {
  location.hash = target
}

/** Changes the address without a new entry in the history: for filters. */
export function amend(target: string): void {
  history.replaceState(null, '', target)
  dispatchEvent(new HashChangeEvent('hashchange'))
}

export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#?\/*/, '').split('?')
  return { path: path.replace(/\/+$/, ''), query: new URLSearchParams(query) }
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeOf(location.hash))
  useEffect(() => {
    const follow = (): void => setPlace(placeOf(location.hash))
    addEventListener('hashchange', follow)
    // The address may have changed before the listener was added.
    if (placeOf(location.hash).path !== place.path) follow()
    return () => removeEventListener('hashchange', follow)
  }, [])
  return place
}

/**
 * The parameters of `pattern` (`payments/:id`) in a path, or undefined if the path does not match or cannot be decoded.
 */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index]!
    const decoded = part.startsWith(':') && value !== '' ? decodedOf(value) : undefined
    if (decoded !== undefined) parameters[part.slice(1)] = decoded
    else if (part !== value) return undefined
  }
  return parameters
}

/** Undefined for invalid encodings: a % without its two digits, for example. */
function decodedOf(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** Translates the addresses that the service gives out to their places. */
export function arrive(): void {
  const { pathname, search } = location
  const next = pathname === '/signin' ? ownPath(new URLSearchParams(search).get('next')) : pathname + search
  const { pathname: path, searchParams, hash } = new URL(next, location.origin)
  const [, approvalId] = /^\/approvals\/([^/]+)$/.exec(path) ?? []
  if (approvalId !== undefined) history.replaceState(null, '', `/#/approvals/${approvalId}`)
  else if (path === '/slack') arriveFromSlack(searchParams.get('token') ?? '')
  else if (path === '/connect') history.replaceState(Object.fromEntries(searchParams), '', '/#/connect')
  else if (path === '/setup') history.replaceState({ token: searchParams.get('token') ?? '' }, '', '/#/setup')
  else if (pathname === '/signin') history.replaceState(null, '', `/${hash}`)
}

/** The token is removed from the address, like that of a set-up link. */
function arriveFromSlack(token: string): void {
  history.replaceState({ token }, '', '/#/slack')
}

/** The path of a page of this service, and of no other site. */
function ownPath(wanted: string | null): string {
  if (wanted === null || !URL.canParse(wanted, location.origin)) return '/'
  const { origin, pathname, search, hash } = new URL(wanted, location.origin)
  return origin === location.origin ? pathname + search + hash : '/'
}
