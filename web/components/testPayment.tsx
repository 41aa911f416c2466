// Trying what an agent may pay, from its page: the decision and its reasons, with nothing requested.
import { useState } from 'preact/hooks'
import { api, type Answer } from '../api.js'
import { useDraft } from '../edit.js'
import type { Agent } from '../records.js'
import { Long } from './amounts.js'
import { DecisionFacts } from './triedDecision.js'
import { Opening } from './dialog.js'
import { AMOUNT, Fields, type Rows } from './fields.js'
import { Form, useSending } from './form.js'
import { AgentsName } from './recipientName.js'

type Tried = Answer<'POST /api/agents/{agentId}/test-payment'>

const START = { amount: '10', recipientAddress: '' }

const FIELDS: Rows<typeof START> = [
  { name: 'amount', label: 'Amount in USDC', required: true, ...AMOUNT },
  {
    name: 'recipientAddress',
    label: "Recipient's address",
    placeholder: '0x…',
    hint: 'Left empty, it is whom the agent has paid last.',
  },
]

export function TestPayment({ agent: { id, name } }: { agent: Agent }) {
  return (
    <Opening label="Test payment" title={`Test payment by ${name}`}>
      <Try agentId={id} />
    </Opening>
  )
}

function Try({ agentId }: { agentId: string }) {
  const { draft, set } = useDraft(START)
  const [tried, setTried] = useState<Tried>()
  const sending = useSending(async () => {
    setTried(undefined)
    const { amount, recipientAddress } = draft
    const body = { amount, ...(recipientAddress !== '' && { recipientAddress }) }
    setTried(await api.call('POST /api/agents/{agentId}/test-payment', { path: { agentId }, body }))
    return undefined
  })
  return (
    <>
      <Form sending={sending} submit="Try">
        <p class="hint">Decides as a request of the agent would be decided now. Nothing is stored, reserved or paid.</p>
        <Fields draft={draft} set={set} of={FIELDS} />
      </Form>
      <div aria-live="polite">{tried && <Result of={tried} />}</div>
    </>
  )
}

const CHOSEN: { [by in Tried['recipient']['chosenBy']]: string } = {
  REQUEST: 'To',
  LAST_PAID: 'To whom the agent has paid last,',
  TEST_ADDRESS: 'The agent has paid nobody yet, so to an address that nobody has,',
}

/** Whom the agent has paid is named by itself; the test address has its name from Bursar. */
function Recipient({ chosenBy, name }: Pick<Tried['recipient'], 'chosenBy'> & { name: string }) {
  return chosenBy === 'TEST_ADDRESS' ? <strong>{name}</strong> : <AgentsName name={name} />
}

function Result({ of }: { of: Tried }) {
  const { name, address, chosenBy } = of.recipient
  return (
    <>
      <p>
        {CHOSEN[chosenBy]} {name && <Recipient chosenBy={chosenBy} name={name} />}{' '}
        <Long text={address} what="recipient address" />
      </p>
      <DecisionFacts of={of} />
    </>
  )
}
