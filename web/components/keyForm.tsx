// The form for a new key, and the key itself, which is shown only once.
import { useState } from 'preact/hooks'
import { withSecret, type Answer, type WithSecret } from '../api.js'
import { useDraft } from '../edit.js'
import { Fields, type Rows } from './fields.js'
import { Form, useSending, type Once } from './form.js'
import { SecretOnce } from './secret.js'

type Minted = Answer<'POST /api/api-keys'>

/** The scopes of a key of the organization; an agent's keys have no choice. */
const NEW = { name: '', scopePreset: '', expiresInDays: '' }

interface Props {
  create: (
    requested: { name: string; expiresInDays: number | undefined },
    once: Once,
    scopePreset: string,
  ) => Promise<Minted>
  onDone: () => void
  /** Called when the key was copied, instead of closing the dialog around it. */
  onCopied?: (key: string) => void
  /** The choice of scopes; the first is the usual one. */
  presets?: readonly (readonly [preset: string, label: string])[]
}

export function KeyForm({ create, onDone, onCopied, presets = [] }: Props) {
  const { draft, set } = useDraft({ ...NEW, scopePreset: presets[0]?.[0] ?? '' })
  const [minted, setMinted] = useState<WithSecret<Minted>>()
  const sending = useSending(async (once) => {
    const { name, expiresInDays: days, scopePreset } = draft
    const requested = { name, expiresInDays: days === '' ? undefined : Number(days) }
    setMinted(await withSecret(create(requested, once, scopePreset), 'revoke it and create another'))
    onDone()
    return `The key ${name} was created`
  })
  if (minted) return <SecretOnce text={minted.key} what="key" onDone={onCopied && (() => onCopied(minted.key))} />
  const fields: Rows<typeof NEW> = [
    {
      name: 'name',
      label: 'Name',
      required: true,
      maxLength: 100,
      hint: "Where it will be used, such as production or Ada's laptop.",
    },
    presets.length > 0 && { name: 'scopePreset', label: 'Access', options: presets },
    {
      name: 'expiresInDays',
      label: 'Expires after, days',
      type: 'number',
      min: 1,
      max: 3650,
      hint: 'Leave empty for a key that never expires.',
    },
  ]
  return (
    <Form sending={sending} submit="Create key">
      <Fields draft={draft} set={set} of={fields} />
    </Form>
  )
}
