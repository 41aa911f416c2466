// X402_ALLOWED_SERVICES and X402_BLOCKED_SERVICES: payments by x402 by the host of what is paid for. The host is the
// agent's word, so a listed one is paid only where the recipient is known, too: else a person is asked.
import type { Condition } from '../condition.js'
import type { Facts } from '../facts.js'
import { shownList } from '../shown.js'
import { ruleType } from './ruleType.js'
import { serviceHost, serviceSet } from './values.js'

const schema = serviceSet(serviceHost)

export const x402AllowedServices = ruleType({
  operators: ['IN_LIST'],
  actions: ['ALLOW'],
  violation: 'X402_SERVICE_NOT_ALLOWED',
  rail: 'X402',
  schema,
  bind: ({ value, action }, { isPart = false }) => {
    const listed = covering(value)
    const known: Condition = { fact: 'recipientApproved', operator: 'equal', value: true }
    // Within a composite nothing can be put to a person.
    const isStrict = isPart && action === 'ALLOW'
    return {
      condition: isStrict ? { all: [listed, known] } : listed,
      mentions: ['resourceHost', 'recipient'],
      explain: (facts, met) => allowed(facts, value, met, isStrict),
      asks: {
        condition: { all: [listed, { not: known }] },
        mentions: ['resourceHost', 'recipient'],
        explain: unknownRecipient,
      },
    }
  },
})

export const x402BlockedServices = ruleType({
  operators: ['IN_LIST'],
  actions: ['DENY'],
  violation: 'X402_SERVICE_BLOCKED',
  rail: 'X402',
  schema,
  bind: ({ value }) => ({
    condition: covering(value),
    mentions: ['resourceHost'],
    explain: ({ resourceHost }, met) => `${resourceHost} is ${met ? '' : 'not '}one of ${shownList(value)}`,
  }),
})

function covering(entries: readonly string[]): Condition {
  return { any: entries.map((value) => ({ fact: 'resourceScopes', operator: 'contains', value })) }
}

function allowed(facts: Facts, entries: readonly string[], met: boolean, isStrict: boolean): string {
  const isListed = facts.resourceScopes!.some((scope) => entries.includes(scope))
  if (isStrict && isListed && !met) return unknownRecipient(facts)
  return `${facts.resourceHost} is ${isListed ? '' : 'not '}one of ${shownList(entries)}`
}

function unknownRecipient({ recipient, resourceHost }: Facts): string {
  return `No payment to ${recipient} at ${resourceHost} was approved before`
}
