// One actor: its current state in the statechart, live; the timeline of its history; its sequence diagram; its holds.
import '../inspect/inspect.css'
import { api, type Answer } from '../api.js'
import { Long } from '../components/amounts.js'
import { Facts } from '../components/facts.js'
import { Page, Section } from '../components/page.js'
import { Empty, When } from '../components/loadingStates.js'
import { Table, type Column } from '../components/table.js'
import { Tabs } from '../components/tabs.js'
import { AnyValue } from '../components/anyValue.js'
import { fromMicros, money } from '../format/money.js'
import { utc } from '../format/time.js'
import { short, words } from '../format/words.js'
import { ActorName, useActorName } from '../inspect/actorName.js'
import { readable } from '../inspect/changes.js'
import { ActorStory, Latest, useFresh } from '../inspect/actorStory.js'
import { Chart } from '../inspect/chart.js'
import type { Step } from '../inspect/steps.js'
import { useStream } from '../inspect/stream.js'
import { refusalFacts } from '../inspect/timeline.js'
import { Timer } from '../inspect/timer.js'
import { TimeTravel } from '../inspect/timeTravel.js'
import { OpenInVisualizer } from '../inspect/visualizer.js'
import { useLoad, useRead, type Loaded } from '../load.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'

type Actor = Answer<'GET /api/machines/{machine}/actors/{actorId}'>

const PARTS = [
  ['history', 'History'],
  ['story', 'Sequence'],
  ['now', 'Current state'],
] as const
/** The polling interval while the stream is not open. */
const EVERY_MS = 10_000
/** The shortest interval between reads while it is open. */
const FOLLOWED_EVERY_MS = 300
const MAX_ENTRIES = 100

export default function Inspected({ params, query }: PageProps) {
  const [machine, actorId] = [params['machine']!, params['id']!]
  const path = { machine, actorId }
  const actor = useRead('GET /api/machines/{machine}/actors/{actorId}', { path }, { everyMs: EVERY_MS })
  const history = useLoad(() => readHistory(path), [machine, actorId])
  useFresh(history, actor.data?.revision)
  const isLive = useStream({
    concerns: (heard) => heard.machine === machine && heard.actorId === actorId,
    atMostEveryMs: FOLLOWED_EVERY_MS,
    onChange: actor.reload,
  })
  const name = useActorName(machine, actorId)
  const part = PARTS.find(([id]) => id === query.get('part'))?.[0] ?? 'history'
  return (
    <Page
      title={`${words(machine)} ${name ?? short(actorId)}`}
      lead={<Long text={actorId} what="id" />}
      back={{ href: to('inspect', machine), label: words(machine) }}
      actions={<OpenInVisualizer machine={machine} />}
      status={
        <>
          <span class={`badge ${isLive ? 'good' : 'quiet'}`} role="status">
            {isLive ? 'Live' : 'Not live'}
          </span>{' '}
          {actor.data && <Timer of={actor.data} />}
        </>
      }
    >
      <Tabs label="Parts" current={part} of={PARTS} href={(id) => to('inspect', machine, actorId, { part: id })} />
      <When of={actor} rows={10}>
        {(shown) => {
          if (part === 'story') return <StoryPart path={path} actor={shown} />
          return part === 'history' ? <HistoryPart actor={shown} history={history} /> : <NowPart actor={shown} />
        }}
      </When>
    </Page>
  )
}

/** The latest entries, oldest first. */
async function readHistory(path: { machine: string; actorId: string }): Promise<{ entries: Step[]; isWhole: boolean }> {
  const { entries, complete, pagination } = await api.call('GET /api/machines/{machine}/actors/{actorId}/history', {
    path,
    query: { limit: MAX_ENTRIES },
  })
  return { entries: entries.toReversed(), isWhole: complete && !pagination.hasMore }
}

function HistoryPart({ actor, history }: { actor: Actor; history: Loaded<{ entries: Step[]; isWhole: boolean }> }) {
  return (
    <When of={history} rows={10}>
      {({ entries, isWhole }) =>
        entries.length === 0 ? (
          <>
            <Chart machine={actor.machine} state={actor.state} />
            <Empty title="No history">
              {isWhole
                ? 'Only holds of payments have changed it; they are shown with the payments.'
                : 'No recent command has changed it. The audit log has earlier changes.'}
            </Empty>
          </>
        ) : (
          <>
            {!isWhole && <Latest of={entries.length} />}
            <TimeTravel machine={actor.machine} steps={entries} beside={<Holds actor={actor} />} />
          </>
        )
      }
    </When>
  )
}

type Hold = Actor['holds'][number]

const amountOf = ({ amount }: Hold): string => money(fromMicros(BigInt(amount)))

const HOLDS: Column<Hold>[] = [
  { head: 'Gate', cell: ({ gate }) => <GateLink gate={gate} /> },
  { head: 'Hold', cell: ({ level }) => level ?? 'none' },
  { head: 'Amount', align: 'end', cell: amountOf },
  { head: 'Captured', cell: ({ capturedAt }) => (capturedAt === null ? '–' : utc(capturedAt)) },
]

function GateLink({ gate }: { gate: string }) {
  const [machine = '', id = ''] = gate.split('/')
  return (
    <a href={to('inspect', machine, id)}>
      {words(machine)} <ActorName machine={machine} id={id} />
    </a>
  )
}

function HoldTable({ actor: { holds } }: { actor: Actor }) {
  if (holds.length === 0) return null
  return (
    <Section title="Holds">
      <Table caption="Holds" columns={HOLDS} rows={holds} keyOf={({ gate }) => gate} />
    </Section>
  )
}

/** The present holds in the narrow column beside the chart. */
function Holds({ actor: { holds } }: { actor: Actor }) {
  if (holds.length === 0) return null
  return (
    <Section title="Holds">
      <Facts
        of={holds.map((hold) => [
          <GateLink gate={hold.gate} />,
          hold.level === null ? 'none' : `${hold.level}, ${amountOf(hold)}`,
        ])}
      />
    </Section>
  )
}

function Refused({ actor }: { actor: Actor }) {
  if (actor.refusedBy === null && actor.causes.length === 0) return null
  return (
    <Section title="Refusal">
      <Facts of={refusalFacts(actor)} />
    </Section>
  )
}

function StoryPart({ path, actor }: { path: { machine: string; actorId: string }; actor: Actor }) {
  return (
    <>
      <ActorStory {...path} about={actor.revision} />
      <Refused actor={actor} />
      <HoldTable actor={actor} />
    </>
  )
}

function NowPart({ actor }: { actor: Actor }) {
  const { machine, state, context, concealed, messages, revision } = actor
  const { call, wakeAt } = actor.waitsFor
  const hidden = concealed.length > 0 ? ` Not shown: ${concealed.join(', ')}.` : ''
  const waits = [call && `calls ${call}`, wakeAt && `wakes at ${utc(wakeAt)}`].filter(Boolean)
  return (
    <div class="travel">
      <div class="travel-chart">
        <Chart machine={machine} state={state} />
      </div>
      <div class="travel-side">
        <Facts
          of={[
            ['State', <code>{state}</code>],
            ['Waiting for', waits.join(', ') || 'nothing'],
            ['Accepts', messages.map(({ message }) => message).join(', ') || 'nothing'],
            ['Revision', revision],
          ]}
        />
        <Refused actor={actor} />
        <Holds actor={actor} />
        <Section title="Record" lead={`Amounts are in micro-units.${hidden}`}>
          <AnyValue of={readable('', context)} />
        </Section>
      </div>
    </div>
  )
}
