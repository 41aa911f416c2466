// The form of a new card, and of the name and the limits of an existing one.
import { api, type Body } from '../api.js'
import { useDraft } from '../edit.js'
import { words } from '../format/words.js'
import type { Card } from '../records.js'
import { EditForm } from './editForm.js'
import { AMOUNT, Fields, type Rows } from './fields.js'
import { CLOSES, Form, useSending } from './form.js'

type Brand = Body<'POST /api/cards'>['brand']

const BRANDS = (['VISA', 'MASTERCARD', 'AMEX', 'OTHER'] as const).map((brand) => [brand, words(brand)] as const)
const NEW = { name: '', brand: 'VISA' as Brand, last4: '', spendLimitPerTx: '100', spendLimitDaily: '1000' }
type Draft = typeof NEW

const FIELDS: Rows<Draft> = [
  { name: 'name', label: 'Name', required: true, maxLength: 100 },
  [
    { name: 'brand', label: 'Brand', options: BRANDS },
    { name: 'last4', label: 'Last four digits', required: true, inputMode: 'numeric', pattern: '[0-9]{4}' },
  ],
  [
    { name: 'spendLimitPerTx', label: 'Per payment, USD', ...AMOUNT, hint: 'Empty for no limit.' },
    { name: 'spendLimitDaily', label: 'Daily, USD', ...AMOUNT, hint: 'Empty for no limit.' },
  ],
]

/** An empty text is no limit; one that was not changed is left as it is. */
const limitIn = (text: string | undefined): string | null | undefined =>
  text === undefined ? text : text.trim() || null

function bodyOf<D extends Partial<Draft>>({ spendLimitPerTx, spendLimitDaily, ...more }: D) {
  return { ...more, spendLimitPerTx: limitIn(spendLimitPerTx), spendLimitDaily: limitIn(spendLimitDaily) }
}

export function CardForm({ onDone }: { onDone: () => void }) {
  const { draft, set } = useDraft(NEW)
  const sending = useSending(async (once) => {
    await api.call('POST /api/cards', { body: bodyOf(draft) }, once)
    onDone()
    return `${draft.name} was created`
  }, CLOSES)
  return (
    <Form sending={sending} submit="Create card">
      <Fields draft={draft} set={set} of={FIELDS} />
    </Form>
  )
}

const shown = (limit: number | null): string => (limit === null ? '' : String(limit))

function draftOf({ name, brand, last4, spendLimitPerTx, spendLimitDaily }: Card): Draft {
  return { name, brand, last4, spendLimitPerTx: shown(spendLimitPerTx), spendLimitDaily: shown(spendLimitDaily) }
}

export function EditCard({ of, onDone }: { of: Card; onDone: () => void }) {
  const path = { cardId: of.id }
  return (
    <EditForm
      record={of}
      draftOf={draftOf}
      read={() => api.call('GET /api/cards/{cardId}', { path })}
      write={(changed) => api.call('PATCH /api/cards/{cardId}', { path, body: bodyOf(changed) })}
      after={onDone}
      done={`${of.name} was updated`}
      fields={FIELDS}
    />
  )
}
