// The choice of the time that the overview is about.
import { Filters } from '../components/filter.js'
import { Notice } from '../components/loadingStates.js'
import { Tabs } from '../components/tabs.js'
import { to } from '../router.js'
import { CUSTOM, PERIOD_CHOICES, type ShownPeriod } from './period.js'

/** They are shown with the days of the period, which the address may leave out. */
export function PeriodPicker({ period }: { period: ShownPeriod }) {
  const { choice, from, to: last, length } = period
  const days = { period: CUSTOM, from, to: last }
  return (
    <>
      <Tabs
        label="Period"
        current={choice}
        of={PERIOD_CHOICES}
        href={(one) => to('', one === CUSTOM ? days : { period: one })}
      />
      {choice === CUSTOM && (
        <Filters
          path=""
          query={new URLSearchParams(days)}
          of={[
            { label: 'From', name: 'from', type: 'date' },
            { label: 'To', name: 'to', type: 'date' },
          ]}
        />
      )}
      {length < 1 && <Notice tone="warning">The last day is before the first: choose a later one.</Notice>}
    </>
  )
}
