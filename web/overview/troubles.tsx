// The short form of what needs attention: the most urgent of it, and a link to the rest.
import { AttentionLine } from '../attention/lines.js'
import type { Attention } from '../attention/read.js'
import { LaterCard } from '../components/later.js'
import { When } from '../components/loadingStates.js'
import { plural } from '../format/money.js'
import type { Loaded } from '../load.js'
import { to } from '../router.js'

const MOST_SHOWN = 5

export function Troubles({ of }: { of: Loaded<Attention> }) {
  return (
    <LaterCard title="Needs attention" href={to('attention')} rows={2}>
      <When of={of} rows={2}>
        {({ items, totals: { activeAlerts } }) => (
          <>
            {items.length === 0 && <p class="hint">Nothing needs attention.</p>}
            <ul class="lines">
              {items.slice(0, MOST_SHOWN).map((item) => (
                <AttentionLine key={item.id} of={item} isBrief />
              ))}
            </ul>
            {items.length > MOST_SHOWN && <p class="hint">{items.length - MOST_SHOWN} more are on the page.</p>}
            {activeAlerts > 0 && (
              <p>
                <a href={to('alerts', { status: 'ACTIVE' })}>{plural(activeAlerts, 'active alert')}</a>
              </p>
            )}
          </>
        )}
      </When>
    </LaterCard>
  )
}
