// The form for a new counterparty, or for what can be changed of an existing one.
import { useState } from 'preact/hooks'
import { api } from '../api.js'
import { isEmpty, useEdit } from '../edit.js'
import { words } from '../format/words.js'
import type { Counterparty } from '../records.js'
import { Field, Form, Select, useSending, type Once } from './form.js'

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

/** The editable fields of a counterparty, as text. */
const saidOf = (of: Counterparty | undefined) => ({
  name: of?.name ?? '',
  category: of?.category ?? ('OTHER' as const),
  website: of?.website ?? '',
  notes: of?.notes ?? '',
})

export function CounterpartyForm({ of, onDone }: { of?: Counterparty; onDone: (counterparty: Counterparty) => void }) {
  const { draft, set, changes } = useEdit(saidOf(of))
  const [address, setAddress] = useState('')
  const add = (once: Once): Promise<Counterparty> => {
    const { website, notes, ...said } = draft
    const body = { ...said, address, website: website || undefined, notes: notes || undefined }
    return api.call('POST /api/counterparties', { body }, once)
  }
  const change = async ({ id }: Counterparty): Promise<Counterparty> => {
    const path = { counterpartyId: id }
    const now = await api.call('GET /api/counterparties/{counterpartyId}', { path })
    const { website, notes, ...said } = changes(saidOf(now))
    const body = {
      ...said,
      ...(website !== undefined && { website: website || null }),
      ...(notes !== undefined && { notes: notes || null }),
    }
    return isEmpty(body) ? now : api.call('PUT /api/counterparties/{counterpartyId}', { path, body })
  }
  const sending = useSending(async (once) => {
    const done = await (of ? change(of) : add(once))
    onDone(done)
    return of ? `${done.name} was updated` : `${done.name} was added`
  })
  return (
    <Form sending={sending} submit={of ? 'Save' : 'Add'}>
      <Field label="Name" path="name" required maxLength={200} value={draft.name} onValue={(name) => set({ name })} />
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
        value={draft.category}
        onValue={(value) => set({ category: value as Category })}
      />
      <Field label="Website" path="website" type="url" value={draft.website} onValue={(website) => set({ website })} />
      <Field label="Notes" path="notes" value={draft.notes} onValue={(notes) => set({ notes })} />
    </Form>
  )
}
