// A payment that waits for a person, in few lines: who asks, whom it pays, how much and for what, the rule that asked,
// and today's spending. Text by agents is shown only as text.
import type { ComponentChildren } from 'preact'
import { decimal, micros } from '../format/money.js'
import type { PaymentApproval } from '../records.js'
import { AgentLink, Money } from './amounts.js'
import { Facts } from './facts.js'
import { UsageBar } from './limitBar.js'
import { KnownAs, type KnownRecipient } from './recipient.js'
import { ClaimedName, RecipientAddress } from './recipientName.js'
import { Copy } from './secret.js'

type Payment = PaymentApproval['payment']

/** What the agent has spent today and may spend, from the wallet or with the card that would pay. */
export interface Today {
  spent: number
  reserved: number
  limit: number | null
}

interface Props {
  approval: PaymentApproval
  /** Undefined while they are read, as `today`; null on a card. */
  recipient: KnownRecipient | null | undefined
  /** Null if the agent may no longer pay from there. */
  today: Today | null | undefined
}

/** Each line has its place before its content is read, so that nothing moves under a thumb. */
export function RequestInBrief({ approval: { payment, reasons }, recipient, today }: Props) {
  return (
    <div class="card brief">
      <Facts
        of={[
          ['Amount', <Amount of={payment} />],
          [
            'Agent',
            <Short>
              <AgentLink id={payment.agentId} />
            </Short>,
          ],
          ['To', <PaidTo of={payment} known={recipient} />],
          ['Purpose', <Short>{payment.purpose ?? <span class="hint">none given</span>}</Short>],
          ['Rule', <Short>{reasons.join(' ')}</Short>],
          ['Spent today', <SpentToday of={today} currency={payment.currency} />],
        ]}
      />
    </div>
  )
}

/** On a phone, long text is cut to a few lines; the details below have all of it. */
const Short = ({ children }: { children: ComponentChildren }) => <div class="short">{children}</div>

function Amount({ of: { amount, currency } }: { of: Payment }) {
  return (
    <strong class="big">
      <Money amount={amount} currency={currency} />
    </strong>
  )
}

/** The name that the organization knows, else the one that the agent claims; always with the whole address. */
function PaidTo({ of, known }: { of: Payment; known: Props['recipient'] }) {
  const { recipientAddress, recipientName } = of
  if (recipientAddress === null) return <RecipientAddress of={of} />
  return (
    <>
      <div class="brief-name short">
        {known?.here ? <KnownAs of={known.here} /> : <Claim name={recipientName} known={known} />}
      </div>
      <code class="whole">{recipientAddress}</code> <Copy text={recipientAddress} what="address" />
    </>
  )
}

function Claim({ name, known }: { name: string | null; known: Props['recipient'] }) {
  if (name !== null) return <ClaimedName name={name} />
  return <span class="hint">{known === undefined ? '…' : 'no counterparty of yours'}</span>
}

function SpentToday({ of, currency }: { of: Today | null | undefined; currency: string }) {
  if (of === undefined) return <>…</>
  if (of === null) return <>–</>
  const { spent, reserved, limit } = of
  const held = reserved > 0 && <span class="hint">, {decimal(reserved)} reserved</span>
  if (limit === null) {
    return (
      <>
        <Money amount={spent} currency={currency} />, no daily limit{held}
      </>
    )
  }
  return (
    <>
      {decimal(spent)} of <Money amount={limit} currency={currency} />
      {held}
      <UsageBar label="Today" limit={limit} used={micros(spent) + micros(reserved)} />
    </>
  )
}
