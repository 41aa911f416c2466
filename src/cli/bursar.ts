// The table of `bursar` commands, such as `bursar agents list`. This file finds the command and prints the help; each
// command reads its own arguments.
import { packageVersion } from '../config/version.js'
import { agentCommands } from './agents.js'
import { alertCommands } from './alerts.js'
import { approvalCommands } from './approvals.js'
import { auditCommands } from './audit.js'
import { backupCommands } from './data/backup.js'
import { cardCommands } from './cards.js'
import { channelCommands } from './channels.js'
import { EXIT, UsageError, type Command, type CommandContext } from './terminal/command.js'
import { demoCommands } from './demo.js'
import { doctorCommands } from './data/doctor.js'
import { initCommands } from './init.js'
import { journalCommands } from './journal/journal.js'
import { keyCommands } from './keys.js'
import { mcpCommands } from './mcp.js'
import { organizationCommands } from './organization.js'
import { ownerLinkCommands } from './ownerLink.js'
import { payCommands } from './pay.js'
import { paymentCommands } from './payments.js'
import { policyCommands } from './policies/policies.js'
import { receiptCommands } from './receipt.js'
import { sanctionsCommands } from './data/sanctions.js'
import { walletCommands } from './wallets.js'
import { webhookCommands } from './webhook.js'
import { x402Commands } from './x402.js'

const COMMANDS: { readonly [words: string]: Command } = {
  ...demoCommands,
  ...initCommands,
  ...organizationCommands,
  ...ownerLinkCommands,
  ...keyCommands,
  ...agentCommands,
  ...walletCommands,
  ...cardCommands,
  ...policyCommands,
  ...payCommands,
  ...mcpCommands,
  ...approvalCommands,
  ...paymentCommands,
  ...x402Commands,
  ...auditCommands,
  ...receiptCommands,
  ...webhookCommands,
  ...alertCommands,
  ...channelCommands,
  ...sanctionsCommands,
  ...backupCommands,
  ...journalCommands,
  ...doctorCommands,
}

const SERVE = { usage: 'serve', summary: 'start the service, like bursar without a command' }

/** All commands, for the documentation and the help. */
export const ROWS: readonly Pick<Command, 'usage' | 'summary'>[] = [SERVE, ...Object.values(COMMANDS)]

/** Help for all commands, because the package has no documentation. */
const COMMON = [
  '',
  'Keys are never arguments: they come from BURSAR_API_KEY (organization key), BURSAR_AGENT_KEY (for pay, mcp),',
  'BURSAR_WEBHOOK_SECRET, --key-stdin, or what bursar init saved. BURSAR_URL is the address of the service.',
  `Exit codes: ${EXIT.ok} done, ${EXIT.refused} refused or failed, ${EXIT.usage} invalid arguments, ` +
    `${EXIT.unreachable} service not reachable.`,
  'bursar --version prints the version.',
]

/** The help, two lines per command; only the commands of `noun` if given. */
function usage(noun?: string): string {
  const rows = ROWS.filter((row) => noun === undefined || row.usage.split(' ')[0] === noun)
  return ['Usage:', ...rows.flatMap((row) => [`  bursar ${row.usage}`, `      ${row.summary}`]), ...COMMON].join('\n')
}

function isNoun(word: string): boolean {
  return ROWS.some((row) => row.usage.split(' ')[0] === word)
}

const HELP = new Set(['help', '--help', '-h'])

/** Runs the command that the first one or two words of `argv` name; throws UsageError when there is none. */
export async function runCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const words = argv.filter((word) => !HELP.has(word))
  const [noun] = words
  if (argv.some((word) => word === '--help' || word === '-h') || argv[0] === 'help') {
    if (noun !== undefined && !isNoun(noun)) throw new UsageError(`Unknown command ${noun}`)
    context.say(usage(noun))
    return 0
  }
  if (argv.length === 1 && argv[0] === '--version') {
    context.say(packageVersion())
    return 0
  }
  for (const count of [2, 1]) {
    const name = argv.slice(0, count).join(' ')
    if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name]!.run(argv.slice(count), context)
  }
  const known = isNoun(noun ?? '') ? `: bursar ${noun} --help lists its commands` : ''
  throw new UsageError(`Unknown command ${argv.slice(0, 2).join(' ')}${known}`)
}
