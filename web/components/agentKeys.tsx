// An agent's keys: creating one, which is shown once, and revoking.
import { api } from '../api.js'
import { useList } from '../load.js'
import { useMay } from '../session.js'
import { Opening } from './dialog.js'
import { Icon } from './icon.js'
import { KeyForm } from './keyForm.js'
import { KeyTable } from './keyTable.js'
import { Listed } from './list.js'
import { Section } from './page.js'
import { Empty } from './loadingStates.js'

export function AgentKeys({ agentId }: { agentId: string }) {
  const may = useMay('MANAGER')
  const path = { agentId }
  const keys = useList(
    (cursor) => api.call('GET /api/agents/{agentId}/sdk-keys', { path, query: { cursor } }),
    (page) => page.keys,
    [agentId],
  )
  const revoke = async (keyId: string): Promise<void> => {
    await api.call('DELETE /api/agents/{agentId}/sdk-keys', { path, query: { keyId } })
    keys.reload()
  }
  const make = may && (
    <Opening
      label={
        <>
          <Icon name="key" />
          New key
        </>
      }
      title="New agent key"
    >
      {(close) => (
        <KeyForm
          make={(body, once) => api.call('POST /api/agents/{agentId}/sdk-keys', { path, body }, once)}
          onDone={keys.reload}
          close={close}
        />
      )}
    </Opening>
  )
  return (
    <Section title="Keys" actions={make}>
      <Listed
        of={keys}
        none={
          <Empty icon="key" title="No keys">
            The agent authenticates its payment requests with its own key.
          </Empty>
        }
      >
        {(rows) => <KeyTable rows={rows} revoke={may ? revoke : undefined} />}
      </Listed>
    </Section>
  )
}
