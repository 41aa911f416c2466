// The policies that are assigned to a wallet.
import { words } from '../format/words.js'
import { useList } from '../load.js'
import { to } from '../router.js'
import { Badge } from './badge.js'
import { Listed } from './list.js'
import { TwoLines } from './table.js'

export function WalletPolicies({ walletId }: { walletId: string }) {
  const policies = useList('GET /api/policies', 'policies', { query: { walletId, limit: 10 } })
  return (
    <div class="card">
      <h2>Policies</h2>
      <p class="hint">Assigned to this wallet. Policies of its agents and of the whole organization apply as well.</p>
      <Listed of={policies} rows={1}>
        {(rows) =>
          rows.length === 0 ? (
            <p>No policy is assigned.</p>
          ) : (
            <ul class="lines">
              {rows.map(({ id, name, policyType, isActive }) => (
                <li key={id}>
                  <span>
                    <TwoLines
                      first={
                        <a href={to('policies', id)}>
                          <bdi>{name}</bdi>
                        </a>
                      }
                      second={words(policyType)}
                    />
                  </span>
                  {!isActive && <Badge status="INACTIVE" />}
                </li>
              ))}
            </ul>
          )
        }
      </Listed>
    </div>
  )
}
