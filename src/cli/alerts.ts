// bursar alerts: lists alerts, shows one, acknowledges and resolves it, and shows and changes what raises them.
import type { Alert, AlertSettings } from '../../sdk/index.js'
import { ALERT_STATUSES, ALERT_TYPES, SEVERITIES } from '../domain/outcomes/alert.js'
import { agentIdOf } from './agents.js'
import { choice } from './terminal/arguments.js'
import { asking, type ServiceCommand, type Shown } from './terminal/asking.js'
import { UsageError } from './terminal/command.js'
import { printedList } from './terminal/listed.js'
import { record, type Columns } from './terminal/show.js'

const COLUMNS: Columns<Alert> = {
  ID: ({ id }) => id,
  TYPE: ({ type }) => type,
  SEVERITY: ({ severity }) => severity,
  STATUS: ({ status }) => status,
  COUNT: ({ count }) => count,
  LAST: ({ lastAt }) => lastAt,
  MESSAGE: ({ message }) => message,
}

const shown = (alert: Alert): Shown => ({
  json: alert,
  lines: (style) => {
    const { acknowledgedBy, resolvedBy, ...rest } = alert
    const by = (one: typeof resolvedBy): string | null => (one === undefined ? null : `${one.type} ${one.id}`)
    return record({ ...rest, 'acknowledged by': by(acknowledgedBy), 'resolved by': by(resolvedBy) }, style)
  },
})

const shownSettings = (settings: AlertSettings): Shown => ({
  json: settings,
  lines: (style) => {
    const { spendWarningAt, lowBalanceBelow, highValueAbove } = settings
    const said = (amount: number | null): number | string => amount ?? 'no alert'
    return record(
      {
        'warning at': `${spendWarningAt} percent of a limit`,
        'low balance below': said(lowBalanceBelow),
        'large payments from': said(highValueAbove),
      },
      style,
    )
  },
})

async function list(asking: ServiceCommand): Promise<Shown> {
  const { bursar, text } = asking
  const agent = text('agent')
  const query = {
    status: choice('--status', ALERT_STATUSES, text('status')),
    severity: choice('--severity', SEVERITIES, text('severity')),
    type: choice('--type', ALERT_TYPES, text('type')),
    agentId: agent === undefined ? undefined : await agentIdOf(asking, agent),
  }
  return printedList(asking, bursar.alerts.list(query), COLUMNS)
}

/** Undefined leaves it as it is, null stands for `none`. */
const amountOr = (given: string | undefined): string | null | undefined => (given === 'none' ? null : given)

async function settings({ bursar, text }: ServiceCommand): Promise<Shown> {
  const percent = text('warn-at')
  if (percent !== undefined && !/^\d{1,2}$/.test(percent)) throw new UsageError('--warn-at must be 1 to 99')
  const changes = {
    ...(percent !== undefined && { spendWarningAt: Number(percent) }),
    lowBalanceBelow: amountOr(text('low-balance')),
    highValueAbove: amountOr(text('high-value')),
  }
  const isChange = Object.values(changes).some((value) => value !== undefined)
  return shownSettings(await (isChange ? bursar.alerts.updateSettings(changes) : bursar.alerts.settings()))
}

export const alertCommands = {
  'alerts list': asking({
    usage: 'alerts list [--status STATUS] [--severity SEVERITY] [--type TYPE] [--agent AGENT] [--limit N]',
    summary: `list alerts; STATUS is one of ${ALERT_STATUSES.join(', ')}, SEVERITY of ${SEVERITIES.join(', ')}`,
    run: list,
  }),
  'alerts show': asking({
    usage: 'alerts show ID',
    summary: 'show an alert',
    run: async ({ bursar, words: [id] }) => shown(await bursar.alerts.get(id!)),
  }),
  'alerts acknowledge': asking({
    usage: 'alerts acknowledge ID',
    summary: 'say that you have seen an alert',
    run: async ({ bursar, words: [id] }) => shown(await bursar.alerts.acknowledge(id!)),
  }),
  'alerts resolve': asking({
    usage: 'alerts resolve ID',
    summary: 'resolve an alert: its cause raises a new one',
    run: async ({ bursar, words: [id] }) => shown(await bursar.alerts.resolve(id!)),
  }),
  'alerts settings': asking({
    usage: 'alerts settings [--warn-at PERCENT] [--low-balance AMOUNT] [--high-value AMOUNT]',
    summary: 'show or change what raises alerts; AMOUNT is in USDC, or none',
    run: settings,
  }),
}
