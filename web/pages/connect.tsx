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
    <Page title="Connect a client" lead="It would act for one of your agents, within the agent's limits.">
      {request === undefined ? (
        <Notice tone="warning">Connect from the client again: the address of this page is not complete.</Notice>
      ) : may ? (
        <Asked request={request} />
      ) : (
        <Notice tone="warning">Your role may not connect clients. Ask a manager, an administrator or an owner.</Notice>
      )}
    </Page>
  )
}

function Asked({ request }: { request: string }) {
  const [isHeld, setHeld] = useState(false)
  const asked = useRead('GET /api/oauth/consent', { query: { request } }, isHeld ? { everyMs: LOOKS_MS } : {})
  return <When of={asked}>{(known) => <Consenting request={request} asked={known} onHeld={() => setHeld(true)} />}</When>
}

interface Props {
  request: string
  asked: ConsentRequest
  onHeld: () => void
}

function Consenting({ request, asked, onHeld }: Props) {
  const { clientName, redirectHost, refusalUrl, granted } = asked
  const options = useLoad(() => readAgentOptions(granted.map(({ agentId }) => agentId)), [granted])
  const [chosen, choose] = useState({ agentId: granted[0]?.agentId ?? '', mayExecute: granted[0]?.mayExecute ?? false })
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
  // An approved consent is shown as it was given.
  const [approved] = granted
  useEffect(() => {
    if (approved !== undefined) choose(approved)
  }, [approved?.agentId, approved?.mayExecute])
  const { agentId, mayExecute } = chosen
  return (
    <>
      <div class="card">
        <Facts
          of={[
            ['Client', <strong>{clientName}</strong>],
            ['Sends you back to', <code>{redirectHost}</code>],
          ]}
        />
        <Notice tone="warning">
          The name is what the client calls itself. Go on only if you have just connected it yourself.
        </Notice>
      </div>
      {approved !== undefined && <Notice tone="good">Your consent was approved. Continue to the client.</Notice>}
      <When of={options}>
        {({ agents, label }) => (
          <Form
            key={approved?.agentId ?? ''}
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
              label="May execute payments"
              hint="Without it, the client asks for payments and reads; somebody else executes them."
              checked={mayExecute}
              onChecked={(checked) => choose({ ...chosen, mayExecute: checked })}
            />
          </Form>
        )}
      </When>
      {agentId !== '' && (
        <Section title="What it could spend today">
          <SpendableToday agentId={agentId} mayExecute={mayExecute} />
        </Section>
      )}
    </>
  )
}
