// The story of an actor as a sequence diagram: one column per participant, with time going down.
import type { Answer } from '../api.js'
import { short } from '../format/words.js'

type Story = Answer<'GET /api/machines/{machine}/actors/{actorId}/story'>
type Line = Story['lines'][number]

const COLUMN = 118
const ROW = 34
const TOP = 64
const EDGE = 64

export function SequenceDiagram({ of: { participants, lines } }: { of: Story }) {
  const columns = new Map(participants.map(({ id }, place) => [id, EDGE + place * COLUMN]))
  const [width, height] = [2 * EDGE + (participants.length - 1) * COLUMN, TOP + (lines.length + 1) * ROW]
  return (
    <div class="story-box" tabIndex={0} role="region" aria-label="Sequence diagram">
      <svg class="story" viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
        <defs>
          <marker id="said" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {participants.map(({ id, kind, name }) => (
          <g key={id} class="participant">
            <line x1={columns.get(id)} y1={TOP - 12} x2={columns.get(id)} y2={height - 8} />
            <rect x={columns.get(id)! - 56} y={8} width={112} height={42} rx={6} />
            <text x={columns.get(id)} y={26} class="kind">
              {kind.toLowerCase().replaceAll('_', ' ')}
            </text>
            <text x={columns.get(id)} y={42}>
              {short(name ?? nameIn(id), 8, 5)}
            </text>
          </g>
        ))}
        {lines.map((line, place) => (
          <Said key={place} line={line} y={TOP + place * ROW + ROW / 2} columns={columns} />
        ))}
      </svg>
      <ol class="visually-hidden">
        {lines.map((line, place) => (
          <li key={place}>
            {line.from} to {line.to}: {line.text}
            {line.reasons.length > 0 && `, ${line.reasons.join(', ')}`}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Events go to the event endpoints. */
const nameIn = (id: string): string => (id === 'world' ? 'receives events' : id.slice(id.indexOf('/') + 1))

function Said({
  line: { kind, from, to, text, reasons },
  y,
  columns,
}: {
  line: Line
  y: number
  columns: Map<string, number>
}) {
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
