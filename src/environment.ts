// What reading the configuration needs in all its parts.
export type { Environment } from './cli/command.js'

/** The environment names something that cannot be used; the message is one line and names it. */
export class ConfigError extends Error {}
