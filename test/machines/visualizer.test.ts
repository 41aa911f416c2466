// The statechart visualizer reads from each chart's file exactly the machine that runs.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { getStateNodes } from 'xstate/graph'
import { charts } from '../../machines/index.js'
import { projectRoot } from '../support/root.js'
import { chartFile } from '../support/chartFile.js'
import { arrow, drawingsIn, type Drawing } from '../support/extracted.js'
import { nameOf } from '../support/walk.js'

/** The running machine in the form that is compared with the visualizer's. */
function drawingOf(machine: AnyStateMachine): Drawing {
  const nodes: AnyStateNode[] = getStateNodes(machine)
  const transitions = [machine.root, ...nodes].flatMap((node) => [...node.transitions.values()].flat())
  return {
    id: machine.id,
    initial: machine.config.initial as string,
    context: machine.config.context,
    states: nodes.map(pathOf).sort(),
    transitions: transitions.map((one) => arrow(nameOf(one), (one.target ?? []).map(pathOf).join(', '))).sort(),
  }
}

function pathOf(node: AnyStateNode): string {
  return node.path.join('.')
}

function difference(read: string[], running: string[]): { added: string[]; missing: string[] } {
  const added = read.filter((one) => !running.includes(one))
  return { added, missing: running.filter((one) => !read.includes(one)) }
}

test('each file or folder in machines defines the chart that it is named after', (t) => {
  const names = readdirSync(join(projectRoot, 'machines')).filter((name) => name !== 'index.ts')
  t.deepEqual(names.map((name) => name.replace(/\.ts$/, '')).sort(), Object.keys(charts).sort())
})

for (const [kind, { machine }] of Object.entries(charts)) {
  test(`the visualizer extracts exactly one machine from ${kind}.ts, identical to the running one`, (t) => {
    const [read, ...others] = drawingsIn(chartFile(kind))
    const running = drawingOf(machine)
    t.deepEqual(others, [])
    t.deepEqual(read?.states, running.states)
    t.deepEqual(difference(read!.transitions, running.transitions), { added: [], missing: [] })
    t.deepEqual(read, running)
  })
}
