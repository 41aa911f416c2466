// Keys as far as they can be shown: name and prefix, never the whole key.
import type { List } from '../load.js'
import type { Key } from '../records.js'
import { Time, Who } from './amounts.js'
import { Badge } from './badge.js'
import { CASCADE, Descendants } from './descendants.js'
import { Confirm } from './dialog.js'
import { Records } from './list.js'
import type { EmptyProps } from './loadingStates.js'
import { actionColumn, type Columns } from './table.js'

interface Props {
  of: List<Key>
  none: EmptyProps
  /** False for people who may not. */
  revoke: false | ((keyId: string, cascade: boolean) => Promise<unknown>)
  /** Keys of the organization can create others; those of agents cannot. */
  areMakers?: boolean
}

export function KeyTable({ of, none, revoke, areMakers = false }: Props) {
  const columns: Columns<Key> = [
    {
      head: 'Name',
      cell: ({ name, keyPrefix, redirectHost }) => (
        <>
          <strong>{name}</strong> {redirectHost === undefined ? <code>{keyPrefix}…</code> : <>app at {redirectHost}</>}
        </>
      ),
    },
    { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
    { head: 'Scopes', cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.length} scopes</span> },
    { head: 'Created by', cell: ({ createdBy }) => <Who by={createdBy} /> },
    { head: 'Last used', cell: ({ lastUsedAt: at }) => (at === null ? 'never' : <Time at={at} as="relative" />) },
    { head: 'Expires', cell: ({ expiresAt: at }) => (at === null ? 'never' : <Time at={at} />) },
    revoke &&
      actionColumn(
        ({ id, name, status }) =>
          status === 'ACTIVE' && (
            <Confirm
              label="Revoke"
              title={`Revoke the key ${name}?`}
              danger
              choice={areMakers ? CASCADE : undefined}
              act={(_once, _reason, isCascading) => revoke(id, isCascading)}
              after={of.reload}
              done={(_, isCascading) =>
                isCascading ? `The key ${name} and everything it created were revoked` : `The key ${name} was revoked`
              }
            >
              Requests with this key fail immediately. This cannot be undone.
              {areMakers && <Descendants of={{ type: 'KEY', id }} />}
            </Confirm>
          ),
      ),
  ]
  return <Records of={of} none={none} caption="Keys" columns={columns} />
}
