// The project's TypeScript as the architecture rules see it: what each file imports and uses, and how long its
// functions are. Types are read as well, because a type-only import is a dependency too. Nothing is run.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { projectRoot } from '../support/root.js'

export interface Place {
  /** In the file, from 1. */
  line: number
  /** What is there: the module imported, the name used, the function. */
  what: string
}

export interface Import extends Place {
  /** Imports types only: nothing is loaded at run time. */
  isType: boolean
  /** Loaded on demand, by `import()`. */
  isLate: boolean
  /** The names that it takes; `*` for all. */
  names: string[]
}

export interface Source {
  /** From the project's root: `src/actor/turn.ts`. */
  path: string
  lines: number
  /** Modules, as they are written: `../domain/money.js`. */
  imports: Import[]
  /** Names in expressions: `process`, with a member `Date.now`, called `new Date()`, imported `import randomBytes`. */
  uses: Place[]
  functions: (Place & { length: number })[]
  /** Names that the file defines and exports. */
  exports: Place[]
  /** Names that the file exports from others. */
  passedOn: Place[]
  /** Names of types, where they are used. */
  types: string[]
  /** Paths in texts, by which a worker or another process is started: `./courier.js`. */
  started: string[]
}

interface Node {
  type: string
  loc: { start: { line: number }; end: { line: number } }
  [field: string]: unknown
}

interface Parser {
  parse: (text: string, options: { sourceType: 'module'; plugins: string[] }) => { program: Node }
}

// The only TypeScript parser that is installed is that of the visualizer's extractor; TypeScript 7 has no API.
const fromWorkspace = createRequire(join(projectRoot, 'test', 'visualizer', 'package.json'))
const fromExtractor = createRequire(fromWorkspace.resolve('@xstate/machine-extractor'))
const { parse } = fromExtractor('@babel/parser') as Parser

const FOLDERS = ['src', 'machines', 'rules', 'sdk', 'web', 'test', 'bench', 'examples']
const FUNCTIONS = /^((Arrow)?FunctionExpression|FunctionDeclaration|(Object|Class|ClassPrivate)Method)$/
/** By node type, the field whose identifier is a label and not a use of a variable. */
const LABELS: { [type: string]: string } = {
  MemberExpression: 'property',
  OptionalMemberExpression: 'property',
  ObjectProperty: 'key',
  ObjectMethod: 'key',
  ClassMethod: 'key',
  ClassProperty: 'key',
}
const TYPES = /^(typeAnnotation|typeParameters|typeArguments|superTypeParameters|returnType|implements)$/

/** All TypeScript files of the project, each path from its root. */
export function sourcePaths(): string[] {
  return FOLDERS.filter((folder) => existsSync(join(projectRoot, folder))).flatMap(filesUnder)
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesUnder(path)
    return /\.tsx?$/.test(path) && !path.endsWith('.d.ts') ? [path] : []
  })
}

export function readSource(path: string): Source {
  return sourceOf(path, readFileSync(join(projectRoot, path), 'utf8'))
}

export function sourceOf(path: string, text: string): Source {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  const source: Source = {
    path,
    lines,
    imports: [],
    uses: [],
    functions: [],
    exports: [],
    passedOn: [],
    types: [],
    started: [],
  }
  const plugins = ['typescript', ...(path.endsWith('.tsx') ? ['jsx'] : [])]
  visit(parse(text, { sourceType: 'module', plugins }).program, source, false)
  return source
}

function visit(node: Node, into: Source, inType: boolean): void {
  const imported = moduleOf(node)
  if (imported !== undefined) {
    const isLate = node.type === 'CallExpression'
    into.imports.push({ line: lineOf(node), what: imported, isType: isOfTypes(node), isLate, names: namesTaken(node) })
  }
  if (node.type === 'ImportDeclaration') {
    into.uses.push(...namesImported(node))
    return
  }
  if (!inType) into.uses.push(...usesIn(node))
  const type = nameOf(node['typeName'] ?? (/^TS.*Heritage$/.test(node.type) ? node['expression'] : undefined))
  if (type !== undefined) into.types.push(type)
  if (node.type === 'ExportNamedDeclaration') {
    into.exports.push(...namesExported(node))
    into.passedOn.push(...namesPassedOn(node))
  }
  if (node.type === 'StringLiteral' && /^[\w./]+\.js$/.test(node['value'] as string))
    into.started.push(node['value'] as string)
  if (FUNCTIONS.test(node.type)) into.functions.push(functionOf(node))
  for (const name of Object.keys(node)) {
    const value = node[name]
    // Most fields have no nodes.
    if (typeof value !== 'object' || value === null) continue
    if (LABELS[node.type] === name && node['computed'] !== true) continue
    const typed = inType || TYPES.test(name) || /^TS(Interface|TypeAlias)/.test(node.type)
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, into, typed)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'loc' in value
}

function lineOf(node: Node): number {
  return node.loc.start.line
}

/** The module that an import, a re-export, an `import()` or an import type names. */
function moduleOf(node: Node): string | undefined {
  const dynamic = node.type === 'CallExpression' && (node['callee'] as Node).type === 'Import'
  const inType = node.type === 'TSImportType'
  const literal = dynamic ? (node['arguments'] as Node[])[0] : inType ? node['argument'] : node['source']
  return isNode(literal) && typeof literal['value'] === 'string' ? literal['value'] : undefined
}

/** False for `import { type A }`, which TypeScript keeps as an import of nothing. */
function isOfTypes(node: Node): boolean {
  return node.type === 'TSImportType' || node['importKind'] === 'type' || node['exportKind'] === 'type'
}

function namesImported(node: Node): Place[] {
  const names = (node['specifiers'] as Node[]).flatMap(({ imported }) => nameOf(imported) ?? [])
  return names.map((name) => ({ line: lineOf(node), what: `import ${name}` }))
}

/** The names that an import or a re-export takes from its module. */
function namesTaken(node: Node): string[] {
  if (node.type === 'TSImportType') return [nameOf(node['qualifier']) ?? '*']
  const specifiers = node['specifiers'] as Node[] | undefined
  if (node.type === 'ExportNamedDeclaration') return specifiers!.flatMap(({ local }) => nameOf(local) ?? [])
  return specifiers?.map(({ imported }) => nameOf(imported) ?? '*') ?? ['*']
}

function namesPassedOn(node: Node): Place[] {
  const names = (node['specifiers'] as Node[]).flatMap(({ exported }) => nameOf(exported) ?? [])
  return names.map((what) => ({ line: lineOf(node), what }))
}

/** Once where a function has several signatures. */
function namesExported({ declaration }: Node): Place[] {
  if (!isNode(declaration)) return []
  const declared = (declaration['declarations'] as Node[] | undefined) ?? [declaration]
  const names = declared.flatMap(({ id }) => (isNode(id) ? (nameOf(id) ?? []) : []))
  return names.map((name) => ({ line: lineOf(declaration), what: name }))
}

/** The name that a node uses, as a member or call where it is one. */
function usesIn(node: Node): Place[] {
  const line = lineOf(node)
  if (node.type === 'Identifier') return [{ line, what: node['name'] as string }]
  if (node.type === 'JSXOpeningElement') return [{ line, what: String((node['name'] as Node)['name']) }]
  if (/^(Optional)?MemberExpression$/.test(node.type)) {
    const [object, property] = [nameOf(node['object']), nameOf(node['property'])]
    return object !== undefined && property !== undefined ? [{ line, what: `${object}.${property}` }] : []
  }
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return []
  const callee = nameOf(node['callee'])
  if (callee === undefined) return []
  if (node.type === 'CallExpression') return [{ line, what: `${callee}()` }]
  return (node['arguments'] as Node[]).length === 0 ? [{ line, what: `new ${callee}()` }] : []
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? (node['name'] as string) : undefined
}

function functionOf(node: Node): Place & { length: number } {
  const what = nameOf(node['id']) ?? nameOf(node['key']) ?? 'a function without a name'
  return { line: lineOf(node), what, length: node.loc.end.line - lineOf(node) + 1 }
}
