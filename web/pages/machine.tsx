// One machine: its statechart, its actors that changed lately, and links to them.
import { useState } from 'preact/hooks'
import '../inspect/inspect.css'
import { api, type Answer } from '../api.js'
import { Time } from '../components/amounts.js'
import { Field } from '../components/form.js'
import { LookBack } from '../components/list.js'
import { Page, Section } from '../components/page.js'
import { Empty, When } from '../components/loadingStates.js'
import { Table, type Column } from '../components/table.js'
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
  const lately = useList(
    (cursor, signal) =>
      api.call('GET /api/audit-logs', { query: { resource: machine, limit: 50, cursor } }, { signal }),
    (page) => page.entries,
    [machine],
  )
  useStream({
    concerns: (heard) => heard.machine === machine,
    atMostEveryMs: AT_MOST_EVERY_MS,
    onChange: lately.refresh,
  })
  return (
    <Page
      title={machine}
      back={{ href: to('inspect'), label: 'Inspect' }}
      actions={<OpenInVisualizer machine={machine} />}
    >
      <Chart machine={machine} />
      <Section title="Recent activity" actions={<Find machine={machine} />}>
        <When of={lately}>
          {(entries) => <Actors machine={machine} entries={entries} isWhole={lately.more === undefined} />}
        </When>
        <LookBack of={lately} />
      </Section>
    </Page>
  )
}

function Actors({ machine, entries, isWhole }: { machine: string; entries: Entry[]; isWhole: boolean }) {
  const latest = [...new Map(entries.toReversed().map((entry) => [entry.resourceId, entry])).values()].reverse()
  const columns: Column<Entry>[] = [
    {
      head: 'Actor',
      cell: ({ resourceId }) => (
        <a class="row-link" href={to('inspect', machine, resourceId)}>
          {resourceId}
        </a>
      ),
    },
    { head: 'Last change', cell: ({ action }) => action },
    { head: 'When', cell: ({ at }) => <Time at={at} as="relative" /> },
  ]
  if (latest.length === 0 && !isWhole) return <Empty title="No results so far" />
  if (latest.length === 0)
    return (
      <Empty title="No activity">
        No command has changed an actor of this type yet. Gates that only answered are not listed.
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
