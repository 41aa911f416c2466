// bursar receipt verify: whether the receipt of a payment proves what it says. It needs no service.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { receiptFaults } from '../commands/receiptCheck.js'
import type { Receipt } from '../commands/receiptParts.js'
import { createRules } from '../commands/rules.js'
import { BROKEN, VALID } from './audit.js'
import { UsageError, type Command } from './command.js'
import { keyIn, verifyEd25519 } from './signature.js'

const rules = createRules({ cacheSize: 1, isChecked: () => true, onDifference: () => {} })

export const receiptVerify: Command = {
  usage: 'receipt verify FILE [--key KEY]',
  summary: 'check the receipt of a payment and decide it again; exits with 1 when it proves nothing',
  run: async (args, { say }) => {
    const { file, key } = readArguments(args)
    const { text, receipt } = readReceipt(file)
    const faults = await receiptFaults({ verify: verifyEd25519, rules, key }, receipt)
    if (saysTwoThings(text, receipt)) faults.push('its text is not the one that its members make')
    for (const fault of faults) say(`BROKEN: ${fault}`)
    if (faults.length > 0) return BROKEN
    const { requestId, request, outcome, decision, verifierKey } = receipt as Receipt
    say(`valid: payment ${requestId} of ${String(request['amount'])} ${String(request['currency'])}, ${outcome.status}`)
    for (const { status, decisions } of (receipt as Receipt).approvals) say(`asked of people: ${status}, ${decisions.length} decided`)
    say(`decided again: ${String(decision['outcome'])}, as it was decided then`)
    if (!key) say(`the key is the one that the receipt itself names, compare it or give --key: ${verifierKey}`)
    return VALID
  },
}

function readArguments(args: string[]) {
  try {
    const { positionals, values } = parseArgs({ args, options: { key: { type: 'string' } }, allowPositionals: true })
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new UsageError('receipt verify takes one FILE')
    return { file, key: keyIn(values.key) }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message)
  }
}

function readReceipt(path: string): { text: string; receipt: unknown } {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return { text, receipt: JSON.parse(text) }
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** A member that is there twice would say one thing here and another to whoever reads the file. */
function saysTwoThings(text: string, receipt: unknown): boolean {
  return text !== JSON.stringify(receipt) && text !== JSON.stringify(receipt, null, 2)
}
