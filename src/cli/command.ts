// What a command of `bursar` is, what it finds around it, and how it ends.

export type Environment = { readonly [name: string]: string | undefined }

/** What a command finds around it. */
export interface Surroundings {
  env: Environment
  /** Where the service keeps its data, by its settings; throws when they are malformed. */
  dataDir(): string
  /** Writes a line to standard output. */
  say(line: string): void
  /** Writes a line to standard error. */
  complain(line: string): void
  /** Shows how far long work is, in one line that replaces itself; only where somebody looks. */
  progress(text: string): void
  /** Standard input up to its first line break. */
  readLine(): Promise<string>
  /** Asks the person at the terminal; undefined where there is none. A hidden answer does not show. */
  ask: ((question: string, hidden?: boolean) => Promise<string>) | undefined
  /** Marks text where somebody looks who wants colours. */
  style: Style
}

export type Style = (format: 'bold' | 'dim' | 'green' | 'red' | 'yellow', text: string) => string

export interface Command {
  /** What comes behind `bursar`: its words, then its arguments. */
  usage: string
  summary: string
  /** Gives the exit code; throws UsageError for arguments that it does not take. */
  run(args: string[], around: Surroundings): Promise<number>
}

/** The exit codes, for programs. */
export const EXIT = { ok: 0, refused: 1, usage: 2, unreachable: 3 } as const

/** The command exists, its arguments do not fit; the message is one line. */
export class UsageError extends Error {}

/** The command was understood and could not be done; the message is for people. */
export class Failure extends Error {}
