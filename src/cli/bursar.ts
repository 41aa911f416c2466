// The commands beside the service, one row each: `bursar audit verify FILE`. Each reads its own arguments with
// parseArgs; this file only finds the row, and says which there are.

/** What a command finds around it. */
export interface Surroundings {
  /** Where the service keeps its data, by its settings; throws when they are malformed. */
  dataDir(): string
  /** Writes a line to standard output. */
  say(line: string): void
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

const COMMANDS: { [words: string]: Command } = {}

const SERVE = { usage: 'serve', summary: 'start the service; what bursar does without a command' }

/** What there is, a line a command. */
export function usage(): string {
  const rows = [SERVE, ...Object.values(COMMANDS)]
  const width = Math.max(...rows.map((row) => row.usage.length))
  const lines = rows.map((row) => `  bursar ${row.usage.padEnd(width)}  ${row.summary}`)
  return ['Usage:', ...lines].join('\n')
}

/** Runs the command that the first one or two words of `argv` name; throws UsageError when there is none. */
export async function runCommand(argv: readonly string[], around: Surroundings): Promise<number> {
  if (argv[0] === 'help' || argv[0] === '--help') {
    around.say(usage())
    return 0
  }
  for (const words of [2, 1]) {
    const name = argv.slice(0, words).join(' ')
    if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]!.run(argv.slice(words), around)
  }
  throw new UsageError(`There is no command ${argv.join(' ')}`)
}
