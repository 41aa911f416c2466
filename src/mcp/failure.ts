// What went wrong, as a tool answers it: the code of the REST interface, its message, and what a model can do about it.
import type * as v from 'valibot'
import type { BursarError, Code } from '../../sdk/index.js'
import type { Tool, ToolAnswer } from './tool.js'

const REPEAT =
  'Call the same tool again with the same arguments, above all the same paymentKey: a purchase is paid once'
const TELL = 'Tell the person you work for: this is not in your power'
const CORRECT = 'Correct what the message names and call the tool again'
const WAITS = 'Tell the person you work for that this waits for a decision, then call the same tool again'
const READ = 'Call payment_status to see how the payment stands'

const STEPS: { [code in Code]?: string } = {
  AUTH_FAILED: 'Tell the person you work for that the agent key is not valid any more',
  INSUFFICIENT_SCOPE: 'Tell the person you work for that the agent key may not do this',
  NO_WALLET:
    'Call get_limits: where it shows wallets, leave out walletId and chainId; where it shows none, ask the person you work ' +
    'for to delegate a wallet to you',
  PRICE_CHANGED:
    'Compare the purchase with what was requested under this paymentKey (payment_status). If it is another purchase, ' +
    'send its own invoice or order number as paymentKey; if its price has changed, tell the person you work for',
  NOT_FOUND: 'Check the requestId: it comes from request_payment or pay',
  INVALID_STATUS: READ,
  ALREADY_EXECUTED: 'Nothing: it is paid. Do not pay this purchase again',
  EXPIRED: 'Call request_payment again with the same paymentKey: nothing was paid',
  LIMIT_EXCEEDED: 'Call get_limits; nothing was paid. Do not split the purchase into smaller payments',
  INSUFFICIENT_BALANCE: 'Tell the person you work for that the wallet must be funded: nothing was paid',
  MANUAL_EXECUTION_REQUIRED: TELL,
  PAYMENT_DENIED: 'Do what the message says, if that is in your power; do not split the purchase into smaller payments',
  REQUIRES_APPROVAL: WAITS,
  NOT_CONFIRMED: 'Wait some seconds, then call the same tool again with the same arguments',
  VALIDATION_ERROR: CORRECT,
  INVALID_INPUT: CORRECT,
  INVALID_AMOUNT: 'Correct the amount and call the tool again',
  INVALID_JSON: CORRECT,
  CARD_NUMBER_REFUSED: 'Leave the card number out of the text and call the tool again',
  PAYLOAD_TOO_LARGE: 'Shorten the texts and call the tool again',
  IDEMPOTENCY_CONFLICT: 'Call payment_status with the paymentKey of this purchase before anything else',
  INVALID_ADDRESS: 'Correct the address; never guess one',
  INVALID_RECIPIENT: 'Find out the right address: nobody may be paid at this one',
  TIMEOUT: REPEAT,
  INTERNAL_ERROR: REPEAT,
  UNAVAILABLE: REPEAT,
  NO_OWNER: REPEAT,
}

/** A refusal of the service, or a lost answer. */
export function failureAnswer({ code, message, details = [], retryAfter }: BursarError): ToolAnswer {
  return {
    fields: {},
    failure: { code, message: saidOnce(message, details) },
    nextSteps: [code === 'RATE_LIMITED' ? waitStep(retryAfter) : (STEPS[code] ?? TELL)],
  }
}

/** The message is often that of the first fault, with or without its field: one that is no sentence gets it. */
function saidOnce(message: string, details: NonNullable<BursarError['details']>): string {
  const same = details.find((fault) => fault.message === message && !isSentence(fault))
  const unsaid = details.filter((fault) => !message.includes(fault.message))
  const faults = unsaid.map((fault) => `${fault.path} ${fault.message}`)
  return [same === undefined ? message : `${same.path} ${message}`, ...faults].join('; ')
}

/** It begins with a capital, or with what it is about. */
function isSentence({ path, message }: { path: string; message: string }): boolean {
  return /^\p{Lu}/u.test(message) || message.startsWith(`${path} `)
}

/** Of a tool that is not offered to the key. */
export function mayNotExecute(): ToolAnswer {
  const message = 'This key may not execute payments: nothing was paid'
  const step = 'Tell the person you work for: another key of the agent, with the scope payments:execute, may execute'
  return { fields: {}, failure: { code: 'INSUFFICIENT_SCOPE', message }, nextSteps: [step] }
}

function waitStep(seconds = 5): string {
  return `Wait ${seconds} seconds, then call the same tool again with the same arguments`
}

/** Arguments that do not fit: names each field, and says what to send in it. */
export function wrongArguments({ input }: Tool, issues: readonly v.BaseIssue<unknown>[]): ToolAnswer {
  const names = [...new Set(issues.map(({ path }) => String(path?.[0]?.key ?? 'arguments')))]
  const steps = names.map((name) => {
    const field = input.entries[name]
    const description = field && descriptionOf(field)
    return description === undefined
      ? `Leave out ${name}: this tool takes ${Object.keys(input.entries).join(', ') || 'no arguments'}`
      : `Send ${name}: ${description}`
  })
  const message = `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} missing or not as described`
  return { fields: {}, failure: { code: 'VALIDATION_ERROR', message }, nextSteps: steps }
}

/** That of an optional field is inside. */
function descriptionOf(field: v.GenericSchema): string | undefined {
  const inner = 'wrapped' in field ? (field.wrapped as v.GenericSchema) : field
  const actions = 'pipe' in inner ? (inner.pipe as readonly { type: string; description?: string }[]) : []
  return actions.find(({ type }) => type === 'description')?.description
}
