// Reads single settings of the environment, for all parts of the configuration.
import { ConfigError } from './failure.js'

export type Environment = { readonly [name: string]: string | undefined }

/** Undefined when it is not set; throws ConfigError for anything but a whole number from `least` to `most`. */
export function integerSetting(name: string, env: Environment, least: number, most: number): number | undefined {
  const text = env[name]
  if (text === undefined) return undefined
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN
  if (value >= least && value <= most) return value
  throw new ConfigError(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`)
}
