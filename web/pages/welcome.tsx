// The first agent, step by step: the agent, a funded wallet, its limits, its key, and a command to try it.
import { useState } from 'preact/hooks'
import { api } from '../api.js'
import { AgentForm } from '../components/agentForm.js'
import { DelegationForm } from '../components/delegationForm.js'
import { ButtonLink } from '../components/button.js'
import { AMOUNT, Fields, type Rows } from '../components/fields.js'
import { Form, useSending } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { KeyForm } from '../components/keyForm.js'
import { Page } from '../components/page.js'
import { FirstPayment } from '../components/firstPayment.js'
import { useDraft } from '../edit.js'
import { to } from '../router.js'
import { useMay, useSignedIn } from '../session.js'
import { Notice } from '../components/loadingStates.js'

const STEPS = ['Agent', 'Wallet', 'Limits', 'Key', 'First payment'] as const

interface Named {
  id: string
  name: string
}

interface Created {
  agent?: Named
  wallet?: Named
  delegated?: true
  key?: string
}

export default function Welcome() {
  const [created, setCreated] = useState<Created>({})
  const may = useMay('MANAGER')
  const add = (part: Created): void => setCreated((before) => ({ ...before, ...part }))
  const step = created.key ? 4 : created.delegated ? 3 : created.wallet ? 2 : created.agent ? 1 : 0
  return (
    <Page
      title="Set up an agent"
      lead="Five steps to a first payment."
      actions={<ButtonLink href={to()} label="Skip" />}
    >
      <ol class="steps">
        {STEPS.map((name, index) => (
          <li key={name} class={index < step ? 'done' : ''} aria-current={index === step ? 'step' : undefined}>
            <span class="step-mark">{index < step ? <Icon name="check" /> : index + 1}</span>
            {name}
          </li>
        ))}
      </ol>
      {may ? (
        <div class="card narrow">
          <Step created={created} add={add} step={step} />
        </div>
      ) : (
        <Notice>Your role cannot set up agents.</Notice>
      )}
    </Page>
  )
}

function Step({
  created: { agent, wallet, key },
  add,
  step,
}: {
  created: Created
  add: (part: Created) => void
  step: number
}) {
  if (agent === undefined) {
    return (
      <>
        <h2>Create an agent</h2>
        <AgentForm submit="Continue" onDone={({ id, name }) => add({ agent: { id, name } })} />
      </>
    )
  }
  if (wallet === undefined) return <WalletStep name={agent.name} onDone={(it) => add({ wallet: it })} />
  if (step === 2) {
    return (
      <>
        <h2>Limits of {agent.name}</h2>
        <p class="hint">
          These limits always apply. Policies can restrict further: approval above an amount, allowed recipients,
          working hours.
        </p>
        <DelegationForm
          agentId={agent.id}
          wallets={[wallet]}
          submit="Continue"
          onDone={() => add({ delegated: true })}
        />
      </>
    )
  }
  return <KeyStep agent={agent} minted={key} onKey={(it) => add({ key: it })} />
}

function WalletStep({ name, onDone }: { name: string; onDone: (wallet: Named) => void }) {
  const isTest = useSignedIn().organization.settlementMode === 'test'
  const { draft, set } = useDraft({ name: `${name} wallet`, amount: '1000' })
  const [created, setCreated] = useState<Named>()
  const sending = useSending(async (once) => {
    // The wallet is not created again if only the funding failed.
    const body = { name: draft.name, custodyType: 'MANAGED' as const }
    const wallet = created ?? (await api.call('POST /api/wallets', { body }, once))
    setCreated(wallet)
    const { amount } = draft
    if (isTest && amount !== '')
      await api.call('POST /api/wallets/{walletId}/fund', { path: { walletId: wallet.id }, body: { amount } }, once)
    onDone(wallet)
    return `${wallet.name} was created`
  })
  const fields: Rows<typeof draft> = [
    { name: 'name', label: 'Name', required: true, maxLength: 100 },
    isTest && {
      name: 'amount',
      label: 'Simulated balance, USDC',
      ...AMOUNT,
      hint: 'Payments are simulated: no real funds.',
    },
  ]
  return (
    <>
      <h2>Create a wallet</h2>
      <p class="hint">
        The service creates the key of this wallet and stores it encrypted. Add wallets of providers, or your own, under
        Wallets.
      </p>
      <Form sending={sending} submit="Continue">
        <Fields draft={draft} set={set} of={fields} />
      </Form>
    </>
  )
}

interface KeyStepProps {
  agent: Named
  minted: string | undefined
  onKey: (key: string) => void
}

function KeyStep({ agent, minted, onKey }: KeyStepProps) {
  const path = { agentId: agent.id }
  if (minted !== undefined) return <FirstPayment agent={agent} apiKey={minted} />
  return (
    <>
      <h2>Key of {agent.name}</h2>
      <KeyForm
        create={(body, once) => api.call('POST /api/agents/{agentId}/sdk-keys', { path, body }, once)}
        onDone={() => undefined}
        onCopied={onKey}
      />
    </>
  )
}
