// What raises alerts, as far as an organization can choose.
import { api, type Answer, type Body } from '../api.js'
import { EditForm } from '../components/editForm.js'
import { Facts } from '../components/facts.js'
import { AMOUNT, count, type Rows } from '../components/fields.js'
import { When } from '../components/loadingStates.js'
import { Section } from '../components/page.js'
import { money } from '../format/money.js'
import { useRead } from '../load.js'
import { useMay } from '../session.js'

type Settings = Answer<'GET /api/alerts/settings'>
type Draft = Record<keyof Settings, string>

const textOf = (amount: number | null): string => (amount === null ? '' : String(amount))

const draftOf = ({ spendWarningAt, lowBalanceBelow, highValueAbove }: Settings): Draft => ({
  spendWarningAt: String(spendWarningAt),
  lowBalanceBelow: textOf(lowBalanceBelow),
  highValueAbove: textOf(highValueAbove),
})

/** An empty amount is none. */
function bodyOf({
  spendWarningAt,
  lowBalanceBelow,
  highValueAbove,
}: Partial<Draft>): Body<'PATCH /api/alerts/settings'> {
  return {
    ...(spendWarningAt !== undefined && { spendWarningAt: Number(spendWarningAt) }),
    ...(lowBalanceBelow !== undefined && { lowBalanceBelow: lowBalanceBelow || null }),
    ...(highValueAbove !== undefined && { highValueAbove: highValueAbove || null }),
  }
}

const FIELDS: Rows<Draft> = [
  {
    name: 'spendWarningAt',
    label: 'Warn when this much of a limit is used, percent',
    hint: 'Of daily, weekly and monthly limits, and of budgets; spent and reserved.',
    ...count(1, 99),
  },
  {
    name: 'lowBalanceBelow',
    label: 'Wallet balance is low below, USDC',
    hint: 'Leave empty for no such alert.',
    ...AMOUNT,
  },
  {
    name: 'highValueAbove',
    label: 'Payments are large from, USDC',
    hint: 'Leave empty for no such alert.',
    ...AMOUNT,
  },
]

export function AlertSettings() {
  const may = useMay('MANAGER')
  const settings = useRead('GET /api/alerts/settings', {})
  return (
    <Section title="Alerts" lead="From when on alerts are raised. All others have fixed causes.">
      <When of={settings} rows={3}>
        {(data) => (
          <div class="card narrow">
            {may ? (
              <EditForm
                record={data}
                draftOf={draftOf}
                read={() => api.call('GET /api/alerts/settings', {})}
                write={(changed) => api.call('PATCH /api/alerts/settings', { body: bodyOf(changed) })}
                after={settings.reload}
                done="The settings were saved"
                fields={FIELDS}
              />
            ) : (
              <SettingsFacts of={data} />
            )}
          </div>
        )}
      </When>
    </Section>
  )
}

function SettingsFacts({ of: { spendWarningAt, lowBalanceBelow, highValueAbove } }: { of: Settings }) {
  const said = (amount: number | null): string => (amount === null ? 'no alert' : money(amount))
  return (
    <Facts
      of={[
        ['Warning at', `${spendWarningAt} % of a limit`],
        ['Low balance below', said(lowBalanceBelow)],
        ['Large payments from', said(highValueAbove)],
      ]}
    />
  )
}
