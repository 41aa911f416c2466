// A change that waits for a second person: what it is about, and each field as it is and as it would be.
import type { ComponentChildren } from 'preact'
import { useLoad } from '../load.js'
import { words } from '../format/words.js'
import { ACTIONS, type AskedChange } from './asked.js'
import { currentOf, type Fields } from './currentRecord.js'
import { Facts } from './facts.js'
import { Time, Who } from './figures.js'
import { Table, type Column } from './table.js'
import { spoken, Value } from './value.js'

export function ChangeAsked({ asked }: { asked: AskedChange }) {
  const { action, resource, resourceId, requestedBy, createdAt, change } = asked
  const now = useLoad(() => currentOf(asked), [asked.id])
  const name = now.data?.['name'] ?? now.data?.['email']
  const of = (
    <>
      {typeof name === 'string' ? <strong>{name}</strong> : words(resource)} {resourceId && <code>{resourceId}</code>}
    </>
  )
  return (
    <>
      <div class="card">
        <Facts
          of={[
            ['Change', ACTIONS[action]],
            ['Of', of],
            ['Asked by', <Who by={requestedBy} />],
            ['Asked', <Time at={createdAt} />],
            ['Request', <code>{`${change.method} ${change.path}`}</code>],
          ]}
        />
      </div>
      <div class="card">
        <h2>What it would change</h2>
        <Differences rows={rowsOf(asked, now.data ?? {})} removes={change.method === 'DELETE'} />
      </div>
    </>
  )
}

interface Row {
  field: string
  before: unknown
  after: unknown
}

/** What a request does besides what it says. */
const EFFECTS: { [action: string]: Fields } = {
  'counterparty.trust': { status: 'TRUSTED' },
  'counterparty.unblock': { status: 'UNKNOWN' },
}

function rowsOf({ action, change: { query, body } }: AskedChange, now: Fields): Row[] {
  const said = isFields(body) ? Object.entries(body) : []
  const all = [...Object.entries(EFFECTS[action] ?? {}), ...new URLSearchParams(query), ...said]
  return all.flatMap(([field, after]) => spread(field, after, now[field]))
}

/** The members of an object are fields of their own where both sides are objects. */
function spread(field: string, after: unknown, before: unknown): Row[] {
  if (!isFields(after) || !isFields(before)) return [{ field: spoken(field), after, before }]
  return Object.entries(after).map(([inner, value]) => {
    return { field: `${spoken(field)}: ${spoken(inner).toLowerCase()}`, after: value, before: before[inner] }
  })
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function Differences({ rows, removes }: { rows: Row[]; removes: boolean }) {
  if (rows.length === 0) {
    return <p class="hint">{removes ? 'It would be removed.' : 'The request carries no values of its own.'}</p>
  }
  const isNew = rows.every(({ before }) => before === undefined)
  const now: Column<Row> = { head: 'Now', cell: ({ before }) => (before === undefined ? '–' : <Value of={before} />) }
  const after = (value: unknown): ComponentChildren => (
    <strong>
      <Value of={value} />
    </strong>
  )
  const columns: Column<Row>[] = [
    { head: 'Field', cell: ({ field }) => field },
    ...(isNew ? [] : [now]),
    { head: isNew ? 'Value' : 'Would be', cell: (row) => after(row.after) },
  ]
  return <Table caption="The change" columns={columns} rows={rows} keyOf={({ field }) => field} />
}
