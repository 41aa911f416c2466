// The environment and its error, shared by all parts of the configuration.
export type { Environment } from './cli/command.js'

/** A setting cannot be used; the message is one line and names it. */
export class ConfigError extends Error {}
