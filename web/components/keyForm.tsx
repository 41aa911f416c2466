// The form for a new key, and the key itself, which is shown only once.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { withSecret, type Answer, type WithSecret } from '../api.js'
import { Field, Form, useSending, type Once } from './form.js'
import { Secret } from './secret.js'

type Minted = Answer<'POST /api/api-keys'>

interface Props {
  make: (requested: { name: string; expiresInDays: number | undefined }, once: Once) => Promise<Minted>
  onDone: () => void
  close: () => void
  /** Further fields. */
  children?: ComponentChildren
}

export function KeyForm({ make, onDone, close, children }: Props) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('')
  const [minted, setMinted] = useState<WithSecret<Minted>>()
  const sending = useSending(async (once) => {
    const requested = { name, expiresInDays: days === '' ? undefined : Number(days) }
    setMinted(await withSecret(make(requested, once), 'revoke it and create another'))
    onDone()
    return `The key ${name} was created`
  })
  if (minted) {
    return (
      <>
        <Secret text={minted.key} what="key" />
        <div class="form-actions">
          <button type="button" class="primary" onClick={close}>
            Done
          </button>
        </div>
      </>
    )
  }
  return (
    <Form sending={sending} submit="Create key">
      <Field
        label="Name"
        path="name"
        required
        maxLength={100}
        value={name}
        onValue={setName}
        hint="Where it will be used, such as production or Ada's laptop."
      />
      {children}
      <Field
        label="Expires after, days"
        path="expiresInDays"
        type="number"
        min={1}
        max={3650}
        value={days}
        onValue={setDays}
        hint="Leave empty for a key that never expires."
      />
    </Form>
  )
}
