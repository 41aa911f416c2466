// One actor: its current state in the statechart, live; the time line of its history; the messages between actors; and
// what if.
import { useEffect, useRef, useState } from 'preact/hooks'
import '../inspect/inspect.css'
import { api, type Answer } from '../api.js'
import { Page, Section } from '../components/page.js'
import { Empty, Notice, When } from '../components/states.js'
import { Table, type Column } from '../components/table.js'
import { Tabs } from '../components/tabs.js'
import { Value } from '../components/value.js'
import { fromMicros, money, plural } from '../format/money.js'
import { utc } from '../format/time.js'
import { readable } from '../inspect/changes.js'
import { Chart } from '../inspect/chart.js'
import { keptAfter } from '../inspect/kept.js'
import { stepsOf, type HistoryEntry, type Step } from '../inspect/steps.js'
import { Story } from '../inspect/story.js'
import { useStream } from '../inspect/stream.js'
import { Travel } from '../inspect/travel.js'
import { OpenInVisualizer } from '../inspect/visualizer.js'
import { WhatIf } from '../inspect/whatIf.js'
import { useLoad, type Loaded } from '../load.js'
import { to } from '../router.js'
import type { PageProps } from '../routes.js'

type Actor = Answer<'GET /api/machines/{machine}/actors/{actorId}'>
type Supposed = Answer<'POST /api/machines/{machine}/actors/{actorId}/what-if'>

const PARTS = [
  ['history', 'History'],
  ['story', 'Story'],
  ['what-if', 'What if'],
  ['now', 'Now'],
] as const
/** The polling interval while the stream is not open. */
const EVERY_MS = 10_000
/** The shortest interval between reads while it is open. */
const FOLLOWED_EVERY_MS = 300
const MAX_ENTRIES = 100

export default function Inspected({ params, query }: PageProps) {
  const [machine, actorId] = [params['machine']!, params['id']!]
  const path = { machine, actorId }
  const actor = useLoad(() => api.call('GET /api/machines/{machine}/actors/{actorId}', { path }), [machine, actorId], {
    everyMs: EVERY_MS,
  })
  const history = useLoad(() => readHistory(path), [machine, actorId])
  useFresh(history, actor.data?.revision)
  const isLive = useStream({
    concerns: (heard) => heard.machine === machine && heard.actorId === actorId,
    atMostEveryMs: FOLLOWED_EVERY_MS,
    onChange: actor.reload,
  })
  const part = PARTS.find(([id]) => id === query.get('part'))?.[0] ?? 'history'
  const tabs = PARTS.map(([id, label]) => ({ id, label, href: to('inspect', machine, actorId, { part: id }) }))
  return (
    <Page
      title={`${machine} ${actorId}`}
      back={{ href: to('inspect', machine), label: machine }}
      actions={<OpenInVisualizer machine={machine} />}
      mark={
        <span class={`live ${isLive ? 'on' : ''}`} role="status">
          {isLive ? 'Live' : 'Not live'}
        </span>
      }
    >
      <Tabs label="Parts" current={part} tabs={tabs} />
      <When of={actor} rows={10}>
        {(shown) =>
          part === 'story' ? (
            <StoryPart path={path} actor={shown} />
          ) : part === 'history' ? (
            <HistoryPart actor={shown} history={history} />
          ) : part === 'what-if' ? (
            <WhatIfPart key={shown.revision} actor={shown} />
          ) : (
            <NowPart actor={shown} />
          )
        }
      </When>
    </Page>
  )
}

/** Reads again when the actor changes; the previous data stays until then, and with it the selected step. */
function useFresh({ reload }: Pick<Loaded<unknown>, 'reload'>, revision: number | undefined): void {
  const known = useRef(revision)
  useEffect(() => {
    if (known.current !== undefined && known.current !== revision) reload()
    known.current = revision
  }, [revision])
}

/** The latest entries, oldest first. */
async function readHistory(path: {
  machine: string
  actorId: string
}): Promise<{ entries: HistoryEntry[]; isWhole: boolean }> {
  const { entries, complete, pagination } = await api.call('GET /api/machines/{machine}/actors/{actorId}/history', {
    path,
    query: { limit: MAX_ENTRIES },
  })
  return { entries: entries.toReversed(), isWhole: complete && !pagination.hasMore }
}

function HistoryPart({
  actor,
  history,
}: {
  actor: Actor
  history: Loaded<{ entries: HistoryEntry[]; isWhole: boolean }>
}) {
  return (
    <When of={history} rows={10}>
      {({ entries, isWhole }) =>
        entries.length === 0 ? (
          <>
            <Chart machine={actor.machine} state={actor.state} />
            <Empty title="No history">
              {isWhole
                ? 'Only gates’ turns have changed it, and those are in the rows of the payments that asked.'
                : 'No command of the time that is looked back at has changed it; the audit log has what was before.'}
            </Empty>
          </>
        ) : (
          <>
            {!isWhole && <Latest of={entries.length} />}
            <Travel machine={actor.machine} steps={stepsOf(entries)} beside={rowsAt(actor)} />
          </>
        )
      }
    </When>
  )
}

function Latest({ of: count }: { of: number }) {
  return <Notice>These are the latest {plural(count, 'command')} that changed it; the audit log has the others.</Notice>
}

type Row = Actor['rows'][number]

const ROWS: Column<Row>[] = [
  { head: 'Gate', cell: ({ gate }) => <a href={to('inspect', ...gate.split('/'))}>{gate.split('/')[0]}</a> },
  { head: 'Keeps', cell: ({ entry }) => entry?.state ?? 'nothing' },
  { head: 'Amount', align: 'end', cell: ({ amount }) => money(fromMicros(BigInt(amount))) },
  { head: 'Attempt', align: 'end', cell: ({ entry }) => entry?.attempt ?? '–' },
  { head: 'Captured', cell: ({ entry }) => (entry?.capturedAt ? utc(entry.capturedAt) : '–') },
]

function Rows({ actor: { rows } }: { actor: Actor }) {
  if (rows.length === 0) return null
  return (
    <Section title="What its gates keep of it now">
      <Table caption="Rows of gates" columns={ROWS} rows={rows} keyOf={({ gate, holder }) => gate + holder} />
    </Section>
  )
}

/** At the last step the entries come from the service; at earlier ones, from the steps. */
const rowsAt = (actor: Actor) => (until: readonly Step[], isLast: boolean) => {
  const kept = isLast ? undefined : keptAfter(until)
  if (!kept) return <RowsBeside actor={actor} />
  const rows = actor.rows.map(({ gate, amount }): Kept => ({ gate, amount, state: kept.get(gate) }))
  return <KeptRows title="What its gates kept of it then" rows={rows} />
}

interface Kept extends Pick<Row, 'gate' | 'amount'> {
  state: string | undefined
  attempt?: number | undefined
}

/** The current entries in the narrow column beside the chart. */
function RowsBeside({ actor: { rows } }: { actor: Actor }) {
  const kept = rows.map(({ gate, amount, entry }) => ({ gate, amount, state: entry?.state, attempt: entry?.attempt }))
  return <KeptRows title="What its gates keep of it now" rows={kept} />
}

function KeptRows({ title, rows }: { title: string; rows: Kept[] }) {
  if (rows.length === 0) return null
  return (
    <Section title={title}>
      <dl class="facts">
        {rows.map(({ gate, amount, state, attempt }, place) => (
          <div key={place}>
            <dt>
              <a href={to('inspect', ...gate.split('/'))}>{gate.split('/')[0]}</a>
            </dt>
            <dd>
              {state ?? 'nothing'}
              {state && amount > 0 && `, ${money(fromMicros(BigInt(amount)))}`}
              {attempt !== undefined && `, attempt ${attempt}`}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function StoryPart({ path, actor }: { path: { machine: string; actorId: string }; actor: Actor }) {
  const story = useLoad(
    () => api.call('GET /api/machines/{machine}/actors/{actorId}/story', { path }),
    [actor.machine, actor.id],
  )
  useFresh(story, actor.revision)
  return (
    <When of={story} rows={10}>
      {(told) => (
        <>
          {!told.complete && <Latest of={new Set(told.lines.map(({ sequence }) => sequence)).size} />}
          <Story told={told} />
          <Rows actor={actor} />
        </>
      )}
    </When>
  )
}

function WhatIfPart({ actor }: { actor: Actor }) {
  const [supposed, setSupposed] = useState<Supposed>()
  const choices = supposed?.turns.flatMap(({ choice }) => choice ?? []) ?? []
  return (
    <div class="travel">
      <div class="travel-chart">
        <Chart machine={actor.machine} state={actor.state} choices={choices} supposed={supposed?.state} />
      </div>
      <div class="travel-side">
        <WhatIf actor={actor} onSupposed={setSupposed} />
      </div>
    </div>
  )
}

function NowPart({ actor }: { actor: Actor }) {
  const {
    machine,
    state,
    context,
    concealed,
    waitsFor: { ask, call, wakeAt },
    messages,
    revision,
  } = actor
  const hidden = concealed.length > 0 ? ` Not shown: ${concealed.join(', ')}.` : ''
  const waits = [
    ask && `asks ${ask.type} of ${ask.to}`,
    call && `calls ${call}`,
    wakeAt && `wakes at ${utc(wakeAt)}`,
  ].filter(Boolean)
  return (
    <div class="travel">
      <div class="travel-chart">
        <Chart machine={machine} state={state} />
      </div>
      <div class="travel-side">
        <dl class="facts">
          <div>
            <dt>State</dt>
            <dd>
              <code>{state}</code>
            </dd>
          </div>
          <div>
            <dt>Waits for</dt>
            <dd>{waits.join(', ') || 'nothing'}</dd>
          </div>
          <div>
            <dt>Takes</dt>
            <dd>{messages.map(({ message }) => message).join(', ') || 'nothing'}</dd>
          </div>
          <div>
            <dt>Writes so far</dt>
            <dd>{revision}</dd>
          </div>
        </dl>
        <RowsBeside actor={actor} />
        <Section title="Record" lead={`Amounts are in micro-units.${hidden}`}>
          <Value of={readable('', context)} />
        </Section>
      </div>
    </div>
  )
}
