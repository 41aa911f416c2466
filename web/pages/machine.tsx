// One machine: its statechart, its actors that changed recently, and links to them.
import { useState } from 'preact/hooks'
import '../inspect/inspect.css'
import type { Answer } from '../api.js'
import { Time } from '../components/amounts.js'
import { Field } from '../components/form.js'
import { LookBack } from '../components/list.js'
import { Page, Section } from '../components/page.js'
import { Empty, When } from '../components/loadingStates.js'
import { RowLink, Table, type Column } from '../components/table.js'
import { words } from '../format/words.js'
import { ActorName } from '../inspect/actorName.js'
import { Chart } from '../inspect/chart.js'
import { useStream } from '../inspect/stream.js'
import { OpenInVisualizer } from '../inspect/visualizer.js'
import { useList } from '../load.js'
import { go, to } from '../router.js'
import type { PageProps } from '../page.js'

const AT_MOST_EVERY_MS = 1000

type Entry = Answer<'GET /api/audit-logs'>['entries'][number]

export default function Machine({ params }: PageProps) {
  const machine = params['machine']!
  const recent = useList('GET /api/audit-logs', 'entries', { query: { resource: machine, limit: 50 } })
  useStream({
    concerns: (heard) => heard.machine === machine,
    atMostEveryMs: AT_MOST_EVERY_MS,
    onChange: recent.refresh,
  })
  return (
    <Page
      title={words(machine)}
      back={{ href: to('inspect'), label: 'Inspect' }}
      actions={<OpenInVisualizer machine={machine} />}
    >
      <Chart machine={machine} />
      <Section title="Recent activity" actions={<Find machine={machine} />}>
        <When of={recent}>
          {(entries) => <Actors machine={machine} entries={entries} isWhole={recent.more === undefined} />}
        </When>
        <LookBack of={recent} />
      </Section>
    </Page>
  )
}

function Actors({ machine, entries, isWhole }: { machine: string; entries: Entry[]; isWhole: boolean }) {
  const latest = [...new Map(entries.toReversed().map((entry) => [entry.resourceId, entry])).values()].reverse()
  const columns: Column<Entry>[] = [
    {
      head: 'Actor',
      cell: ({ resourceId: id }) => (
        <RowLink href={to('inspect', machine, id)}>
          <ActorName machine={machine} id={id} />
        </RowLink>
      ),
    },
    { head: 'Last change', cell: ({ action }) => words(action) },
    { head: 'When', cell: ({ at }) => <Time at={at} as="relative" /> },
  ]
  if (latest.length === 0 && !isWhole) return <Empty title="No results so far" />
  if (latest.length === 0)
    return (
      <Empty title="No activity">
        No command has changed an actor of this type yet. Gates that only held amounts are not listed.
      </Empty>
    )
  return <Table caption="Actors" columns={columns} rows={latest} keyOf={({ resourceId }) => resourceId} />
}

function Find({ machine }: { machine: string }) {
  const [id, setId] = useState('')
  const find = (event: Event): void => {
    event.preventDefault()
    if (id.trim() !== '') go(to('inspect', machine, id.trim()))
  }
  return (
    <form class="find" onSubmit={find}>
      <Field label="Actor ID" type="search" value={id} onValue={setId} />
      <button type="submit">Show</button>
    </form>
  )
}
