// The forms for channels: a new one with its settings, and the name and the events of an existing one. A signing secret
// is shown once.
import { useContext, useState } from 'preact/hooks'
import { api, withSecret, type Body } from '../api.js'
import { useDraft, type Edit } from '../edit.js'
import type { Channel } from '../records.js'
import { CHANNEL_EVENTS, channelEventName, type ChannelEvent } from './channelNames.js'
import { EditForm } from './editForm.js'
import { Fields, type Rows } from './fields.js'
import { Checkbox, Closing, Form, Problem, useSending } from './form.js'
import { SecretOnce } from './secret.js'

type Given = Body<'POST /api/channels'>

/** Slack is reached in two ways. */
const KINDS = [
  ['EMAIL', 'Mail'],
  ['SLACK_WEBHOOK', 'Slack, incoming webhook: messages with a link'],
  ['SLACK_BOT', 'Slack, bot: messages with buttons'],
  ['WEBHOOK', 'Signed POST'],
] as const

const NEW = {
  name: '',
  kind: 'EMAIL' as (typeof KINDS)[number][0],
  recipients: '',
  webhookUrl: '',
  botToken: '',
  channel: '',
  signingSecret: '',
  url: '',
  events: CHANNEL_EVENTS as readonly ChannelEvent[],
}
type Draft = typeof NEW

const ABOUT: Rows<Draft> = [
  { name: 'name', label: 'Name', required: true, maxLength: 100 },
  { name: 'kind', label: 'Type', path: 'type', options: KINDS },
]

/** Tokens are not kept by browsers. */
const SECRET = { type: 'password', required: true, autoComplete: 'off' } as const

const SETTINGS: { [kind in Draft['kind']]: Rows<Draft> } = {
  EMAIL: [
    {
      name: 'recipients',
      label: 'Recipients',
      path: 'config.recipients',
      rows: 3,
      required: true,
      hint: '1 to 20 addresses, separated by commas or lines.',
    },
  ],
  SLACK_WEBHOOK: [{ name: 'webhookUrl', label: 'Webhook URL', path: 'config.webhookUrl', ...SECRET }],
  SLACK_BOT: [
    { name: 'channel', label: 'Slack channel', path: 'config.channel', required: true, hint: 'Such as #payments.' },
    { name: 'botToken', label: 'Bot token', path: 'config.botToken', ...SECRET },
    { name: 'signingSecret', label: 'Signing secret of the Slack app', path: 'config.signingSecret', ...SECRET },
  ],
  WEBHOOK: [
    {
      name: 'url',
      label: 'URL',
      path: 'config.url',
      type: 'url',
      required: true,
      hint: 'https, and reachable from the service. Private networks are not allowed.',
    },
  ],
}

function givenIn({ name, kind, events, ...texts }: Draft): Given {
  const { recipients, webhookUrl, botToken, channel, signingSecret, url } = texts
  const all = { name, events }
  switch (kind) {
    case 'EMAIL':
      return { ...all, type: 'EMAIL', config: { recipients: recipients.split(/[\s,;]+/).filter(Boolean) } }
    case 'SLACK_WEBHOOK':
      return { ...all, type: 'SLACK', config: { webhookUrl } }
    case 'SLACK_BOT':
      return { ...all, type: 'SLACK', config: { botToken, channel, signingSecret } }
    case 'WEBHOOK':
      return { ...all, type: 'WEBHOOK', config: { url } }
  }
}

export function ChannelForm({ onDone }: { onDone: () => void }) {
  const { draft, set } = useDraft(NEW)
  const [secret, setSecret] = useState<string>()
  const close = useContext(Closing)
  const sending = useSending(async (once) => {
    const creation = api.call('POST /api/channels', { body: givenIn(draft) }, once)
    if (draft.kind === 'WEBHOOK') setSecret((await withSecret(creation, 'remove it and create another')).secret)
    else {
      await creation
      close()
    }
    onDone()
    return `${draft.name} was created`
  })
  if (secret !== undefined) return <SecretOnce text={secret} what="signing secret" />
  return (
    <Form sending={sending} submit="Create channel">
      <Fields draft={draft} set={set} of={ABOUT} />
      <Fields key={draft.kind} draft={draft} set={set} of={SETTINGS[draft.kind]} />
      <Problem path="config" />
      <EventBoxes draft={draft} set={set} />
    </Form>
  )
}

type Events = Pick<Draft, 'events'>

function EventBoxes({ draft: { events }, set }: Pick<Edit<Events>, 'draft' | 'set'>) {
  const turn = (event: ChannelEvent, on: boolean): void =>
    set({ events: CHANNEL_EVENTS.filter((one) => (one === event ? on : events.includes(one))) })
  return (
    <fieldset class="checks">
      <legend>Events</legend>
      {CHANNEL_EVENTS.map((event) => (
        <Checkbox
          key={event}
          label={channelEventName(event)}
          checked={events.includes(event)}
          onChecked={(on) => turn(event, on)}
        />
      ))}
      <Problem path="events" />
    </fieldset>
  )
}

const EDITED: Rows<Pick<Draft, 'name'>> = [{ name: 'name', label: 'Name', required: true, maxLength: 100 }]

/** In their own order, so that equal choices are equal. */
const editedOf = ({ name, events }: Channel) => ({
  name,
  events: CHANNEL_EVENTS.filter((one) => events.includes(one)) as readonly ChannelEvent[],
})

export function EditChannel({ of, onDone }: { of: Channel; onDone: () => void }) {
  const path = { channelId: of.id }
  return (
    <EditForm
      record={of}
      draftOf={editedOf}
      read={() => api.call('GET /api/channels/{channelId}', { path })}
      write={(body) => api.call('PATCH /api/channels/{channelId}', { path, body })}
      after={onDone}
      done={`${of.name} was updated`}
    >
      {({ draft, set }) => (
        <>
          <Fields draft={draft} set={set} of={EDITED} />
          <EventBoxes draft={draft} set={set} />
        </>
      )}
    </EditForm>
  )
}
