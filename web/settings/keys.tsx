// Keys of the organization, for its own systems and the command line.
import { api, type Body } from '../api.js'
import { Opening } from '../components/dialog.js'
import { KeyForm } from '../components/keyForm.js'
import { KeyTable } from '../components/keyTable.js'
import { Section } from '../components/page.js'
import { useList } from '../load.js'
import { useMay } from '../session.js'

type Preset = Body<'POST /api/api-keys'>['scopePreset']

const PRESETS = [
  ['STANDARD', 'Standard: reads all, writes agents, wallets, policies, counterparties'],
  ['READ_ONLY', 'Read only'],
  ['ADMIN', 'Admin: everything'],
] as const

export function Keys() {
  const may = useMay('ADMIN')
  const keys = useList('GET /api/api-keys', 'keys', {})
  const create = may && (
    <Opening label="New key" icon="key" title="New organization key" class="primary">
      <KeyForm
        create={(requested, once, scopePreset) =>
          api.call('POST /api/api-keys', { body: { ...requested, scopePreset: scopePreset as Preset } }, once)
        }
        presets={PRESETS}
        onDone={keys.reload}
      />
    </Opening>
  )
  return (
    <Section
      title="Organization keys"
      lead="For your own systems and the command line. A key cannot have more permissions than your role."
      actions={create}
    >
      <KeyTable
        of={keys}
        none={{ icon: 'key', title: 'No keys' }}
        revoke={may && ((keyId, cascade) => api.call('DELETE /api/api-keys', { query: { keyId, cascade } }))}
        areMakers
      />
    </Section>
  )
}
