// The terms on which an agent may spend from a wallet: of a new delegation, or of an existing one.
import { useState } from 'preact/hooks'
import { api, type Body } from '../api.js'
import { useDraft } from '../edit.js'
import type { Delegation } from '../records.js'
import { ALL_TIMES, AllowedTimes, type Times } from './allowedTimes.js'
import { EditForm } from './editForm.js'
import { AMOUNT, Fields, type Rows } from './fields.js'
import { CLOSES, Form, Select, useSending } from './form.js'

type Terms = Omit<Body<'POST /api/agents/{agentId}/wallets'>, 'walletId'>
type Type = Delegation['delegationType']

const TYPES: readonly (readonly [Type, string])[] = [
  ['LIMITED', 'Limited: within the limits below'],
  ['ALLOWLIST', 'Allowlist: trusted and verified recipients only'],
  ['PREAPPROVED', 'Preapproved: every payment requires approval'],
  ['FULL', 'Full: only the limits that are set'],
  ['VIEW_ONLY', 'View only: no payments'],
]
const LIMITS = [
  ['spendLimitPerTx', 'Per payment'],
  ['spendLimitDaily', 'Daily'],
  ['spendLimitWeekly', 'Weekly'],
  ['spendLimitMonthly', 'Monthly'],
] as const

export const delegationTypeName = (type: string): string =>
  (TYPES.find(([one]) => one === type)?.[1] ?? type).split(':')[0]!

type Limit = (typeof LIMITS)[number][0]

/** The terms while they are edited: numbers as text, and an empty text for no limit. */
interface Draft extends Record<Limit, string>, Times {
  delegationType: Type
}

const NEW: Draft = {
  delegationType: 'LIMITED',
  spendLimitPerTx: '100',
  spendLimitDaily: '1000',
  spendLimitWeekly: '',
  spendLimitMonthly: '',
  ...ALL_TIMES,
}

function draftOf(of: Delegation): Draft {
  const { delegationType, allowedDays, allowedHoursStart, allowedHoursEnd } = of
  const limits = Object.fromEntries(LIMITS.map(([name]) => [name, of[name] === null ? '' : String(of[name])]))
  const hours = { allowedHoursStart: String(allowedHoursStart), allowedHoursEnd: String(allowedHoursEnd) }
  return { ...(limits as Record<Limit, string>), ...hours, delegationType, allowedDays }
}

/** The terms of the whole draft, or of its changed fields. */
function termsIn({ delegationType, allowedDays, ...texts }: Partial<Draft>): Terms {
  const limits = LIMITS.map(([name]) => [name, texts[name] === undefined ? undefined : texts[name].trim() || null])
  const hourIn = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))
  return {
    ...(Object.fromEntries(limits) as Record<Limit, string | null | undefined>),
    delegationType,
    allowedDays,
    allowedHoursStart: hourIn(texts.allowedHoursStart),
    allowedHoursEnd: hourIn(texts.allowedHoursEnd),
  }
}

interface NewProps {
  agentId: string
  wallets: readonly { id: string; name: string }[]
  submit: string
  onDone: () => void
}

export function DelegationForm({ agentId, wallets, submit, onDone }: NewProps) {
  const [walletId, setWallet] = useState(wallets[0]!.id)
  const { draft, set } = useDraft(NEW)
  const sending = useSending(async (once) => {
    const body = { walletId, ...termsIn(draft) }
    await api.call('POST /api/agents/{agentId}/wallets', { path: { agentId }, body }, once)
    onDone()
    return 'The wallet was delegated'
  }, CLOSES)
  return (
    <Form sending={sending} submit={submit}>
      <Select
        label="Wallet"
        path="walletId"
        options={wallets.map(({ id, name }) => [id, name])}
        value={walletId}
        onValue={setWallet}
      />
      <TermFields draft={draft} set={set} />
    </Form>
  )
}

export function EditDelegation({ of, onDone }: { of: Delegation; onDone: () => void }) {
  const { id, agentId, walletId } = of
  const read = async (): Promise<Delegation | undefined> => {
    const { wallets } = await api.call('GET /api/agents/{agentId}', { path: { agentId } })
    return wallets.find((one) => one.id === id)
  }
  const write = (changed: Partial<Draft>) => {
    const parts = { path: { agentId, walletId }, body: termsIn(changed) }
    return api.call('PATCH /api/agents/{agentId}/wallets/{walletId}', parts)
  }
  return (
    <EditForm record={of} draftOf={draftOf} read={read} write={write} after={onDone} done="The delegation was updated">
      {({ draft, set }) => <TermFields draft={draft} set={set} />}
    </EditForm>
  )
}

const TYPE: Rows<Draft> = [{ name: 'delegationType', label: 'Type', options: TYPES }]
const AMOUNTS: Rows<Draft> = [LIMITS.map(([name, label]) => ({ name, label, ...AMOUNT }))]

function TermFields({ draft, set }: { draft: Draft; set: (part: Partial<Draft>) => void }) {
  return (
    <>
      <Fields draft={draft} set={set} of={TYPE} />
      <p class="hint">Amounts in USDC. Leave a limit empty for no limit.</p>
      <Fields draft={draft} set={set} of={AMOUNTS} />
      <AllowedTimes draft={draft} set={set} />
    </>
  )
}
