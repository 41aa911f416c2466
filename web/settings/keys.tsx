// Keys of the organization, for its own systems and the command line.
import { useState } from 'preact/hooks'
import { api, type Body } from '../api.js'
import { Opening } from '../components/dialog.js'
import { Select } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { KeyForm } from '../components/keyForm.js'
import { KeyTable } from '../components/keyTable.js'
import { Listed } from '../components/list.js'
import { Section } from '../components/page.js'
import { Empty } from '../components/loadingStates.js'
import { useList } from '../load.js'
import { useMay } from '../session.js'

type Preset = Body<'POST /api/api-keys'>['scopePreset']

const PRESETS: readonly (readonly [Preset, string])[] = [
  ['READ_ONLY', 'Read only'],
  ['STANDARD', 'Standard: reads all, writes agents, wallets, policies, counterparties'],
  ['ADMIN', 'Admin: everything'],
]

export function Keys() {
  const may = useMay('ADMIN')
  const keys = useList(
    (cursor) => api.call('GET /api/api-keys', { query: { cursor } }),
    (page) => page.keys,
    [],
  )
  const revoke = async (keyId: string, cascade: boolean): Promise<void> => {
    await api.call('DELETE /api/api-keys', { query: { keyId, cascade } })
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
      title="New organization key"
      class="primary"
    >
      {(close) => <NewKey onDone={keys.reload} close={close} />}
    </Opening>
  )
  return (
    <Section
      title="Organization keys"
      lead="For your own systems and the command line. A key cannot have more permissions than your role."
      actions={make}
    >
      <Listed of={keys} none={<Empty icon="key" title="No keys" />}>
        {(rows) => <KeyTable rows={rows} revoke={may ? revoke : undefined} areMakers />}
      </Listed>
    </Section>
  )
}

function NewKey({ onDone, close }: { onDone: () => void; close: () => void }) {
  const [scopePreset, setPreset] = useState<Preset>('STANDARD')
  return (
    <KeyForm
      make={(requested, once) => api.call('POST /api/api-keys', { body: { ...requested, scopePreset } }, once)}
      onDone={onDone}
      close={close}
    >
      <Select
        label="Access"
        path="scopePreset"
        options={PRESETS}
        value={scopePreset}
        onValue={(value) => setPreset(value as Preset)}
      />
    </KeyForm>
  )
}
