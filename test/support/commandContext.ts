// The surroundings of a command that runs inside a test: nobody is at the terminal, and its output is kept.
import type { CommandContext } from '../../src/cli/terminal/command.js'

export interface Kept extends CommandContext {
  said: string[]
  complained: string[]
}

export function surroundings(given: Partial<CommandContext> = {}): Kept {
  const [said, complained]: [string[], string[]] = [[], []]
  return {
    said,
    complained,
    env: {},
    dataDir: () => '',
    say: (line) => void said.push(line),
    complain: (line) => void complained.push(line),
    progress: () => {},
    readLine: async () => '',
    ask: undefined,
    style: (_format, text) => text,
    ...given,
  }
}
