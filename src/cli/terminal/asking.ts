// Runs commands that call the service: reads the arguments, connects, prints the result (tables for people, JSON for
// programs) and turns refusals into messages and exit codes. The command's row does the work.
import { BursarAdmin, BursarError } from '../../../sdk/index.js'
import { readArguments, type Arguments } from './arguments.js'
import { ConfigError } from '../../config/failure.js'
import { EXIT, UsageError, type Command, type Style, type CommandContext } from './command.js'
import { connectionOf } from './connection.js'
import { clean, jsonText } from './show.js'

export interface ServiceCommand extends Arguments {
  bursar: BursarAdmin
  url: string
  context: CommandContext
}

export interface Shown {
  /** For programs. */
  json: unknown
  /** For people. */
  lines: (style: Style) => string[]
  /** The exit code, if the result is a failure. */
  exit?: number
}

export interface AskingRow {
  usage: string
  summary: string
  run(asking: ServiceCommand): Promise<Shown>
}

/** Common options: `--json` for all commands that show something, both for those that call the service. */
const AS_JSON = '[--json]'
export const KEY_GIVEN = '[--key-stdin]'
export const ORGANIZATION_KEY_FROM = 'Set BURSAR_API_KEY, give a key with --key-stdin, or run bursar init'

export function asking({ usage, summary, run }: AskingRow): Command {
  return showing({
    usage: `${usage} ${KEY_GIVEN}`,
    summary,
    keyFrom: ORGANIZATION_KEY_FROM,
    run: async (given, context) => {
      const { url, nodes, apiKey } = await connectionOf(context, given.has('key-stdin'))
      return run({ ...given, url, context, bursar: new BursarAdmin({ baseUrl: nodes, apiKey }) })
    },
  })
}

export interface ShowingRow {
  usage: string
  summary: string
  /** Where its key comes from, as advice after a wrong one. */
  keyFrom?: string
  run(given: Arguments, context: CommandContext): Promise<Shown>
}

/** A command that shows something, with or without the service. */
export function showing({ usage, summary, keyFrom, run }: ShowingRow): Command {
  const whole = `${usage} ${AS_JSON}`
  return {
    usage: whole,
    summary,
    run: async (args, context) => {
      const given = readArguments(whole, args)
      const asJson = given.has('json')
      const notes: string[] = []
      const running = asJson ? { ...context, complain: (line: string) => void notes.push(line) } : context
      try {
        const shown = await run(given, running)
        for (const note of notes) context.complain(note)
        return present(shown, asJson, context)
      } catch (error) {
        if (error instanceof BursarError) {
          if (asJson) return refusedJson(error, notes, context)
          return refused(error, keyFrom, context)
        }
        const isUsage = error instanceof UsageError || error instanceof ConfigError
        if (!asJson || isUsage || !(error instanceof Error)) throw error
        complainJson({ error: error.message, notes }, context)
        return EXIT.refused
      }
    },
  }
}

function present({ json, lines, exit = EXIT.ok }: Shown, asJson: boolean, context: CommandContext): number {
  const { say, style, progress } = context
  progress('')
  if (asJson) say(jsonText(json, 2))
  else for (const line of lines(style)) say(line)
  return exit
}

/** For programs: one object, with what was said before the failure as its notes. */
function complainJson({ notes, ...failure }: { error: string; notes: string[] }, { complain }: CommandContext): void {
  complain(jsonText({ ...failure, ...(notes.length > 0 && { notes }) }, 2))
}

function refusedJson(error: BursarError, notes: string[], context: CommandContext): number {
  const { code, message, requestId, details, violations, approvalRequestId, idempotencyKey } = error
  const payment = error.payment && { requestId: error.payment.requestId, status: error.payment.status }
  context.progress('')
  const facts = { code, requestId, details, violations, approvalRequestId, idempotencyKey, payment }
  complainJson({ error: message, ...facts, notes }, context)
  return exitOf(error)
}

function refused(error: BursarError, keyFrom: string | undefined, { complain, progress }: CommandContext): number {
  const { code, message, requestId, details, violations, approvalRequestId, idempotencyKey } = error
  progress('')
  complain(`${code}: ${clean(message)}`)
  const unsaid = (details ?? []).filter((detail) => !isSaid(detail, message))
  for (const detail of unsaid) complain(`  ${clean(detail.path)} ${clean(detail.message)}`)
  for (const violation of violations ?? []) complain(`  ${clean(violation.type)}: ${clean(violation.message)}`)
  if (error.payment?.hint !== undefined) complain(`  ${clean(error.payment.hint)}`)
  if (approvalRequestId !== undefined) complain(`  approval ${clean(approvalRequestId)}`)
  if (idempotencyKey !== undefined && isOpen(error))
    complain(
      `  To continue, repeat the command${error.payment?.paymentKey === undefined ? ` with --idempotency-key ${idempotencyKey}` : ''}`,
    )
  if (isNobodyThere(error)) complain('  Is the service running? Start it, or set BURSAR_URL')
  if (code === 'AUTH_FAILED' && keyFrom !== undefined) complain(`  ${keyFrom}`)
  if (requestId !== undefined) complain(`  request ${clean(requestId)}`)
  return exitOf(error)
}

/** The message is about one of the fields, the first, or about a limit without its name. */
function isSaid(detail: { path: string; message: string }, message: string): boolean {
  return message === detail.message || (message.startsWith(detail.path) && message.endsWith(detail.message))
}

const UNKNOWN: ReadonlySet<string> = new Set(['TIMEOUT', 'INTERNAL_ERROR', 'UNAVAILABLE', 'NO_OWNER'])
const OPEN: ReadonlySet<string | undefined> = new Set(['APPROVED', 'REQUIRES_APPROVAL', 'EXECUTING'])

/** The payment may be made still, or was, under its idempotency key alone. */
function isOpen({ code, payment }: BursarError): boolean {
  // Such a payment is made only by the agent itself, however often the command is repeated.
  if (code === 'MANUAL_EXECUTION_REQUIRED') return false
  return UNKNOWN.has(code) || OPEN.has(payment?.status)
}

/** The cause of a failed `fetch` has the system's code in a cause of its own. */
function isNobodyThere({ cause }: BursarError): boolean {
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as NodeJS.ErrnoException
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND'
}

/** Without an answer, or with one that says so, the service is unavailable. */
export function exitOf({ status, code }: BursarError): number {
  return status === 0 || code === 'UNAVAILABLE' || code === 'NO_OWNER' ? EXIT.unreachable : EXIT.refused
}
