// How an edit would have changed the latest decisions: how many in which direction, with examples.
import { Badge } from '../components/badge.js'
import { Checkbox } from '../components/form.js'
import { Money, Time, Who } from '../components/amounts.js'
import { RecipientInline } from '../components/recipientName.js'
import { Failure, Notice } from '../components/loadingStates.js'
import { RowLink } from '../components/table.js'
import { grouped, plural } from '../format/money.js'
import { dateTime } from '../format/time.js'
import { to } from '../router.js'
import type { Impact, Looked } from './draft.js'

export function ImpactOf({ looked: { impact, problems, error, busy } }: { looked: Looked }) {
  const isOld = busy || problems.length > 0
  return (
    <div class={`impact ${isOld ? 'is-old' : ''}`} role="status" aria-live="polite" aria-busy={busy}>
      {error !== undefined && <Failure error={error} />}
      {problems.length > 0 && <p class="problem">Fix {plural(problems.length, 'error')} to see the impact.</p>}
      {impact === undefined ? (
        busy && <p class="hint">Replaying the latest decisions…</p>
      ) : (
        <ImpactSummary impact={impact} />
      )}
    </div>
  )
}

function ImpactSummary({ impact }: { impact: Impact }) {
  const { changed, changes, period, complete, failingTests } = impact
  return (
    <>
      <p class="impact-head">{headline(impact)}</p>
      {changes.length > 0 && (
        <ul class="directions">
          {changes.map(({ before, after, count }) => (
            <li key={`${before} ${after}`}>
              <strong>{grouped(count)}</strong> <Outcomes before={before} after={after} />
            </li>
          ))}
        </ul>
      )}
      {period && (
        <p class="hint">
          From {dateTime(period.from)} to {dateTime(period.to)}, replayed in order, including limits, budgets and
          counts.
        </p>
      )}
      {!complete && <Notice tone="warning">The replay timed out before it reached the latest decisions.</Notice>}
      {failingTests.length > 0 && (
        <Notice tone="danger">
          <strong>{plural(failingTests.length, 'test case')} would fail.</strong>
          <ul>
            {failingTests.map(({ name, message }) => (
              <li key={name}>
                {name}: {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {impact.examples.length > 0 && <Examples of={impact.examples} all={changed} />}
    </>
  )
}

function Outcomes({ before, after }: { before: string; after: string }) {
  return (
    <>
      <Badge status={before} /> <span aria-hidden="true">→</span> <span class="visually-hidden">would be</span>
      <Badge status={after} />
    </>
  )
}

interface ForceProps {
  looked: Looked
  force: boolean
  onForce: (force: boolean) => void
}

/** Lets the editor override tests that would fail. */
export function ForceAnyway({ looked, force, onForce }: ForceProps) {
  if ((looked.impact?.failingTests.length ?? 0) === 0) return null
  return (
    <Checkbox
      label="Save despite failing test cases"
      hint="The override is recorded with the version."
      checked={force}
      onChecked={onForce}
    />
  )
}

/** A short form beside the save button, for narrow screens. */
export function ImpactLine({ looked: { impact, busy } }: { looked: Looked }) {
  return impact === undefined || busy ? null : <p class="impact-line">{headline(impact)}</p>
}

function headline({ replayed, changed }: Impact): string {
  if (replayed === 0) return 'No decisions under this policy yet: nothing to compare.'
  const count = changed === 0 ? 'None' : grouped(changed)
  return `${count} of the last ${plural(replayed, 'decision')} would change`
}

function Examples({ of, all }: { of: Impact['examples']; all: number }) {
  return (
    <>
      <h3>{of.length < all ? `Latest ${of.length}` : 'Changed decisions'}</h3>
      <ul class="examples">
        {of.map(({ paymentId, agentId, amount, currency, at, before, after, violations, ...recipient }) => (
          <li key={paymentId}>
            <RowLink href={to('payments', paymentId)}>
              <Money amount={amount} currency={currency} /> to <RecipientInline of={recipient} />
            </RowLink>
            <span class="hint">
              <Who by={{ type: 'AGENT', id: agentId }} />, <Time at={at} />
            </span>
            <span>
              <Outcomes before={before} after={after} />
            </span>
            {violations.length > 0 && (
              <span class="hint">
                {after === 'DENIED' ? '' : 'Denied before the change: '}
                {violations[0]!.message}
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
