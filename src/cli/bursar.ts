// The commands beside the service, one row each: `bursar audit verify FILE`. Each reads its own arguments with
// parseArgs; this file only finds the row, and says which there are.
import { auditVerify } from './audit.js'
import { UsageError, type Command, type Surroundings } from './command.js'
import { receiptVerify } from './receipt.js'
import { sanctionsLoad } from './sanctions.js'
import { webhookListen, webhookSendTest } from './webhook.js'

export { UsageError, type Command, type Surroundings }

const COMMANDS: { [words: string]: Command } = {
  'audit verify': auditVerify,
  'receipt verify': receiptVerify,
  'webhook listen': webhookListen,
  'webhook send-test': webhookSendTest,
  'sanctions load': sanctionsLoad,
}

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
