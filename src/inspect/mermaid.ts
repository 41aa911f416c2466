// Writes a chart as Mermaid text, for documents that render it themselves.
import { statesWithin, type State } from './outline.js'
import { arrowsOf, condition, stateLines, stays, staying } from './writing.js'

/** A Mermaid id: a dot would end it. */
const idOf = (path: string): string => path.replaceAll('.', '_')

/** Removes semicolons and hashes, which Mermaid interprets. */
const said = (text: string): string => text.replaceAll(';', ',').replaceAll('#', '')

export function mermaidOf(root: State): string {
  const lines = [
    'stateDiagram-v2',
    ...within(root, '  '),
    ...statesWithin(root).flatMap((state) => arrowLines(state)),
    ...statesWithin(root).flatMap((state) => noteLines(state)),
  ]
  return `${lines.join('\n')}\n`
}

function within({ initial, children }: State, indent: string): string[] {
  const first = initial === undefined ? [] : [`${indent}[*] --> ${idOf(initial)}`]
  return [...children.flatMap((child) => declared(child, indent)), ...first]
}

function declared(state: State, indent: string): string[] {
  const name = `${indent}state "${state.name}" as ${idOf(state.path)}`
  if (state.children.length === 0) return [name]
  return [`${name} {`, ...within(state, `${indent}  `), `${indent}}`]
}

function arrowLines(state: State): string[] {
  return arrowsOf(state)
    .filter(({ from }) => from !== '')
    .map(({ from, to, choices }) => `  ${idOf(from)} --> ${idOf(to)} : ${said(choices.map(condition).join(' | '))}`)
}

/** Notes of a state; the chart itself has no state to attach a note to. */
function noteLines(state: State): string[] {
  const lines = [...stateLines(state), ...stays(state).map(staying)]
  if (lines.length === 0) return []
  if (state.path === '') return lines.map((line) => `  %% in every state: ${said(line)}`)
  return [`  note right of ${idOf(state.path)}`, ...lines.map((line) => `    ${said(line)}`), '  end note']
}
