// The errors that end a start or a command with one line for the person who reads it.

/** A setting of the environment cannot be used; the message names it. */
export class ConfigError extends Error {}

/** What was asked for is valid, and failed; the message is for people. */
export class Failure extends Error {}
