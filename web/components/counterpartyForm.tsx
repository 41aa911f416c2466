// The forms for a new counterparty, and for what can be changed of an existing one.
import { api } from '../api.js'
import { useDraft } from '../edit.js'
import { words } from '../format/words.js'
import type { Counterparty } from '../records.js'
import { EditForm } from './editForm.js'
import { Fields, type Rows } from './fields.js'
import { Form, useSending } from './form.js'

type Category = Counterparty['category']

const CATEGORIES: readonly Category[] = [
  'API_PROVIDER',
  'CLOUD_SERVICES',
  'DATA_SERVICES',
  'TOOLS',
  'VENDOR',
  'CONTRACTOR',
  'REFUND',
  'OTHER',
]

const NEW = { name: '', address: '', category: 'OTHER' as Category, website: '', notes: '' }
type Draft = Omit<typeof NEW, 'address'>

const draftOf = ({ name, category, website, notes }: Counterparty): Draft => ({
  name,
  category,
  website: website ?? '',
  notes: notes ?? '',
})

const NAME = { name: 'name', label: 'Name', required: true, maxLength: 200 } as const
const ABOUT: Rows<Draft> = [
  { name: 'category', label: 'Category', options: CATEGORIES.map((one) => [one, words(one)]) },
  { name: 'website', label: 'Website', type: 'url' },
  { name: 'notes', label: 'Notes' },
]
const FIELDS: Rows<typeof NEW> = [
  NAME,
  { name: 'address', label: 'Address', required: true, hint: '0x… or a Solana address. It cannot be changed later.' },
  ...ABOUT,
]

export function CounterpartyForm({ onDone }: { onDone: (counterparty: Counterparty) => void }) {
  const { draft, set } = useDraft(NEW)
  const sending = useSending(async (once) => {
    const body = { ...draft, website: draft.website || undefined, notes: draft.notes || undefined }
    const added = await api.call('POST /api/counterparties', { body }, once)
    onDone(added)
    return `${added.name} was added`
  })
  return (
    <Form sending={sending} submit="Add">
      <Fields draft={draft} set={set} of={FIELDS} />
    </Form>
  )
}

export function EditCounterparty({ of, onDone }: { of: Counterparty; onDone: () => void }) {
  const path = { counterpartyId: of.id }
  const write = ({ website, notes, ...more }: Partial<Draft>) => {
    const body = {
      ...more,
      ...(website !== undefined && { website: website || null }),
      ...(notes !== undefined && { notes: notes || null }),
    }
    return api.call('PUT /api/counterparties/{counterpartyId}', { path, body })
  }
  return (
    <EditForm
      record={of}
      draftOf={draftOf}
      read={() => api.call('GET /api/counterparties/{counterpartyId}', { path })}
      write={write}
      after={onDone}
      done="The counterparty was updated"
      fields={[NAME, ...ABOUT]}
    />
  )
}
