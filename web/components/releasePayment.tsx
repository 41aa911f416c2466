// Releasing a payment that is not executed: its amount is no longer reserved. The dialog says that money may still move.
import { api } from '../api.js'
import { cardName } from '../format/words.js'
import { isPaidByAgent, type Payment } from '../records.js'
import { Confirm } from './dialog.js'
import { paymentTitle } from '../format/recipient.js'

type Released = Pick<
  Payment,
  'id' | 'amount' | 'currency' | 'recipientAddress' | 'recipientName' | 'card' | 'x402' | 'paymentKey' | 'wallet'
>

export function ReleasePayment({ of, reload }: { of: Released; reload: () => void }) {
  const { id, recipientName, paymentKey } = of
  const subject = paymentTitle(of)
  return (
    <Confirm
      label="Release"
      about={subject}
      title={`Release ${subject}?`}
      danger
      reason
      choice={paymentKey === undefined ? undefined : 'It was not paid: allow another attempt at this purchase'}
      act={(once, reason, allowRetry) =>
        api.call(
          'POST /api/payments/{paymentId}/release',
          { path: { paymentId: id }, body: { reason, allowRetry } },
          once,
        )
      }
      after={reload}
      done={`The payment was released: ${subject}`}
    >
      The reserved amount becomes available again, and Bursar no longer executes the payment
      {recipientName !== null && (
        <>
          , which the agent says is to <q>{recipientName}</q>
        </>
      )}
      . {warningOf(of)}
    </Confirm>
  )
}

function warningOf({ card, x402, wallet }: Released): string {
  if (card) return `The money may still move: look first whether ${cardName(card)} was charged.`
  if (x402) return `The money may still move: ${x402.host} may already have a signature, which cannot be called back.`
  if (isPaidByAgent(wallet))
    return 'The money may still move: the agent may have paid from its own wallet. Check the chain first.'
  return 'No transfer has been sent for it.'
}
