// Settings as schemas over the environment: each reads one text, or says what the setting must be.
import * as v from 'valibot'
import { ConfigError } from './failure.js'

export type Environment = { readonly [name: string]: string | undefined }

/** A message with what the setting must be, and what it is: not for secrets. */
export function mustBe(what: string): (issue: { input: unknown }) => string {
  return ({ input }) => `must be ${what}, not ${JSON.stringify(input)}`
}

/** A setting that `read` makes of its text; undefined refuses the text. */
export function setting<T>(message: string | ReturnType<typeof mustBe>, read: (text: string) => T | undefined) {
  return v.pipe(
    v.string(),
    v.rawTransform<string, T>(({ dataset, addIssue, NEVER }) => {
      const value = read(dataset.value)
      if (value !== undefined) return value
      addIssue({ message })
      return NEVER
    }),
  )
}

export function wholeNumber(least: number, most: number) {
  return setting(mustBe(`a whole number from ${least} to ${most}`), (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN
    return value >= least && value <= most ? value : undefined
  })
}

/** An address of the web that has nothing behind its port. */
export function readOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isWeb && url.href === `${url.origin}/` ? url.origin : undefined
}

/** Throws ConfigError with one line for the first setting that is refused; `nameOf` names its variable. */
export function readSettings<Entries extends v.ObjectEntries>(
  entries: Entries,
  env: Environment,
  nameOf = (key: string): string => key,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
  const given = Object.fromEntries(Object.keys(entries).map((key) => [key, env[nameOf(key)]]))
  const { success, output, issues } = v.safeParse(v.object(entries), given, { abortEarly: true })
  if (success) return output
  throw new ConfigError(`${nameOf(v.getDotPath(issues[0])!)} ${issues[0].message}`)
}
