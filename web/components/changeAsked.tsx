// A change that waits for a second person: what it is about, and each field as it is and as it would be.
import { api } from '../api.js'
import { useLoad } from '../load.js'
import { words } from '../format/words.js'
import { ACTIONS, type AskedChange } from './asked.js'
import { Facts } from './facts.js'
import { Time, Who } from './figures.js'
import { Table } from './table.js'
import { spoken, Value } from './value.js'

type Fields = { [name: string]: unknown }

export function ChangeAsked({ asked }: { asked: AskedChange }) {
  const { action, resource, resourceId, requestedBy, createdAt, change } = asked
  const now = useLoad(() => currentOf(asked), [asked.id])
  const name = now.data?.['name'] ?? now.data?.['email'] ?? now.data?.['url']
  return (
    <>
      <div class="card">
        <Facts
          of={[
            ['Change', ACTIONS[action]],
            [
              'Of',
              <>
                {typeof name === 'string' ? <strong>{name}</strong> : words(resource)}
                {resourceId && (
                  <>
                    {' '}
                    <code>{resourceId}</code>
                  </>
                )}
              </>,
            ],
            ['Asked by', <Who by={requestedBy} />],
            ['Asked', <Time at={createdAt} />],
            [
              'Route',
              <code>
                {change.method} {change.path}
              </code>,
            ],
          ]}
        />
      </div>
      <div class="card">
        <h2>What it would change</h2>
        <Differences change={change} now={now.data ?? {}} />
      </div>
    </>
  )
}

function Differences({ change, now }: { change: AskedChange['change']; now: Fields }) {
  const body = typeof change.body === 'object' && change.body !== null ? Object.entries(change.body) : []
  const rows = [...new URLSearchParams(change.query), ...body].flatMap(([field, value]) =>
    spread(field, value, now[field]),
  )
  if (rows.length === 0)
    return (
      <p class="hint">
        {change.method === 'DELETE' ? 'It would be removed.' : 'The request carries no values of its own.'}
      </p>
    )
  const isNew = rows.every(({ before }) => before === undefined)
  const columns = [
    { head: 'Field', cell: ({ field }: (typeof rows)[number]) => spoken(field) },
    ...(isNew
      ? []
      : [
          {
            head: 'Now',
            cell: ({ before }: (typeof rows)[number]) => (before === undefined ? '–' : <Value of={before} />),
          },
        ]),
    {
      head: isNew ? 'Value' : 'Would be',
      cell: ({ after }: (typeof rows)[number]) => (
        <strong>
          <Value of={after} />
        </strong>
      ),
    },
  ]
  return <Table caption="The change" columns={columns} rows={rows} keyOf={({ field }) => field} />
}

interface Row {
  field: string
  before: unknown
  after: unknown
}

/** The members of an object are fields of their own where both sides are objects. */
function spread(field: string, after: unknown, before: unknown): Row[] {
  if (!isFields(after) || !isFields(before)) return [{ field, after, before }]
  return Object.entries(after).map(([inner, value]) => ({
    field: `${field} ${spoken(inner).toLowerCase()}`,
    after: value,
    before: before[inner],
  }))
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What the change is about as it is now; nothing where it does not exist yet or cannot be read. */
async function currentOf({ resource, resourceId, change: { path } }: AskedChange): Promise<Fields> {
  const id = resourceId ?? ''
  const read = (): Promise<Fields | undefined> => {
    if (resource === 'organization') return api.call('GET /api/organization', {})
    if (resource === 'policy') return api.call('GET /api/policies/{policyId}', { path: { policyId: id } })
    if (resource === 'agent') return api.call('GET /api/agents/{agentId}', { path: { agentId: id } })
    if (resource === 'counterparty')
      return api.call('GET /api/counterparties/{counterpartyId}', { path: { counterpartyId: id } })
    if (resource === 'workflow')
      return api.call('GET /api/approval-workflows/{workflowId}', { path: { workflowId: id } })
    if (resource === 'delegation') return delegation(path, id)
    if (resource === 'member') return member(id)
    return Promise.resolve({})
  }
  return (await read().catch(() => undefined)) ?? {}
}

async function delegation(path: string, id: string): Promise<Fields | undefined> {
  const [, agentId = ''] = /\/agents\/([^/]+)/.exec(path) ?? []
  const { wallets } = await api.call('GET /api/agents/{agentId}', { path: { agentId } })
  return wallets.find((one) => one.id === id)
}

async function member(id: string): Promise<Fields | undefined> {
  const { members } = await api.call('GET /api/members', { query: { limit: 100 } })
  return members.find((one) => one.id === id)
}
