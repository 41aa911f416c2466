// Surroundings of a command that is run inside of a test: nobody at the terminal, and what it says is kept.
import type { CommandContext } from '../../src/cli/command.js'

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
