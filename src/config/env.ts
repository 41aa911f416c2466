// The environment and its error, shared by all parts of the configuration.
import { ConfigError, type Environment } from '../cli/terminal/command.js'

export { ConfigError, type Environment }

/** Undefined when it is not set; throws ConfigError for anything but a whole number from `least` to `most`. */
export function whole(name: string, env: Environment, least: number, most: number): number | undefined {
  const text = env[name]
  if (text === undefined) return undefined
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN
  if (value >= least && value <= most) return value
  throw new ConfigError(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`)
}
