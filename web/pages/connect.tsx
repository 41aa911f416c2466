// The page on which a person lets a client of OAuth act for an agent. It says first who asks and where the client is, and
// what it could spend, because everybody can send a person here. Without a request yet, it goes on to get one.
import { useEffect, useState } from 'preact/hooks'
import { api } from '../api.js'
import { Facts } from '../components/facts.js'
import { Checkbox, Form, Select, useSending } from '../components/form.js'
import { Loading, Notice, When } from '../components/loadingStates.js'
import { Page, Section } from '../components/page.js'
import { readAgentOptions } from '../components/agentOptions.js'
import { SpendableToday } from '../components/spendableToday.js'
import { useLoad, useRead } from '../load.js'
import type { ConsentRequest } from '../records.js'
import { to } from '../router.js'
import { useMay } from '../session.js'

/** How often it looks whether the consent was approved. */
const LOOKS_MS = 5_000

export default function Connect() {
  const [{ request, authorize }] = useState(() => (history.state ?? {}) as { request?: string; authorize?: string })
  const may = useMay('MANAGER')
  useEffect(() => {
    // Now that somebody has signed in, the service checks what the client asks for.
    if (request === undefined && authorize !== undefined) location.replace(`/oauth/authorize?${authorize}`)
  }, [])
  if (request === undefined && authorize !== undefined) return <Loading />
  return (
    <Page
      title="Connect an app"
      lead="An app asks to act for one of your agents. It stays within the agent's limits, and you can end it at any time by revoking its key."
    >
      {request === undefined ? (
        <Notice tone="warning">The address of this page is not complete. Connect again from the app.</Notice>
      ) : may ? (
        <Asked request={request} />
      ) : (
        <Notice tone="warning">
          Your role may not connect apps. Ask a manager, an administrator or an owner to do it.
        </Notice>
      )}
    </Page>
  )
}

function Asked({ request }: { request: string }) {
  const [isHeld, setHeld] = useState(false)
  const asked = useRead('GET /api/oauth/consent', { query: { request } }, isHeld ? { everyMs: LOOKS_MS } : {})
  return (
    <When of={asked}>
      {(known) => (
        // An approved consent is another question than the one that waits: whether to go on.
        <Consenting key={known.granted.length} request={request} asked={known} onHeld={() => setHeld(true)} />
      )}
    </When>
  )
}

interface Props {
  request: string
  asked: ConsentRequest
  onHeld: () => void
}

function Consenting({ request, asked, onHeld }: Props) {
  const { clientName, redirectHost, refusalUrl, granted } = asked
  const [approved] = granted
  const options = useLoad(() => readAgentOptions(granted.map(({ agentId }) => agentId)), [])
  const [chosen, choose] = useState(approved ?? { agentId: '', mayExecute: false })
  const sending = useSending(async () => {
    const body = { request, clientName, redirectHost, ...chosen }
    const { redirectUrl } = await api.call('POST /api/oauth/consent', { body })
    location.assign(redirectUrl!)
    return undefined
  })
  const isHeld = sending.held !== undefined
  useEffect(() => {
    if (isHeld) onHeld()
  }, [isHeld])
  const { agentId, mayExecute } = chosen
  return (
    <>
      <Asking {...asked} />
      {approved !== undefined && <Notice tone="good">Your consent was approved. Continue to the app.</Notice>}
      <When of={options}>
        {({ agents, label }) =>
          agents.length === 0 ? (
            <Notice>
              There is no agent yet that it could act for. <a href={to('welcome')}>Set up an agent</a>, then connect
              again from the app.
            </Notice>
          ) : (
            <Form
              sending={sending}
              submit={approved === undefined ? 'Connect' : 'Continue'}
              beside={
                <button type="button" onClick={() => location.assign(refusalUrl)}>
                  Refuse
                </button>
              }
            >
              <Select
                label={label}
                path="agentId"
                value={agentId}
                onValue={(value) => choose({ ...chosen, agentId: value })}
                options={[['', 'Choose an agent'], ...agents.map(({ id, name }) => [id, name] as const)]}
              />
              <Checkbox
                label="Let it execute payments"
                hint="Without this, it can request payments and read, but not execute them."
                checked={mayExecute}
                onChecked={(checked) => choose({ ...chosen, mayExecute: checked })}
              />
              {agentId !== '' && (
                <Section title="What it could spend today">
                  <SpendableToday agentId={agentId} mayExecute={mayExecute} />
                </Section>
              )}
            </Form>
          )
        }
      </When>
    </>
  )
}

/** A person's own machine is named as that. */
function Place({ redirectHost, redirectTo }: ConsentRequest) {
  const isHere = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(redirectHost)
  return (
    <>
      {isHere && 'This computer, '}
      <code>{redirectTo}</code>
    </>
  )
}

function Asking(asked: ConsentRequest) {
  const { clientName, clientHost } = asked
  return (
    <div class="card">
      <Facts
        of={[
          ['App', <strong>{clientName}</strong>],
          ['Described at', clientHost !== undefined && <code>{clientHost}</code>],
          ['Sends you back to', <Place {...asked} />],
        ]}
      />
      <Notice tone="warning">
        The app chose this name itself. Connect it only if you have just asked it to connect to Bursar.
      </Notice>
    </div>
  )
}
