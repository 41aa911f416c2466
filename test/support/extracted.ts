// A chart as the statechart visualizer reads it: extracted from the file's TypeScript, without running it. The
// extractor needs another major version of xstate, so it is loaded from its own npm workspace.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { projectRoot } from './root.js'

/** The part of the extractor that this project uses; this compiler cannot load the extractor's own types. */
interface Extracted {
  toConfig: () => { id: string; initial: string; context: unknown }
  getAllStateNodes: () => { path: string[] }[]
  getTransitions: () => { fromPath: string[]; transitionPath: TransitionPath }[]
  getTransitionTargets: () => Targeted[]
}

interface Targeted {
  fromPath: string[]
  transitionPath: TransitionPath
  /** Each undefined when the target does not exist. */
  targetPath: (string[] | undefined)[]
}

type TransitionPath = [kind: string, event: string, place: number]

interface Extractor {
  extractMachinesFromFile: (source: string) => { machines: Extracted[] } | null
}

/** States as dotted paths, transitions as `capturing.REFUSED[1] to restoring`; both sorted. */
export interface Drawing {
  id: string
  initial: string
  context: unknown
  states: string[]
  transitions: string[]
}

const fromWorkspace = createRequire(join(projectRoot, 'test', 'visualizer', 'package.json'))
const extractor = fromWorkspace('@xstate/machine-extractor') as Extractor

/** All machines that the visualizer finds in a file of the project. */
export function drawingsIn(path: string): Drawing[] {
  return drawingsOf(readFileSync(join(projectRoot, path), 'utf8'))
}

/** All machines that the visualizer finds in a text. */
export function drawingsOf(source: string): Drawing[] {
  const found = extractor.extractMachinesFromFile(source)
  return (found?.machines ?? []).map(drawingOf)
}

export function arrow(name: string, target: string): string {
  return target === '' ? name : `${name} to ${target}`
}

function drawingOf(machine: Extracted): Drawing {
  const { id, initial, context } = machine.toConfig()
  const states = machine.getAllStateNodes().map(({ path }) => path.join('.'))
  const targets = new Map(
    machine
      .getTransitionTargets()
      .map(({ fromPath, transitionPath, targetPath }) => [
        nameOf(fromPath, transitionPath),
        targetPath.map((target) => target?.join('.') ?? 'nowhere').join(', '),
      ]),
  )
  const names = machine.getTransitions().map(({ fromPath, transitionPath }) => nameOf(fromPath, transitionPath))
  const transitions = names.map((name) => arrow(name, targets.get(name) ?? '')).sort()
  return { id, initial, context, states: states.filter((state) => state !== '').sort(), transitions }
}

function nameOf(fromPath: string[], [kind, event, place]: TransitionPath): string {
  const label = kind === 'on' ? event : `${kind} ${event}`
  return `${[...fromPath, label].join('.')}[${place}]`
}
