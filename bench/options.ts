// The options of the bench on its command line.
import { parseArgs } from 'node:util'

export interface Options {
  mode: 'rows' | (typeof MODES)[number] | 'beside'
  quick: boolean
  /** Parts of the names of the rows to measure; all rows of their stages are measured. */
  only: string[] | undefined
  /** The file to write the figures to. */
  json: string | undefined
  /** Also write them to docs/performance.md. */
  write: boolean
  rounds: number | undefined
  burstMs: number | undefined
  warmUpMs: number | undefined
  /** The checkout of another build. */
  beside: string | undefined
  /** Payments that are stored before the bench begins; with `--bytes` those of each kind, with `--journal` of each load. */
  stored: number
  soakMinutes: number
  /** The largest size that the growth measures. */
  largest: number
}

const MODES = ['prepare', 'growth', 'soak', 'steady', 'rules', 'bytes', 'journal', 'x402'] as const
const flag = { type: 'boolean', default: false } as const
const number = (text: string): { type: 'string'; default: string } => ({ type: 'string', default: text })

/** Throws for unknown options. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: flag,
      prepare: flag,
      growth: flag,
      soak: flag,
      steady: flag,
      rules: flag,
      bytes: flag,
      journal: flag,
      x402: flag,
      beside: { type: 'string' },
      write: flag,
      only: { type: 'string', multiple: true },
      json: { type: 'string' },
      rounds: { type: 'string' },
      'burst-ms': { type: 'string' },
      'warm-up-ms': { type: 'string' },
      stored: number('10000'),
      minutes: number('10'),
      largest: number('3000000'),
    },
  })
  if (values.only !== undefined && values.write) throw new Error('--write is for all rows')
  return {
    mode: MODES.find((mode) => values[mode]) ?? (values.beside === undefined ? 'rows' : 'beside'),
    beside: values.beside,
    quick: values.quick,
    only: values.only,
    json: values.json,
    write: values.write,
    rounds: optional('rounds', values.rounds),
    burstMs: optional('burst-ms', values['burst-ms']),
    warmUpMs: optional('warm-up-ms', values['warm-up-ms']),
    stored: whole('stored', values.stored),
    soakMinutes: whole('minutes', values.minutes),
    largest: whole('largest', values.largest),
  }
}

function optional(name: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : whole(name, text)
}

function whole(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Error(`--${name} must be a whole number above 0, not ${text}`)
}
