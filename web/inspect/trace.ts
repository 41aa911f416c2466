// Reads the file of a simulated run and checks it, because people may open any file.
import type { TurnTrace } from './steps.js'

const FORMAT = 'bursar-trace/1'

export interface Trace {
  format: string
  seed: number
  violation: { invariant: string; message: string } | null
  steps: { at: string; kind: string; by?: string; turn?: TurnTrace }[]
}

/** Undefined if the text is not a trace. */
export function readTrace(text: string): Trace | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return isTrace(read) ? read : undefined
  } catch {
    return undefined
  }
}

function isTrace(read: unknown): read is Trace {
  if (!isFields(read) || read['format'] !== FORMAT || typeof read['seed'] !== 'number') return false
  const { violation, steps } = read
  const isTold = violation === null || (isFields(violation) && areTexts(violation, 'invariant', 'message'))
  return isTold && Array.isArray(steps) && steps.every(isStep)
}

function isStep(step: unknown): boolean {
  if (!isFields(step) || typeof step['at'] !== 'string' || Number.isNaN(Date.parse(step['at']))) return false
  return step['turn'] === undefined || isTurn(step['turn'])
}

function isTurn(turn: unknown): boolean {
  if (!isFields(turn) || !areTexts(turn, 'ref', 'message', 'to')) return false
  const lists = ['passedOver', 'actions', 'changed', 'violations', 'events'].map((name) => turn[name])
  if (!lists.every(Array.isArray)) return false
  return (turn['changed'] as unknown[]).every((one) => isFields(one) && areTexts(one, 'field'))
}

const isFields = (value: unknown): value is { [name: string]: unknown } => typeof value === 'object' && value !== null

const areTexts = (fields: { [name: string]: unknown }, ...names: string[]): boolean =>
  names.every((name) => typeof fields[name] === 'string')
