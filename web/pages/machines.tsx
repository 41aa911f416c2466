// Inspect: all machines.
import '../inspect/inspect.css'
import type { Answer } from '../api.js'
import { Page } from '../components/page.js'
import { When } from '../components/loadingStates.js'
import { RowLink, Table, type Column } from '../components/table.js'
import { useRead } from '../load.js'
import { to } from '../router.js'

type Machine = Answer<'GET /api/machines'>['machines'][number]

const COLUMNS: Column<Machine>[] = [
  { head: 'Machine', cell: ({ name }) => <RowLink href={to('inspect', name)}>{name}</RowLink> },
  { head: 'States', align: 'end', cell: ({ states }) => states.length },
  { head: 'Messages', align: 'end', cell: ({ messages }) => messages.length },
  { head: 'Holds', cell: ({ states }) => listed(states.map(({ holds }) => holds)) },
  { head: 'External calls', cell: ({ states }) => listed(states.map(({ calls }) => calls)) },
  { head: 'Timers', cell: ({ states }) => listed(states.map(({ wakesAt }) => wakesAt)) },
]

const listed = (names: (string | null)[]): string =>
  [...new Set(names.filter((name) => name !== null))].join(', ') || '–'

export default function Machines() {
  const machines = useRead('GET /api/machines', {})
  return (
    <Page title="Inspect" lead="Every object is an actor. A statechart defines its states, one message at a time.">
      <When of={machines}>
        {({ machines: rows }) => (
          <div class="machines">
            <Table caption="Machines" columns={COLUMNS} rows={rows} keyOf={({ name }) => name} />
          </div>
        )}
      </When>
    </Page>
  )
}
