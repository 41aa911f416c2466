// What if: a message for an actor in the service's sandbox. The result is shown here and in the chart, and nothing is
// changed.
import { useState } from 'preact/hooks'
import { api, BursarError, type Answer } from '../api.js'
import { Checkbox, Field, Form, Select, TextArea, useSending } from '../components/form.js'
import { Changes } from './changes.js'
import { Codes } from './timeline.js'

type Actor = Answer<'GET /api/machines/{machine}/actors/{actorId}'>
type Supposed = Answer<'POST /api/machines/{machine}/actors/{actorId}/what-if'>

interface Props {
  actor: Actor
  /** The state that it would be in, and the transitions that it would take; undefined without a supposition. */
  onSupposed: (supposed: Supposed | undefined) => void
}

export function WhatIf({ actor: { machine, id, messages }, onSupposed }: Props) {
  const [type, setType] = useState(messages[0]?.message ?? '')
  const [fields, setFields] = useState('')
  const [at, setAt] = useState('')
  const [untilRest, setUntilRest] = useState(true)
  const [supposed, setSupposed] = useState<Supposed>()
  const sending = useSending(async () => {
    const message = { ...readFields(fields), type }
    const body = { message, untilRest, ...(at !== '' && { at: new Date(at).toISOString() }) }
    const answer = await api.call('POST /api/machines/{machine}/actors/{actorId}/what-if', {
      path: { machine, actorId: id },
      body,
    })
    setSupposed(answer)
    onSupposed(answer)
    return undefined
  })
  if (messages.length === 0) return <p class="hint">It takes no message any more.</p>
  return (
    <div class="what-if">
      <Form sending={sending} submit="Suppose it">
        <Select
          label="Message"
          path="message.type"
          value={type}
          onValue={setType}
          options={messages.map(({ message }) => [message, message] as const)}
        />
        <TextArea
          label="Its other fields, as JSON"
          path="message"
          value={fields}
          onValue={setFields}
          hint='For example {"reason": "…"}. Nothing of it is stored.'
        />
        <Field label="At" path="at" type="datetime-local" value={at} onValue={setAt} hint="Now, if left out." />
        <Checkbox
          label="Go on until it rests"
          hint="The gates answer as they stand."
          checked={untilRest}
          onChecked={setUntilRest}
        />
      </Form>
      {supposed && <Outcome of={supposed} />}
    </div>
  )
}

function readFields(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    const details = [{ path: 'message', message: 'is no JSON object' }]
    throw new BursarError('The fields are no JSON object', { code: 'VALIDATION_ERROR', status: 400, details })
  }
}

function Outcome({ of: { state, taken, refusal, events, turns, changed } }: { of: Supposed }) {
  const guard = turns[0]?.guard
  return (
    <div class="supposed" role="status">
      <h3>
        {taken ? (
          <>
            It would be in <code>{state}</code>
          </>
        ) : (
          <>
            It would stay in <code>{state}</code>: no choice is open
          </>
        )}
      </h3>
      {guard && (
        <p>
          Passed by <code>{guard}</code>
        </p>
      )}
      {refusal && <p class="problem">Refused: {refusal}</p>}
      {turns.length > 1 && (
        <p>
          By way of <Codes of={[...new Set(turns.map(({ to }) => to))]} />
        </p>
      )}
      {events.length > 0 && (
        <p>
          The world would hear <Codes of={events} />
        </p>
      )}
      <h4>What would change</h4>
      <Changes of={changed} />
    </div>
  )
}
