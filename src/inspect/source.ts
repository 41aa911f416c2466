// Writes a chart as one self-contained file that XState runs and the visualizer accepts. States are copied literally.
// Guards and actions are stubs by name, because the real ones need the service: a guard holds when the message says so,
// and an action changes nothing.
import type { Chart } from '../../machines/index.js'
import { rootNode, type ChartNode, type NodeTransition } from '../actor/chartNode.js'
import type { Json } from '../domain/values/canonical.js'
import { messagesIn } from './outline.js'

type Machine = Chart['machine']

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
const LINE = 100

/** The chart's configuration as data. */
export function chartDefinitionOf({ machine, version }: Chart): { [field: string]: Json } {
  return { ...literalOf(machine), version: String(version) }
}

/** The configuration without what XState adds to it. */
function literalOf(machine: Machine): { [field: string]: Json } {
  return JSON.parse(JSON.stringify(machine.config)) as { [field: string]: Json }
}

export function sourceOf({ machine, version }: Chart): string {
  const { guards, actions, events } = namesIn(machine)
  const types = events.map((event) => `'${event}'`).join(' | ') || 'string'
  return [
    `// The ${machine.id} of Bursar, version ${version} of its chart. Guards hold when the message says so:`,
    `// { type: 'NAME', guards: ['guard'] }. Actions are there by name and change nothing.`,
    `import { assign, setup } from 'xstate'`,
    '',
    `export const ${machine.id} = setup({`,
    '  types: {',
    '    context: {} as { [field: string]: unknown },',
    `    events: {} as { type: ${types}; guards?: string[] },`,
    '  },',
    ...section(
      'guards',
      guards.map((name) => `${name}: ({ event }) => event.guards?.includes('${name}') ?? false`),
    ),
    ...section(
      'actions',
      [...actions].map(([name, params]) => `${name}: assign(${assignment(params)})`),
    ),
    `}).createMachine(${literal(literalOf(machine), '')})`,
    '',
  ].join('\n')
}

function section(name: string, members: string[]): string[] {
  if (members.length === 0) return []
  return [`  ${name}: {`, ...members.map((member) => `    ${member},`), '  },']
}

/** `params` are the names and types of the action's params. */
function assignment(params: [string, string][]): string {
  if (params.length === 0) return '{}'
  return `(_, _params: { ${params.map(([name, type]) => `${name}: ${type}`).join('; ')} }) => ({})`
}

function namesIn(machine: Machine): { guards: string[]; actions: Map<string, [string, string][]>; events: string[] } {
  const guards = new Set<string>()
  const actions = new Map<string, [string, string][]>()
  for (const { guard, actions: taken } of transitionsWithin(rootNode(machine))) {
    if (guard !== undefined) guards.add(typeof guard === 'string' ? guard : guard.type)
    for (const action of taken) {
      const { type, params = {} } = typeof action === 'string' ? { type: action } : action
      actions.set(
        type,
        Object.entries(params).map(([name, value]) => [name, typeof value]),
      )
    }
  }
  return { guards: [...guards].sort(), actions, events: messagesIn(machine) }
}

function transitionsWithin({ transitions, states }: ChartNode): NodeTransition[] {
  return [...[...transitions.values()].flat(), ...Object.values(states).flatMap(transitionsWithin)]
}

/** A JavaScript literal; `indent` is that of its first line. */
function literal(value: Json, indent: string): string {
  const inner = `${indent}  `
  if (typeof value === 'string') return `'${value.replace(/['\\]/g, '\\$&')}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Array.isArray(value)
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(
        ([name, one]) => `${IDENTIFIER.test(name) ? name : `'${name}'`}: ${literal(one ?? null, inner)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (members.length === 0) return open + close
  const space = Array.isArray(value) ? '' : ' '
  const short = `${open}${space}${members.join(', ')}${space}${close}`
  if (!short.includes('\n') && indent.length + short.length <= LINE) return short
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`
}
