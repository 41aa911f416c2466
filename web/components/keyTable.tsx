// Keys as far as they can be shown: name and prefix, never the whole key.
import { Badge } from './badge.js'
import { Ask } from './dialog.js'
import { Time } from './figures.js'
import { Table, type Column } from './table.js'

export interface Key {
  id: string
  name: string
  keyPrefix: string
  status: string
  lastUsedAt: string | null
  expiresAt: string | null
  scopes: string[]
}

interface Props {
  rows: Key[]
  revoke: ((keyId: string) => Promise<void>) | undefined
}

export function KeyTable({ rows, revoke }: Props) {
  const columns: Column<Key>[] = [
    { head: 'Name', cell: ({ name }) => <strong>{name}</strong> },
    { head: 'Begins with', cell: ({ keyPrefix }) => <code>{keyPrefix}…</code> },
    { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
    { head: 'May', cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.length} scopes</span> },
    {
      head: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} as="relative" />),
    },
    { head: 'Ends', cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Time at={expiresAt} />) },
  ]
  if (revoke)
    columns.push({
      head: 'Actions',
      bare: true,
      align: 'end',
      cell: (key) => key.status === 'ACTIVE' && <Revoke of={key} revoke={revoke} />,
    })
  return <Table caption="Keys" columns={columns} rows={rows} keyOf={({ id }) => id} />
}

function Revoke({ of: { id, name }, revoke }: { of: Key; revoke: (keyId: string) => Promise<void> }) {
  const act = async (): Promise<string> => {
    await revoke(id)
    return `The key ${name} was revoked`
  }
  return (
    <Ask label="Revoke" class="small danger" title={`Revoke the key ${name}?`} confirm="Revoke" danger act={act}>
      Whoever uses it is refused from now on. This cannot be taken back.
    </Ask>
  )
}
