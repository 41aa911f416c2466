// What of an agent can be changed: its name, what it is for, and where its events go besides the organization.
import { useState } from 'preact/hooks'
import { api } from '../api.js'
import { Field, Form, TextArea, useSending } from './form.js'
import { Secret } from './secret.js'

interface Props {
  agentId: string
  name: string
  description: string | null
  callbackUrl: string | null
  onDone: () => void
  close: () => void
}

export function EditAgent({ agentId, onDone, close, ...before }: Props) {
  const [name, setName] = useState(before.name)
  const [description, setDescription] = useState(before.description ?? '')
  const [url, setUrl] = useState(before.callbackUrl ?? '')
  const [secret, setSecret] = useState<string>()
  const sending = useSending(async () => {
    const isSameUrl = url === (before.callbackUrl ?? '')
    // What is shown of an address has parts hidden: it is sent only when it was changed.
    const body = { name, description: description || null, ...(isSameUrl ? {} : { callbackUrl: url || null }) }
    const changed = await api.call('PATCH /api/agents/{agentId}', { path: { agentId }, body })
    onDone()
    if (changed.webhookSecret === undefined) close()
    else setSecret(changed.webhookSecret)
    return `${name} was changed`
  })
  if (secret !== undefined) return <Secret text={secret} what="signing secret" />
  return (
    <Form sending={sending} submit="Save">
      <Field label="Name" path="name" required maxLength={100} value={name} onValue={setName} />
      <TextArea
        label="What it is for"
        path="description"
        rows={2}
        maxLength={500}
        value={description}
        onValue={setDescription}
      />
      <Field
        label="Address for its events"
        path="callbackUrl"
        type="url"
        value={url}
        onValue={setUrl}
        hint="https only. The organization's endpoint gets them too."
      />
    </Form>
  )
}
