// The terms on which an agent may spend from a wallet: of a new delegation, or of one that is changed.
import { useState } from 'preact/hooks'
import { api, type Body } from '../api.js'
import type { Delegation } from './delegationLimits.js'
import { Checkbox, Field, Form, Select, useSending } from './form.js'

type Terms = Body<'POST /api/agents/{agentId}/wallets'>
type Type = Delegation['delegationType']
type Day = Delegation['allowedDays'][number]

const DAYS: readonly Day[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const TYPES: readonly (readonly [Type, string])[] = [
  ['LIMITED', 'Limited: within these limits'],
  ['ALLOWLIST', 'Allow list: trusted and verified recipients only'],
  ['PREAPPROVED', 'Preapproved: a person approves every payment'],
  ['FULL', 'Full: no limits but those given'],
  ['VIEW_ONLY', 'View only: never pays'],
]
export const delegationTypeName = (type: string): string =>
  (TYPES.find(([one]) => one === type)?.[1] ?? type).split(':')[0]!

interface Props {
  agentId: string
  /** Changes this one; else a wallet is chosen. */
  of?: Delegation
  wallets?: readonly { id: string; name: string }[]
  submit: string
  onDone: () => void
}

const text = (limit: number | null | undefined, usual = ''): string => (limit === null || limit === undefined ? usual : String(limit))

export function DelegationForm({ agentId, of, wallets = [], submit, onDone }: Props) {
  const [walletId, setWallet] = useState(of?.walletId ?? wallets[0]?.id ?? '')
  const [delegationType, setType] = useState<Type>(of?.delegationType ?? 'LIMITED')
  const [perTx, setPerTx] = useState(text(of?.spendLimitPerTx, of ? '' : '100'))
  const [daily, setDaily] = useState(text(of?.spendLimitDaily, of ? '' : '1000'))
  const [weekly, setWeekly] = useState(text(of?.spendLimitWeekly))
  const [monthly, setMonthly] = useState(text(of?.spendLimitMonthly))
  const [start, setStart] = useState(String(of?.allowedHoursStart ?? 0))
  const [end, setEnd] = useState(String(of?.allowedHoursEnd ?? 24))
  const [days, setDays] = useState<readonly Day[]>(of?.allowedDays ?? DAYS)
  const limit = (given: string): string | null => (given.trim() === '' ? null : given.trim())
  const sending = useSending(async () => {
    const terms: Omit<Terms, 'walletId'> = {
      delegationType,
      spendLimitPerTx: limit(perTx),
      spendLimitDaily: limit(daily),
      spendLimitWeekly: limit(weekly),
      spendLimitMonthly: limit(monthly),
      allowedHoursStart: Number(start),
      allowedHoursEnd: Number(end),
      allowedDays: days,
    }
    if (of) await api.call('PATCH /api/agents/{agentId}/wallets/{walletId}', { path: { agentId, walletId }, body: terms })
    else await api.call('POST /api/agents/{agentId}/wallets', { path: { agentId }, body: { walletId, ...terms } })
    onDone()
    return of ? 'The terms were changed' : 'The wallet was delegated'
  })
  const turn = (day: Day, on: boolean): void => setDays(DAYS.filter((one) => (one === day ? on : days.includes(one))))
  const amount = { inputMode: 'decimal', pattern: '[0-9]+([.][0-9]{1,6})?' } as const
  return (
    <Form sending={sending} submit={submit}>
      {!of && <Select label="Wallet" path="walletId" options={wallets.map(({ id, name }) => [id, name])} value={walletId} onValue={setWallet} />}
      <Select label="Kind" path="delegationType" options={TYPES} value={delegationType} onValue={(value) => setType(value as Type)} />
      <p class="hint">Amounts in USDC. An empty limit does not bind.</p>
      <div class="fields">
        <Field label="A payment" path="spendLimitPerTx" {...amount} value={perTx} onValue={setPerTx} />
        <Field label="A day" path="spendLimitDaily" {...amount} value={daily} onValue={setDaily} />
        <Field label="A week" path="spendLimitWeekly" {...amount} value={weekly} onValue={setWeekly} />
        <Field label="A month" path="spendLimitMonthly" {...amount} value={monthly} onValue={setMonthly} />
      </div>
      <fieldset class="checks">
        <legend>Days</legend>
        {DAYS.map((day) => <Checkbox key={day} label={day} checked={days.includes(day)} onChecked={(on) => turn(day, on)} />)}
      </fieldset>
      <div class="fields">
        <Field label="From hour" path="allowedHoursStart" type="number" min={0} max={23} required value={start} onValue={setStart} />
        <Field label="To hour" path="allowedHoursEnd" type="number" min={1} max={24} required value={end} onValue={setEnd} hint="24 is the end of the day." />
      </div>
    </Form>
  )
}
