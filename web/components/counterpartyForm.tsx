// A counterparty: a new one, or what of one can be changed.
import { useState } from 'preact/hooks'
import { api, type Answer } from '../api.js'
import { words } from '../format/words.js'
import { Field, Form, Select, TextArea, useSending } from './form.js'

type Counterparty = Answer<'GET /api/counterparties/{counterpartyId}'>
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

export function CounterpartyForm({ of, onDone }: { of?: Counterparty; onDone: (counterparty: Counterparty) => void }) {
  const [name, setName] = useState(of?.name ?? '')
  const [address, setAddress] = useState('')
  const [category, setCategory] = useState<Category>(of?.category ?? 'OTHER')
  const [website, setWebsite] = useState(of?.website ?? '')
  const [notes, setNotes] = useState(of?.notes ?? '')
  const sending = useSending(async () => {
    const said = { name, category }
    const done = of
      ? await api.call('PUT /api/counterparties/{counterpartyId}', {
          path: { counterpartyId: of.id },
          body: { ...said, website: website || null, notes: notes || null },
        })
      : await api.call('POST /api/counterparties', {
          body: { ...said, address, website: website || undefined, notes: notes || undefined },
        })
    onDone(done)
    return of ? `${name} was changed` : `${name} is known now`
  })
  return (
    <Form sending={sending} submit={of ? 'Save' : 'Add'}>
      <Field label="Name" path="name" required maxLength={200} value={name} onValue={setName} />
      {!of && (
        <Field
          label="Address"
          path="address"
          required
          value={address}
          onValue={setAddress}
          hint="0x… or a Solana address. It cannot be changed later."
        />
      )}
      <Select
        label="Category"
        path="category"
        options={CATEGORIES.map((one) => [one, words(one)])}
        value={category}
        onValue={(value) => setCategory(value as Category)}
      />
      <Field label="Website" path="website" type="url" value={website} onValue={setWebsite} />
      <TextArea label="Notes" path="notes" rows={3} value={notes} onValue={setNotes} />
    </Form>
  )
}
