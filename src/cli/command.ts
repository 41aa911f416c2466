// What a command of `bursar` is.

/** What a command finds around it. */
export interface Surroundings {
  /** Where the service keeps its data, by its settings; throws when they are malformed. */
  dataDir(): string
  /** Writes a line to standard output. */
  say(line: string): void
  /** Writes a line to standard error. */
  complain(line: string): void
}

export interface Command {
  /** What comes behind `bursar`: its words, then its arguments. */
  usage: string
  summary: string
  /** Gives the exit code; throws UsageError for arguments that it does not take. */
  run(args: string[], around: Surroundings): Promise<number>
}

/** The command exists, its arguments do not fit; the message is one line. */
export class UsageError extends Error {}
