// An entry about a payment as a sentence: who did what with which amount, to whom, and what came of it.
import type { ComponentChildren } from 'preact'
import { Money, Who } from '../components/amounts.js'
import { isFields } from '../components/anyValue.js'
import { RecipientSaid } from '../components/recipientSaid.js'
import { short, statusOfState, words } from '../format/words.js'
import { movedIn, type Logged } from '../payment/logged.js'
import type { TermsSaid } from './terms.js'
import { PAYMENT_EVENTS, PAYMENT_VERBS, phrased, verbOf } from './verbs.js'

export function PaymentSentence({ of: entry, terms }: { of: Logged; terms: TermsSaid | undefined }) {
  const { action, actor, resourceId } = entry
  const about = terms ? (
    <>
      <Money amount={terms.amount} currency={terms.currency} /> to <RecipientSaid of={terms} />
    </>
  ) : (
    <>
      payment <code title={resourceId}>{short(resourceId)}</code>
    </>
  )
  const happened = PAYMENT_EVENTS[verbOf(action)]
  return (
    <>
      {happened === undefined ? (
        <>
          <Subject actor={actor} terms={terms} /> {phrased(PAYMENT_VERBS, action)} {about}
        </>
      ) : (
        <>
          {about} {happened}
        </>
      )}
      <Outcome of={entry} />
    </>
  )
}

/** An agent's key acts for its agent. */
function Subject({ actor, terms }: { actor: Logged['actor']; terms: TermsSaid | undefined }) {
  const by = actor.type === 'AGENT_KEY' && terms ? { type: 'AGENT', id: terms.agentId } : actor
  return (
    <strong>
      <Who by={by} />
    </strong>
  )
}

/** `: Denied, daily limit` of a request; `: Approved → Executed` of what came later. */
function Outcome({ of: { data } }: { of: Logged }): ComponentChildren {
  const { from, to } = movedIn(data)
  if (to === undefined) return null
  const reasons = reasonsIn(data)
  const told = `${statusOfState(to)}${reasons.length > 0 ? `, ${reasons.join(', ')}` : ''}`
  const before = from === undefined ? undefined : statusOfState(from)
  return before === undefined || before === statusOfState(to) ? (
    <>: {told}</>
  ) : (
    <>
      : {before} → {told}
    </>
  )
}

function reasonsIn(data: unknown): string[] {
  const decision = isFields(data) ? data['decision'] : undefined
  const violations = isFields(decision) ? decision['violations'] : undefined
  const types = Array.isArray(violations)
    ? violations.map((one: { type: string }) => words(one.type).toLowerCase())
    : []
  return [...new Set(types)]
}
