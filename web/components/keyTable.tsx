// Keys as far as they can be shown: name and prefix, never the whole key.
import type { Key } from '../records.js'
import { Badge } from './badge.js'
import { Descendants, CASCADE } from './descendants.js'
import { Confirm } from './dialog.js'
import { Time, Who } from './amounts.js'
import type { Once } from './form.js'
import { Table, type Column } from './table.js'

type RevokeKey = (keyId: string, cascade: boolean) => Promise<void>

interface Props {
  rows: Key[]
  revoke: RevokeKey | undefined
  /** Keys of the organization can create others; those of agents cannot. */
  areMakers?: boolean
}

export function KeyTable({ rows, revoke, areMakers = false }: Props) {
  const columns: Column<Key>[] = [
    {
      head: 'Name',
      cell: ({ name, keyPrefix }) => (
        <>
          <strong>{name}</strong> <code>{keyPrefix}…</code>
        </>
      ),
    },
    { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
    { head: 'Scopes', cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.length} scopes</span> },
    { head: 'Created by', cell: ({ createdBy }) => <Who by={createdBy} /> },
    {
      head: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} as="relative" />),
    },
    { head: 'Expires', cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Time at={expiresAt} />) },
  ]
  if (revoke)
    columns.push({
      head: 'Actions',
      bare: true,
      align: 'end',
      cell: (key) => key.status === 'ACTIVE' && <Revoke of={key} revoke={revoke} isMaker={areMakers} />,
    })
  return <Table caption="Keys" columns={columns} rows={rows} keyOf={({ id }) => id} />
}

function Revoke({ of: { id, name }, revoke, isMaker }: { of: Key; revoke: RevokeKey; isMaker: boolean }) {
  const act = async (_once: Once, _reason: string, isCascading: boolean): Promise<string> => {
    await revoke(id, isCascading)
    return isCascading ? `The key ${name} and everything it created were revoked` : `The key ${name} was revoked`
  }
  return (
    <Confirm
      label="Revoke"
      class="small danger"
      title={`Revoke the key ${name}?`}
      confirm="Revoke"
      danger
      {...(isMaker && { choice: CASCADE })}
      act={act}
    >
      Requests with this key fail immediately. This cannot be undone.
      {isMaker && <Descendants of={{ type: 'KEY', id }} />}
    </Confirm>
  )
}
