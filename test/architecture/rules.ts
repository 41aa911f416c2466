// The rules of the architecture as tables: which part may import which, which part owns which library, what pure code
// must not touch, and how long functions and files may be. Each rule takes a file and returns its violations in it.
import { posix } from 'node:path'
import { deadExports, deadFile } from './reach.js'
import type { Place, Source } from './sources.js'

export interface Rule {
  title: string
  /** `all` has every file by path, this one included. */
  broken: (source: Source, all: ReadonlyMap<string, Source>) => Place[]
}

/** What each part may import besides itself. Only the service imports all parts, and only the program imports it. */
const ARROWS: { [part: string]: readonly string[] } = {
  async: [],
  domain: [],
  rules: ['domain'],
  machines: ['domain'],
  actor: ['domain'],
  alerts: ['domain', 'machines', 'actor'],
  inspect: ['domain', 'machines', 'actor'],
  commands: ['async', 'domain', 'rules', 'machines', 'actor', 'inspect'],
  http: ['async', 'domain', 'rules', 'machines', 'actor', 'inspect', 'commands', 'notifications'],
  mcp: ['sdk'],
  oauth: ['domain', 'commands'],
  cli: [
    'domain',
    'config',
    'notifications',
    'rules',
    'machines',
    'actor',
    'commands',
    'webhooks',
    'store',
    'nodes',
    'mcp',
    'sdk',
  ],
  store: ['async', 'domain', 'actor'],
  chain: ['async', 'domain', 'actor'],
  notifications: ['domain'],
  webhooks: ['async', 'domain', 'actor', 'notifications'],
  host: ['async', 'domain', 'actor', 'store', 'webhooks'],
  config: ['async', 'domain', 'http', 'store', 'chain'],
  service: [
    'async',
    'domain',
    'alerts',
    'rules',
    'machines',
    'actor',
    'inspect',
    'commands',
    'http',
    'config',
    'store',
    'chain',
    'notifications',
    'webhooks',
    'host',
    'mcp',
    'oauth',
  ],
  nodes: ['async', 'domain', 'machines', 'actor', 'http', 'config', 'store', 'webhooks', 'service'],
  main: ['domain', 'config', 'service', 'nodes', 'store', 'cli'],
  sdk: [],
  web: ['sdk'],
}

/** The only parts that may import each library. */
const OWNERS: { [library: string]: readonly string[] } = {
  lmdb: ['store'],
  viem: ['chain'],
  koa: ['http'],
  '@koa/router': ['http'],
  'koa-body': ['http'],
  xstate: ['machines', 'actor'],
  'json-rules-engine': ['rules'],
  'temporal-polyfill': ['domain'],
  elkjs: ['inspect'],
  nodemailer: ['notifications'],
  '@noble': ['domain'],
  '@scure': ['domain'],
  pg: ['store'],
  '@modelcontextprotocol': ['mcp'],
  'oidc-provider': ['oauth'],
  preact: ['web'],
}

/** The only libraries that these parts may import. */
const LIBRARIES: { [part: string]: readonly string[] } = {
  domain: ['@noble/hashes', '@scure/base', 'temporal-polyfill'],
  machines: ['xstate'],
  rules: ['json-rules-engine', 'valibot'],
  actor: ['xstate'],
  inspect: ['elkjs'],
  sdk: [],
  web: ['preact'],
}

const PURE = new Set(['domain', 'machines', 'rules', 'actor', 'alerts', 'inspect', 'commands'])
const CLOCKS = ['Date.now', 'new Date()', 'Date()', 'Temporal.Now', 'performance']
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']
const RANDOMNESS = ['Math.random', 'crypto', 'import randomBytes']
/** The one module that may use Node's hash functions, which are pure. */
const HASHER = { path: 'src/domain/values/digest.ts', modules: ['node:crypto', 'node:zlib'] }
const OUTSIDE = ['process', 'console', 'fetch', 'WebSocket', 'globalThis', 'global', 'require', 'Buffer']
const IMPURE = new Set([...CLOCKS, ...TIMERS, ...RANDOMNESS, ...OUTSIDE])

const FORBIDDEN_NAMES = new Set(['utils', 'helpers', 'common', 'types'])
const LONGEST_FUNCTION = 70
const LONGEST_FILE = 400
const MOST_FILES = 30
/** A generated file may be long, and so may a literal chart. */
const isAnyLength = (path: string): boolean => path === 'sdk/api.ts' || partOf(path) === 'machines'

export const rules: Rule[] = [
  { title: 'every file belongs to a part of the architecture', broken: strayFile },
  { title: 'each part imports only the parts that it may import', broken: wrongArrows },
  { title: 'imports have no cycle', broken: cyclicImports },
  { title: 'charts import no other chart', broken: chartsOfCharts },
  { title: 'each library is imported only by its owners', broken: borrowedLibraries },
  { title: 'the inner parts import only their own libraries', broken: foreignLibraries },
  { title: 'pure code touches no clock, randomness, process, I/O or console', broken: impurities },
  { title: `no function has more than ${LONGEST_FUNCTION} lines`, broken: longFunctions },
  { title: `no file has more than ${LONGEST_FILE} lines`, broken: longFile },
  { title: 'no exported name is defined in two files', broken: sharedNames },
  { title: `no folder has more than ${MOST_FILES} files`, broken: fullFolder },
  { title: 'nothing is named utils, helpers, common or types', broken: emptyNames },
  { title: 'every file is reached from a program, a test or a page', broken: deadFile },
  { title: 'every export is used', broken: deadExports },
]

/** `src/actor/turn.ts` belongs to `actor`, `machines/agent.ts` to `machines`; `src/main.ts` to `main`. */
function partOf(path: string): string {
  const [top, next] = path.split('/')
  if (top !== 'src') return top!
  return next!.replace(/^main\.[jt]s$/, 'main')
}

/** Tests, benchmarks and examples are not shipped, so most rules exempt them. */
function isFree(path: string): boolean {
  return /^(test|bench|examples)\//.test(path)
}

function isModule(name: string): boolean {
  return !name.startsWith('.')
}

/** The target of a relative import, as a path from the project's root. */
function targetOf({ path }: Source, { what }: Place): string {
  return posix.join(posix.dirname(path), what)
}

/** The package of a module: `@noble/hashes/sha2.js` belongs to `@noble/hashes`. */
function packageOf(module: string): string {
  return module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/')
}

function strayFile({ path }: Source): Place[] {
  const part = partOf(path)
  return isFree(path) || part in ARROWS ? [] : [{ line: 1, what: `no part is named ${part}` }]
}

function wrongArrows(source: Source): Place[] {
  if (isFree(source.path)) return []
  const from = partOf(source.path)
  const allowed = [from, ...(ARROWS[from] ?? [])]
  const inside = source.imports.filter(({ what }) => !isModule(what))
  const arrows = inside.map((place) => ({ line: place.line, to: partOf(targetOf(source, place)) }))
  const wrong = arrows.filter(({ to }) => !allowed.includes(to))
  return wrong.map(({ line, to }) => ({ line, what: `${from} must not import ${to}` }))
}

/**
 * In a cycle some file runs before what it needs. Type imports do not count, they are gone at run time; in web they do,
 * so that each of its files can be read without the others around it.
 */
function cyclicImports(source: Source, all: ReadonlyMap<string, Source>): Place[] {
  const back = loadedBy(source).filter(({ target }) => leadsTo(source.path, target, all))
  return back.map(({ line, what }) => ({ line, what: `${what} leads back here` }))
}

/** Of each file, because every file is on the way from many others. */
const loads = new WeakMap<Source, readonly Load[]>()

/** A file that another loads; the path of a `.tsx` lacks the x. */
type Load = Place & { target: string }

function loadedBy(source: Source): readonly Load[] {
  const known = loads.get(source) ?? loadsIn(source)
  loads.set(source, known)
  return known
}

function loadsIn(source: Source): Load[] {
  const doTypesCount = partOf(source.path) === 'web'
  const loaded = source.imports.filter(({ what, isType }) => (doTypesCount || !isType) && !isModule(what))
  return loaded.map((place) => ({ ...place, target: targetOf(source, place).replace(/\.js$/, '.ts') }))
}

function leadsTo(path: string, from: string, all: ReadonlyMap<string, Source>): boolean {
  const seen = new Set<string>([from])
  // Iterating over a Set also visits what is added meanwhile.
  for (const at of seen) {
    const source = all.get(at) ?? all.get(`${at}x`)
    for (const { target } of source ? loadedBy(source) : []) seen.add(target)
  }
  return seen.has(path.replace(/x$/, ''))
}

/** The files of a chart that has a folder are one chart. */
function chartsOfCharts(source: Source): Place[] {
  if (partOf(source.path) !== 'machines' || source.path === 'machines/index.ts') return []
  const own = posix.dirname(source.path)
  return source.imports.filter((place) => {
    const target = targetOf(source, place)
    const isOfOwnFolder = own !== 'machines' && posix.dirname(target) === own
    return !isModule(place.what) && partOf(target) === 'machines' && !isOfOwnFolder
  })
}

function borrowedLibraries({ path, imports }: Source): Place[] {
  if (isFree(path)) return []
  return imports.filter(({ what }) => {
    const owners = OWNERS[packageOf(what)] ?? OWNERS[packageOf(what).split('/')[0]!]
    return owners !== undefined && !owners.includes(partOf(path))
  })
}

function isHasher(path: string, what: string): boolean {
  return path === HASHER.path && HASHER.modules.includes(what)
}

function foreignLibraries({ path, imports }: Source): Place[] {
  const own = LIBRARIES[partOf(path)]
  const isOwn = (what: string): boolean => own!.includes(packageOf(what)) || isHasher(path, what)
  return own ? imports.filter(({ what }) => isModule(what) && !isOwn(what)) : []
}

function impurities({ path, imports, uses }: Source): Place[] {
  if (!PURE.has(partOf(path))) return []
  const isSystem = (what: string): boolean => what.startsWith('node:') || packageOf(what) === 'crypto'
  const system = imports.filter(({ what }) => isSystem(what) && !isHasher(path, what))
  return [...system, ...uses.filter(({ what }) => IMPURE.has(what))]
}

function longFunctions({ path, functions }: Source): Place[] {
  if (isFree(path)) return []
  const long = functions.filter(({ length }) => length > LONGEST_FUNCTION)
  return long.map(({ line, what, length }) => ({ line, what: `${what} has ${length} lines` }))
}

function longFile({ path, lines }: Source): Place[] {
  return isFree(path) || isAnyLength(path) || lines <= LONGEST_FILE
    ? []
    : [{ line: LONGEST_FILE + 1, what: `${lines} lines` }]
}

const hasMeanings = (path: string): boolean => /^(src|machines|rules)\//.test(path)
const filesByName = new WeakMap<ReadonlyMap<string, Source>, Map<string, Set<string>>>()

function filesOfNames(all: ReadonlyMap<string, Source>): Map<string, Set<string>> {
  const known = filesByName.get(all) ?? new Map<string, Set<string>>()
  if (known.size > 0) return known
  for (const { path, exports } of all.values()) {
    if (!hasMeanings(path)) continue
    for (const { what } of exports) known.set(what, (known.get(what) ?? new Set()).add(path))
  }
  filesByName.set(all, known)
  return known
}

/** Sdk and web are other programs, with words of their own. */
function sharedNames({ path, exports }: Source, all: ReadonlyMap<string, Source>): Place[] {
  if (!hasMeanings(path)) return []
  const others = filesOfNames(all)
  return exports.filter(({ what }) => [...others.get(what)!].some((other) => other < path))
}

/** Found in the first file of the folder, so that it is said once. */
function fullFolder({ path }: Source, all: ReadonlyMap<string, Source>): Place[] {
  if (isFree(path) || !path.startsWith('src/')) return []
  const folder = posix.dirname(path)
  const files = [...all.keys()].filter((other) => posix.dirname(other) === folder).sort()
  return files.length > MOST_FILES && files[0] === path
    ? [{ line: 1, what: `${folder} has ${files.length} files` }]
    : []
}

function emptyNames({ path }: Source): Place[] {
  const names = path.replace(/\.tsx?$/, '').split('/')
  return names.filter((name) => FORBIDDEN_NAMES.has(name)).map((what) => ({ line: 1, what }))
}
