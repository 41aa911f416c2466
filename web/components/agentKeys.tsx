// An agent's keys: creating one, which is shown once, and revoking.
import { api } from '../api.js'
import { useList } from '../load.js'
import { useMay } from '../session.js'
import { Opening } from './dialog.js'
import { KeyForm } from './keyForm.js'
import { KeyTable } from './keyTable.js'
import { Section } from './page.js'

export function AgentKeys({ agentId }: { agentId: string }) {
  const may = useMay('MANAGER')
  const path = { agentId }
  const keys = useList('GET /api/agents/{agentId}/sdk-keys', 'keys', { path })
  const create = may && (
    <Opening label="New key" icon="key" title="New agent key">
      <KeyForm
        create={(body, once) => api.call('POST /api/agents/{agentId}/sdk-keys', { path, body }, once)}
        onDone={keys.reload}
      />
    </Opening>
  )
  return (
    <Section title="Keys" actions={create}>
      <KeyTable
        of={keys}
        none={{
          icon: 'key',
          title: 'No keys',
          children: 'The agent authenticates its payment requests with its own key.',
        }}
        revoke={may && ((keyId) => api.call('DELETE /api/agents/{agentId}/sdk-keys', { path, query: { keyId } }))}
      />
    </Section>
  )
}
