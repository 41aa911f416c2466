// Parses arguments according to the usage line that the help shows, so that the two cannot differ: `pay AMOUNT ADDRESS
// [--note TEXT]` takes two words and an option with a value; brackets mark optional parts, and dots after a value one
// that may be repeated.
import { parseArgs } from 'node:util'
import { readVerifierKey, type NoteKey } from '../../domain/audit/checkpoint.js'
import { UsageError } from './command.js'

export interface Arguments {
  words: string[]
  /** The value of an option; undefined when it is absent. */
  text(option: string): string | undefined
  /** The values of an option that may be repeated. */
  texts(option: string): string[]
  has(flag: string): boolean
}

interface Grammar {
  options: { [name: string]: { type: 'string' | 'boolean'; multiple: boolean } }
  /** Required options. */
  demanded: string[]
  least: number
  most: number
}

const OPTION = /(\[)?--([a-z-]+)(?: ([A-Z][A-Z_|]*)( \.\.\.)?)?\]?/g
const WORD = /(\[)?\b[A-Z][A-Z_|]*\b\]?/g

function grammarOf(usage: string): Grammar {
  const options = [...usage.matchAll(OPTION)]
  const words = [...usage.replace(OPTION, '').matchAll(WORD)]
  return {
    options: Object.fromEntries(
      options.map(([, , name, value, repeated]) => {
        return [name!, { type: value === undefined ? 'boolean' : 'string', multiple: repeated !== undefined }]
      }),
    ),
    demanded: options.filter(([, bracket]) => bracket === undefined).map(([, , name]) => name!),
    least: words.filter(([, bracket]) => bracket === undefined).length,
    most: words.length,
  }
}

/** Throws UsageError for arguments that the usage line does not allow. */
export function readArguments(usage: string, args: string[]): Arguments {
  const { options, demanded, least, most } = grammarOf(usage)
  const { values, positionals } = parsed(args, options)
  const missing = demanded.find((name) => values[name] === undefined)
  if (missing !== undefined) throw new UsageError(`--${missing} is missing. Usage: bursar ${usage}`)
  if (positionals.length < least || positionals.length > most) {
    throw new UsageError(`Wrong number of arguments. Usage: bursar ${usage}`)
  }
  return {
    words: positionals,
    text: (option) => values[option] as string | undefined,
    texts: (option) => (values[option] ?? []) as string[],
    has: (flag) => values[flag] === true,
  }
}

function parsed(args: string[], options: Grammar['options']) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

const LARGEST = 999_999_999

/** The value of an option as a whole number from `least` to `most`. */
export function integerOption(name: string, text: string | undefined, least = 1, most = LARGEST): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`)
}

/** The value of an option that takes one of a few words. */
export function choice<T extends string>(name: string, among: readonly T[], text: string | undefined): T | undefined {
  const found = among.find((one) => one === text)
  if (text !== undefined && found === undefined) throw new UsageError(`${name} must be one of ${among.join(', ')}`)
  return found
}

/** The value of `--key`, a verifier key. */
export function keyIn(text: string | undefined): NoteKey | undefined {
  const key = text === undefined ? undefined : readVerifierKey(text)
  if (text !== undefined && !key) throw new UsageError('--key must be a verifier key of the form name+id+key')
  return key
}
