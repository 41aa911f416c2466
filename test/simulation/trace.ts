// A step of a simulation as a line of text, for people who look for an error.
import type { Step } from '../../src/host/simulated.js'

/** `index` is the number of the step, `elapsed` the milliseconds since the simulation began. */
export function traceLine(index: number, elapsed: number, step: Step): string {
  return `${String(index).padStart(4)} ${String(elapsed).padStart(9)} ms  ${described(step)}`
}

function described(step: Step): string {
  if (step.kind !== 'turn' && !('to' in step)) return step.kind
  const { message, by } = step
  const what = `${by} ${message.type}${message.holder === undefined ? '' : ` of ${message.holder}`}`
  if (step.kind !== 'turn') return `${what} to ${step.to}: ${step.kind}`
  const { turn, before, row } = step
  const moved = before?.state === turn.actor.state ? turn.actor.state : `${before?.state} > ${turn.actor.state}`
  const rows = turn.entry ? `, row ${row?.state} > ${turn.entry.state}` : ''
  const refused = turn.refusal ? `, ${turn.refusal}` : turn.violations.map(({ type }) => `, ${type}`).join('')
  return `${what} to ${turn.actor.ref}: ${moved}${rows}${refused}`
}
