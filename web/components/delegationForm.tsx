// The terms on which an agent may spend from a wallet: of a new delegation, or of an existing one.
import { useState } from 'preact/hooks'
import { api, type Body } from '../api.js'
import { isEmpty, useEdit } from '../edit.js'
import type { Delegation } from '../records.js'
import { Checkbox, Field, Form, Select, useSending } from './form.js'

type Terms = Omit<Body<'POST /api/agents/{agentId}/wallets'>, 'walletId'>
type Type = Delegation['delegationType']
type Day = Delegation['allowedDays'][number]

const DAYS: readonly Day[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
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
interface Draft extends Record<Limit | 'allowedHoursStart' | 'allowedHoursEnd', string> {
  delegationType: Type
  allowedDays: readonly Day[]
}

const NEW: Draft = {
  delegationType: 'LIMITED',
  spendLimitPerTx: '100',
  spendLimitDaily: '1000',
  spendLimitWeekly: '',
  spendLimitMonthly: '',
  allowedHoursStart: '0',
  allowedHoursEnd: '24',
  allowedDays: DAYS,
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

/** The current delegation; the given one if it no longer exists, which the change will report. */
async function now(of: Delegation): Promise<Delegation> {
  const { wallets } = await api.call('GET /api/agents/{agentId}', { path: { agentId: of.agentId } })
  return wallets.find(({ id }) => id === of.id) ?? of
}

interface Props {
  agentId: string
  /** The delegation to change; without it, a wallet is chosen for a new one. */
  of?: Delegation
  wallets?: readonly { id: string; name: string }[]
  submit: string
  onDone: () => void
}

export function DelegationForm({ agentId, of, wallets = [], submit, onDone }: Props) {
  const [walletId, setWallet] = useState(of?.walletId ?? wallets[0]?.id ?? '')
  const { draft, set, changes } = useEdit(of ? draftOf(of) : NEW)
  const change = async (before: Delegation): Promise<string> => {
    const changed = changes(draftOf(await now(before)))
    if (isEmpty(changed)) return 'No changes to save'
    const parts = { path: { agentId, walletId }, body: termsIn(changed) }
    await api.call('PATCH /api/agents/{agentId}/wallets/{walletId}', parts)
    return 'The delegation was updated'
  }
  const sending = useSending(async (once) => {
    const body = { walletId, ...termsIn(draft) }
    if (!of) await api.call('POST /api/agents/{agentId}/wallets', { path: { agentId }, body }, once)
    const said = of ? await change(of) : 'The wallet was delegated'
    onDone()
    return said
  })
  return (
    <Form sending={sending} submit={submit}>
      {!of && (
        <Select
          label="Wallet"
          path="walletId"
          options={wallets.map(({ id, name }) => [id, name])}
          value={walletId}
          onValue={setWallet}
        />
      )}
      <Select
        label="Type"
        path="delegationType"
        options={TYPES}
        value={draft.delegationType}
        onValue={(value) => set({ delegationType: value as Type })}
      />
      <LimitFields draft={draft} set={set} />
      <TimeFields draft={draft} set={set} />
    </Form>
  )
}

interface PartProps {
  draft: Draft
  set: (part: Partial<Draft>) => void
}

function LimitFields({ draft, set }: PartProps) {
  return (
    <>
      <p class="hint">Amounts in USDC. Leave a limit empty for no limit.</p>
      <div class="fields">
        {LIMITS.map(([name, label]) => (
          <Field
            key={name}
            label={label}
            path={name}
            inputMode="decimal"
            pattern="[0-9]+([.][0-9]{1,6})?"
            value={draft[name]}
            onValue={(value) => set({ [name]: value })}
          />
        ))}
      </div>
    </>
  )
}

function TimeFields({ draft, set }: PartProps) {
  const turn = (day: Day, on: boolean): void =>
    set({ allowedDays: DAYS.filter((one) => (one === day ? on : draft.allowedDays.includes(one))) })
  const hour = (name: 'allowedHoursStart' | 'allowedHoursEnd') => ({
    path: name,
    type: 'number' as const,
    required: true,
    value: draft[name],
    onValue: (value: string) => set({ [name]: value }),
  })
  return (
    <>
      <fieldset class="checks">
        <legend>Allowed days</legend>
        {DAYS.map((day) => (
          <Checkbox key={day} label={day} checked={draft.allowedDays.includes(day)} onChecked={(on) => turn(day, on)} />
        ))}
      </fieldset>
      <div class="fields">
        <Field label="From hour" min={0} max={23} {...hour('allowedHoursStart')} />
        <Field label="To hour" min={1} max={24} {...hour('allowedHoursEnd')} hint="24 is the end of the day." />
      </div>
    </>
  )
}
