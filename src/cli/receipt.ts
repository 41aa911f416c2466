// bursar receipt verify: verifies the receipt of a payment. It needs no service.
import { readFileSync } from 'node:fs'
import type { Receipt } from '../commands/audit/receiptParts.js'
import { createRules } from '../commands/rules.js'
import { hasPolicyError, type Violation } from '../domain/outcomes/violation.js'
import { showing, type Shown } from './terminal/asking.js'
import { broken } from './audit.js'
import { UsageError } from './terminal/command.js'
import { clean } from './terminal/show.js'
import { verifyEd25519 } from '../config/ed25519.js'
import { keyIn } from './terminal/arguments.js'

const rules = createRules({ cacheSize: 1, isChecked: () => true, onDifference: () => {} })

export const receiptCommands = {
  'receipt verify': showing({
    usage: 'receipt verify FILE [--key KEY]',
    summary: 'verify the receipt of a payment and re-evaluate its decision; exits with 1 if it is not valid',
    run: async ({ words: [file], text: option }) => {
      const key = keyIn(option('key'))
      const { text, receipt } = readReceipt(file!)
      // Only this command needs the charts.
      const { receiptFaults } = await import('../commands/audit/receiptCheck.js')
      const faults = await receiptFaults({ verify: verifyEd25519, rules, key }, receipt)
      if (mayHaveDuplicates(text, receipt))
        faults.push('its text is not in the form of a receipt, and may contain a member twice')
      return faults.length > 0 ? broken(faults) : proven(receipt as Receipt, key !== undefined)
    },
  }),
}

function proven(receipt: Receipt, isKeyGiven: boolean): Shown {
  const { requestId, request, outcome, approvals, decision, verifierKey } = receipt
  const { status } = outcome
  const people = approvals.map(({ status, decisions }) => {
    const counted = decisions.filter(({ lapsed }) => lapsed !== true)
    return `approval by people: ${status}, ${counted.length} decided`
  })
  const isError = hasPolicyError(decision['violations'] as Violation[])
  const trust = `the signature was checked with the receipt's own key, compare it or use --key: ${verifierKey}`
  return {
    json: {
      valid: true,
      requestId,
      status,
      outcome: decision['outcome'],
      verifierKey,
      isKeyGiven,
      isDecidedAgain: !isError,
    },
    lines: () =>
      [
        `valid: payment ${requestId} of ${String(request['amount'])} ${String(request['currency'])}, ${status}`,
        ...people,
        isError
          ? 'not re-evaluated: an evaluation error denied it, which cannot be re-evaluated'
          : `re-evaluated: ${String(decision['outcome'])}, same as the decision`,
        ...(isKeyGiven ? [] : [trust]),
      ].map(clean),
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

/** True when the text may have duplicate members: other readers could see another value than the verified one. */
function mayHaveDuplicates(text: string, receipt: unknown): boolean {
  return text !== JSON.stringify(receipt) && text !== JSON.stringify(receipt, null, 2)
}
