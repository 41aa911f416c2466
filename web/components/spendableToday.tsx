// What an agent may spend today from each of its wallets, in sentences: the smaller of its limits and its balance.
import { fromMicros, micros, money } from '../format/money.js'
import { useRead } from '../load.js'
import type { AgentLimits } from '../records.js'
import { When } from './loadingStates.js'

type WalletLimits = AgentLimits['wallets'][number]

export function SpendableToday({ agentId, mayExecute }: { agentId: string; mayExecute: boolean }) {
  const limits = useRead('GET /api/agents/{agentId}/limits', { path: { agentId } })
  return <When of={limits}>{(known) => <Sentences of={known} mayExecute={mayExecute} />}</When>
}

function Sentences({ of, mayExecute }: { of: AgentLimits; mayExecute: boolean }) {
  const { wallets, approvalAbove, recipients } = of
  if (wallets.length === 0) return <p>Nothing: the agent has no wallet.</p>
  return (
    <>
      <ul>
        {wallets.map((wallet) => {
          const left = leftToday(wallet)
          const { walletId, currency, perPayment, openNow } = wallet
          return (
            <li key={walletId}>
              <strong>{money(left, currency)}</strong>
              {/* A limit above all that is left would read as if more could be paid. */}
              {perPayment !== null &&
                micros(perPayment) < micros(left) &&
                `, at most ${money(perPayment, currency)} in one payment`}
              {!openNow && ', and not at this time'}
            </li>
          )
        })}
      </ul>
      <p class="hint">
        {recipients === 'LISTED' ? 'Only to recipients on a list. ' : 'To any recipient that is not blocked. '}
        {approvalAbove !== undefined && `Above ${money(approvalAbove)} a person must approve. `}
        {!mayExecute && 'It could request these payments, and not execute them.'}
      </p>
    </>
  )
}

/** Limits of longer periods bind today, too. */
function leftToday({ balance, remaining }: WalletLimits): string {
  const bounds = [balance, remaining.day, remaining.week, remaining.month].filter((one) => one !== null)
  return fromMicros(bounds.map(micros).reduce((a, b) => (a < b ? a : b)))
}
