// The first agent, step by step: the agent, a funded wallet, its limits, its key, and a command to try it.
import { useState } from 'preact/hooks'
import { api } from '../api.js'
import { AgentForm } from '../components/agentForm.js'
import { DelegationForm } from '../components/delegationForm.js'
import { Field, Form, useSending, type Once } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { KeyForm } from '../components/keyForm.js'
import { Page } from '../components/page.js'
import { FirstPayment } from '../components/firstPayment.js'
import { to } from '../router.js'
import { useMay, useSignedIn } from '../session.js'
import { Notice } from '../components/loadingStates.js'

const STEPS = ['Agent', 'Wallet', 'Limits', 'Key', 'First payment'] as const

interface Made {
  agent?: { id: string; name: string }
  wallet?: { id: string; name: string }
  delegated?: true
  key?: string
}

export default function Welcome() {
  const [made, setMade] = useState<Made>({})
  const may = useMay('MANAGER')
  const add = (part: Made): void => setMade((before) => ({ ...before, ...part }))
  const step = made.key ? 4 : made.delegated ? 3 : made.wallet ? 2 : made.agent ? 1 : 0
  return (
    <Page
      title="Set up an agent"
      lead="Five steps to a first payment."
      actions={
        <a class="button" href={to()}>
          Skip
        </a>
      }
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
        <div class="card step">
          <Step made={made} add={add} step={step} />
        </div>
      ) : (
        <Notice>Your role cannot set up agents.</Notice>
      )}
    </Page>
  )
}

function Step({ made: { agent, wallet, key }, add, step }: { made: Made; add: (part: Made) => void; step: number }) {
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
        <h2>Limits of {agent.name} </h2>
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

function WalletStep({ name, onDone }: { name: string; onDone: (wallet: { id: string; name: string }) => void }) {
  const isTest = useSignedIn().organization.settlementMode === 'test'
  const [walletName, setName] = useState(`${name} wallet`)
  const [amount, setAmount] = useState('1000')
  const [made, setMade] = useState<{ id: string; name: string }>()
  const sending = useSending(async (once) => {
    // The wallet is not created again if only the funding failed.
    const body = { name: walletName, custodyType: 'MANAGED' as const }
    const wallet = made ?? (await api.call('POST /api/wallets', { body }, once))
    setMade(wallet)
    if (isTest && amount !== '')
      await api.call('POST /api/wallets/{walletId}/fund', { path: { walletId: wallet.id }, body: { amount } }, once)
    onDone(wallet)
    return `${wallet.name} was created`
  })
  return (
    <>
      <h2>Create a wallet</h2>
      <p class="hint">
        The service creates the key of this wallet and stores it encrypted. Add wallets of providers, or your own, under
        Wallets.
      </p>
      <Form sending={sending} submit="Continue">
        <Field label="Name" path="name" required maxLength={100} value={walletName} onValue={setName} />
        {isTest && (
          <Field
            label="Simulated balance, USDC"
            path="amount"
            inputMode="decimal"
            pattern="[0-9]+([.][0-9]{1,6})?"
            value={amount}
            onValue={setAmount}
            hint="Payments are simulated: no real funds."
          />
        )}
      </Form>
    </>
  )
}

function KeyStep({
  agent,
  minted,
  onKey,
}: {
  agent: { id: string; name: string }
  minted: string | undefined
  onKey: (key: string) => void
}) {
  const [key, setKey] = useState<string>()
  const make = async (body: { name: string; expiresInDays: number | undefined }, once: Once) => {
    const made = await api.call('POST /api/agents/{agentId}/sdk-keys', { path: { agentId: agent.id }, body }, once)
    setKey(made.key)
    return made
  }
  if (minted !== undefined) return <FirstPayment agent={agent} apiKey={minted} />
  return (
    <>
      <h2>Key of {agent.name}</h2>
      <KeyForm make={make} onDone={() => undefined} close={() => key !== undefined && onKey(key)} />
    </>
  )
}
