// The types of a `bursar` command: the command itself, its surroundings and its exit codes.
import type { Environment } from '../../config/env.js'

/** The process environment of a command. */
export interface CommandContext {
  env: Environment
  /** The service's data folder, from its settings; throws when they are malformed. */
  dataDir(): string
  /** Writes a line to standard output. */
  say(line: string): void
  /** Writes a line to standard error. */
  complain(line: string): void
  /** Shows progress in one line that is overwritten; only at a terminal. */
  progress(text: string): void
  /** Standard input up to its first line break. */
  readLine(): Promise<string>
  /** Asks the person at the terminal; undefined without one. A hidden answer is not echoed. */
  ask: ((question: string, hidden?: boolean) => Promise<string>) | undefined
  /** Colours text, at a terminal that supports it. */
  style: Style
}

export type Style = (format: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) => string

export interface Command {
  /** The words after `bursar`, then the arguments. */
  usage: string
  summary: string
  /** Resolves to the exit code; throws UsageError for invalid arguments. */
  run(args: string[], context: CommandContext): Promise<number>
}

/** The exit codes, for programs. */
export const EXIT = { ok: 0, refused: 1, usage: 2, unreachable: 3 } as const

/** Invalid arguments of a known command; the message is one line. */
export class UsageError extends Error {}
