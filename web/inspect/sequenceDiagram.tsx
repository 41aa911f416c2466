// The story of an actor as a sequence diagram: one column per participant, with time going down.
import type { Answer } from '../api.js'
import { utc } from '../format/time.js'
import { short, words } from '../format/words.js'
import { useName } from '../names.js'

type Story = Answer<'GET /api/machines/{machine}/actors/{actorId}/story'>
type Line = Story['lines'][number]
type Participant = Story['participants'][number]

const COLUMN = 148
const ROW = 34
const TOP = 64
/** At the left, the times. */
const EDGE = 140
const RIGHT = 80
const BOX = 136

export function SequenceDiagram({ of: { participants, lines } }: { of: Story }) {
  const columns = new Map(participants.map(({ id }, place) => [id, EDGE + place * COLUMN]))
  const width = EDGE + RIGHT + (participants.length - 1) * COLUMN
  const height = TOP + (lines.length + 1) * ROW
  const byId = new Map(participants.map((one) => [one.id, one]))
  return (
    <div class="story-box" tabIndex={0} role="region" aria-label="Sequence diagram">
      <svg class="story" viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
        <defs>
          <marker id="said" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {participants.map((one) => (
          <g key={one.id} class="participant">
            <line x1={columns.get(one.id)} y1={TOP - 12} x2={columns.get(one.id)} y2={height - 8} />
            <rect x={columns.get(one.id)! - BOX / 2} y={8} width={BOX} height={42} rx={6} />
            <text x={columns.get(one.id)} y={26} class="kind">
              {kindOf(one)}
            </text>
            <text x={columns.get(one.id)} y={42}>
              <ParticipantName of={one} isShort />
            </text>
          </g>
        ))}
        {lines.map((line, place) => (
          <Said key={place} line={line} y={TOP + place * ROW + ROW / 2} columns={columns} />
        ))}
        {lines.map(({ at, sequence }, place) =>
          sequence === lines[place - 1]?.sequence ? null : (
            <text key={place} class="when" x={4} y={TOP + place * ROW + ROW / 2 + 4}>
              {utc(at).slice(11)}
            </text>
          ),
        )}
      </svg>
      <ol class="visually-hidden">
        {lines.map((line, place) => (
          <li key={place}>
            {utc(line.at)}, <ParticipantName of={byId.get(line.from)!} /> to <ParticipantName of={byId.get(line.to)!} />
            : {line.text}
            {line.reasons.length > 0 && `, ${line.reasons.join(', ')}`}
          </li>
        ))}
      </ol>
    </div>
  )
}

const kindOf = ({ kind }: Participant): string => kind.toLowerCase().replaceAll('_', ' ')

/** Events go to the endpoints; what has no name is its kind and the end of its id. */
function ParticipantName({ of, isShort = false }: { of: Participant; isShort?: boolean }) {
  const id = of.id.slice(of.id.indexOf('/') + 1)
  const found = useName({ type: of.kind, id, ...(of.name !== null && { name: of.name }) })
  const name = of.id === 'world' ? 'endpoints' : (found ?? id)
  return <>{isShort ? inBox(name, found === undefined) : `${words(of.kind)} ${name}`}</>
}

/** What of a name has room in its box: of a payment, the amount. */
function inBox(name: string, isId: boolean): string {
  const [first = ''] = name.split(' to ')
  return isId ? short(name, 6, 4) : short(first, 11, 5)
}

interface SaidProps {
  line: Line
  y: number
  columns: Map<string, number>
}

function Said({ line: { kind, from, to, text, reasons }, y, columns }: SaidProps) {
  const [start, end] = [columns.get(from)!, columns.get(to)!]
  const says = reasons.length === 0 ? text : `${text}: ${reasons.join(', ')}`
  if (kind === 'state') {
    return (
      <g class="said state">
        <rect x={start - 56} y={y - 11} width={112} height={22} rx={11} />
        <text x={start} y={y + 4}>
          {text}
        </text>
      </g>
    )
  }
  const inset = end > start ? -4 : 4
  return (
    <g class={`said ${kind}${reasons.length > 0 ? ' refused' : ''}`}>
      <line x1={start} y1={y + 8} x2={end + inset} y2={y + 8} marker-end="url(#said)" />
      <text x={(start + end) / 2} y={y + 2}>
        {says}
      </text>
    </g>
  )
}
