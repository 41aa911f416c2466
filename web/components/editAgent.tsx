// The fields of an agent that can be changed: its name, its purpose, and where its events go besides the organization.
import { useContext, useRef, useState } from 'preact/hooks'
import { api, BursarError, isUnanswered } from '../api.js'
import { isEmpty, useEdit } from '../edit.js'
import type { Agent } from '../records.js'
import { Fields, type Rows } from './fields.js'
import { Checkbox, Closing, Field, Form, useSending } from './form.js'
import { PERHAPS_LOST, Secret } from './secret.js'

interface Props {
  agent: Agent
  onDone: () => void
}

export function EditAgent({ agent, onDone }: Props) {
  const close = useContext(Closing)
  const { id: agentId, callbackUrl } = agent
  const { draft, set, changes } = useEdit(aboutOf(agent))
  // Empty, because secrets in the address are hidden when it is shown: saving that text would lose them.
  const [url, setUrl] = useState('')
  const [stop, setStop] = useState(false)
  const [secret, setSecret] = useState<string>()
  /** A first address was sent, and no answer came. */
  const isUnheard = useRef(false)
  const sending = useSending(async () => {
    const path = { agentId }
    const { name, description } = changes(aboutOf(await api.call('GET /api/agents/{agentId}', { path })))
    const body = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description: description || null }),
      ...(stop ? { callbackUrl: null } : url !== '' && { callbackUrl: url }),
    }
    const changed = isEmpty(body)
      ? undefined
      : await api.call('PATCH /api/agents/{agentId}', { path, body }).catch((error: unknown) => {
          isUnheard.current ||= callbackUrl === null && 'callbackUrl' in body && isUnanswered(error)
          throw error
        })
    onDone()
    if (isUnheard.current && changed?.webhookSecret === undefined) {
      isUnheard.current = false
      throw new BursarError(`The agent was updated. ${PERHAPS_LOST}`, { code: 'TIMEOUT', status: 0 })
    }
    if (changed?.webhookSecret === undefined) close()
    else setSecret(changed.webhookSecret)
    return changed ? `${changed.name} was updated` : 'No changes to save'
  })
  if (secret !== undefined) return <Secret text={secret} what="signing secret" />
  const current = callbackUrl === null ? '' : ` Leave empty to keep the current URL: ${callbackUrl}`
  return (
    <Form sending={sending} submit="Save">
      <Fields draft={draft} set={set} of={FIELDS} />
      {!stop && (
        <Field
          label="Webhook URL"
          path="callbackUrl"
          type="url"
          value={url}
          onValue={setUrl}
          hint={`https only. The organization's endpoint receives the agent's events, too.${current}`}
        />
      )}
      {callbackUrl !== null && (
        <Checkbox label="Send its events to the organization's endpoint only" checked={stop} onChecked={setStop} />
      )}
    </Form>
  )
}

const FIELDS: Rows<ReturnType<typeof aboutOf>> = [
  { name: 'name', label: 'Name', required: true, maxLength: 100 },
  { name: 'description', label: 'Description', rows: 2, maxLength: 500 },
]

const aboutOf = ({ name, description }: Agent) => ({ name, description: description ?? '' })
