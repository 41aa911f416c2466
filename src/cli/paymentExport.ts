// bursar payments export: writes payments as CSV, as they arrive. A file is there whole or not at all.
import { rmSync, statSync } from 'node:fs'
import { open, rename, type FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { BursarAdmin } from '../../sdk/index.js'
import { Failure } from '../config/failure.js'
import { VIOLATION_TYPES } from '../domain/outcomes/violation.js'
import { PAYMENT_STATUSES, RAILS } from '../domain/payment/terms.js'
import { agentIdOf } from './agents.js'
import { choice } from './terminal/arguments.js'
import { asking, type ServiceCommand, type Shown } from './terminal/asking.js'
import { UsageError } from './terminal/command.js'

type Filters = NonNullable<Parameters<BursarAdmin['payments']['export']>[0]>

const FILTERS =
  '[--search TEXT] [--status STATUS] [--agent AGENT] [--wallet ID] [--counterparty ID] [--category TEXT] [--policy ID] ' +
  '[--violation TYPE] [--amount-min AMOUNT] [--amount-max AMOUNT] [--from TIME] [--to TIME] [--rail RAIL] ' +
  '[--payment-key KEY] [--reference TEXT] [--session ID]'

/** Until the next payment that passes the filters is found. */
const PATIENT = { timeout: 10 * 60_000 }

export const exportCommand = asking({
  usage: `payments export ${FILTERS} [--out FILE]`,
  summary: 'write payments as CSV, newest first, to standard output or to a file; TIME is 2026-01-31T12:00:00Z',
  run: async (given) => {
    const out = given.text('out')
    if (given.has('json') && out === undefined) throw new UsageError('--json needs --out: the output is CSV without it')
    const filters = await filtersIn(given)
    if (out !== undefined) return written(out, () => given.bursar.payments.export(filters, PATIENT))
    for await (const row of given.bursar.payments.export(filters, PATIENT)) given.context.say(row)
    return { json: undefined, lines: () => [] }
  },
})

async function filtersIn(given: ServiceCommand): Promise<Filters> {
  const { text } = given
  const agent = text('agent')
  return {
    search: text('search'),
    status: choice('--status', PAYMENT_STATUSES, text('status')),
    agentId: agent === undefined ? undefined : await agentIdOf(given, agent),
    walletId: text('wallet'),
    counterpartyId: text('counterparty'),
    category: text('category'),
    policyId: text('policy'),
    violation: choice('--violation', VIOLATION_TYPES, text('violation')),
    amountMin: text('amount-min'),
    amountMax: text('amount-max'),
    from: text('from'),
    to: text('to'),
    rail: choice('--rail', RAILS, text('rail')),
    paymentKey: text('payment-key'),
    reference: text('reference'),
    sessionId: text('session'),
  }
}

/** Writes beside the file and renames, so that an export that was cut off is taken for none. */
async function written(out: string, ask: () => AsyncIterable<string>): Promise<Shown> {
  const unfinished = `${out}.${process.pid}`
  const file = await opened(out, unfinished)
  try {
    const stream = file.createWriteStream({ flush: true })
    await pipeline(rowsOf(ask()), stream)
    await rename(unfinished, out)
    const { bytesWritten: bytes } = stream
    return { json: { file: out, bytes }, lines: () => [`${bytes} bytes written to ${out}`] }
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Only this user can read it. */
async function opened(out: string, unfinished: string): Promise<FileHandle> {
  // A device must not be replaced by a file.
  if (statSync(out, { throwIfNoEntry: false })?.isFile() === false) throw new UsageError(`${out} is not a file`)
  try {
    return await open(unfinished, 'wx', 0o600)
  } catch (error) {
    throw new Failure(`${out} cannot be written: ${(error as Error).message}`)
  }
}

/** A line feed inside a cell is one of the file's as well. */
async function* rowsOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}
